import { accountingContacts, accountingPayments, auditLogs, organizationIntegrations, payees } from "@db/schema";
import { and, asc, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { ReadServices } from "~/services";

type Asking = { organizationId: string };

/** An organisation's connections; credentials stay sealed. */
export const listIntegrations = ({ db }: ReadServices, { organizationId }: Asking) =>
  db.select().from(organizationIntegrations).where(eq(organizationIntegrations.organizationId, organizationId));

export type Integration = Awaited<ReturnType<typeof listIntegrations>>[number];

export async function findIntegration(
  { db }: ReadServices,
  { organizationId }: Asking,
  system: ConnectableSystem,
): Promise<Integration | undefined> {
  const [row] = await db
    .select()
    .from(organizationIntegrations)
    .where(
      and(eq(organizationIntegrations.organizationId, organizationId), eq(organizationIntegrations.system, system)),
    );
  return row;
}

export async function findIntegrationById(
  { db }: ReadServices,
  { organizationId }: Asking,
  id: string,
): Promise<Integration | undefined> {
  const [row] = await db
    .select()
    .from(organizationIntegrations)
    .where(and(eq(organizationIntegrations.organizationId, organizationId), eq(organizationIntegrations.id, id)));
  return row;
}

/** Every organisation's connection to these books: an event of the system names the books, not the customer of ours. */
export const listIntegrationsOfLedger = ({ db }: ReadServices, system: ConnectableSystem, ledgerId: string) =>
  db
    .select()
    .from(organizationIntegrations)
    .where(
      and(
        eq(organizationIntegrations.ledgerId, ledgerId),
        eq(organizationIntegrations.system, system),
        eq(organizationIntegrations.status, "connected"),
      ),
    );

/** Suppliers that were read before, by their id there. */
export async function findContacts(
  { db }: ReadServices,
  { organizationId }: Asking,
  { system, contactIds }: { system: ConnectableSystem; contactIds: readonly string[] },
): Promise<Map<string, KnownContact>> {
  const rows = await db
    .select()
    .from(accountingContacts)
    .where(
      and(
        eq(accountingContacts.organizationId, organizationId),
        eq(accountingContacts.system, system),
        sql`${accountingContacts.contactId} IN (SELECT value FROM json_each(${JSON.stringify(contactIds)}))`,
      ),
    );
  return new Map(rows.map((row) => [row.contactId, row]));
}

export type KnownContact = typeof accountingContacts.$inferSelect;

/** Another account there than the payee's, or none that can be read. Written as the payment rules read it. */
const differs = sql`(${accountingContacts.seenBsb} IS NULL OR ${accountingContacts.seenBsb} <> ${payees.bsb}
  OR ltrim(${accountingContacts.seenAccountNumber}, '0') <> ltrim(${payees.accountNumber}, '0'))`;

const openChanges = ({ db }: ReadServices, organizationId: string) =>
  db
    .select({ contact: accountingContacts, payee: payees })
    .from(accountingContacts)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, organizationId), eq(payees.id, accountingContacts.payeeId), differs),
    )
    .$dynamic();

const isOpen = (organizationId: string) =>
  and(
    eq(accountingContacts.organizationId, organizationId),
    isNotNull(accountingContacts.noticedAt),
    isNull(accountingContacts.keptAt),
  );

/** What a person has to decide about one payee, the oldest first. */
export const listChangesOfPayee = (services: ReadServices, { organizationId }: Asking, payeeId: string) =>
  openChanges(services, organizationId)
    .where(and(isOpen(organizationId), eq(accountingContacts.payeeId, payeeId)))
    .orderBy(asc(accountingContacts.noticedAt));

export type OpenChange = Awaited<ReturnType<typeof listChangesOfPayee>>[number];

/** How many changes a page names. */
const SHOWN = 50;

/** What waits for a decision, for the page of the connection. */
export const listOpenChanges = (services: ReadServices, { organizationId }: Asking, system: ConnectableSystem) =>
  openChanges(services, organizationId)
    .where(and(isOpen(organizationId), eq(accountingContacts.system, system)))
    .orderBy(asc(accountingContacts.payeeId))
    .limit(SHOWN);

/** Suppliers whose bank account cannot be used, with the reason. */
export const listRefusedContacts = ({ db }: ReadServices, { organizationId }: Asking, system: ConnectableSystem) =>
  db
    .select({ contactId: accountingContacts.contactId, name: accountingContacts.name, note: accountingContacts.note })
    .from(accountingContacts)
    .where(
      and(
        eq(accountingContacts.organizationId, organizationId),
        eq(accountingContacts.system, system),
        eq(accountingContacts.state, "refused"),
      ),
    )
    .orderBy(asc(accountingContacts.contactId))
    .limit(SHOWN);

/** How many payments that are counted one by one. */
const MAX_SEEN = 100;

/** Reconciled payments to a payee's account that were not recorded here: the newest, the newest first. */
export const findSeenPayments = ({ db }: ReadServices, { organizationId }: Asking, payeeId: string) =>
  db
    .select({
      system: accountingPayments.system,
      amount: accountingPayments.amount,
      paidAt: accountingPayments.paidAt,
    })
    .from(accountingPayments)
    .where(
      and(
        eq(accountingPayments.organizationId, organizationId),
        eq(accountingPayments.payeeId, payeeId),
        eq(accountingPayments.state, "seen"),
      ),
    )
    .orderBy(desc(accountingPayments.paidAt))
    .limit(MAX_SEEN);

/** Up to where the audit trail of an organisation goes now. */
export async function endOfTrail({ db }: ReadServices, { organizationId }: Asking): Promise<number> {
  const [last] = await db
    .select({ position: auditLogs.position })
    .from(auditLogs)
    .where(eq(auditLogs.organizationId, organizationId))
    .orderBy(desc(auditLogs.position))
    .limit(1);
  return last?.position ?? 0;
}

/** Verifications that were approved after a position of the trail, the oldest first. */
export const listApprovedSince = (
  { db }: ReadServices,
  { organizationId }: Asking,
  { position, limit }: { position: number; limit: number },
) =>
  db
    .select({ position: auditLogs.position, verificationId: auditLogs.entityId })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.action, "verification.approved" satisfies AuditAction),
        gt(auditLogs.position, position),
      ),
    )
    .orderBy(asc(auditLogs.position))
    .limit(limit);
