import {
  accountingBills,
  accountingContacts,
  accountingPayments,
  auditLogs,
  type Condition,
  columnsOf,
  insertRows,
  organizationIntegrations,
  payees,
  rowIn,
  type Statement,
} from "@db/database";
import { and, asc, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import { MINUTE_MS } from "~/kernel/dates";
import { REASON_LENGTH } from "~/kernel/payee";
import { cleanText, isStorable } from "~/kernel/text";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { NewJob } from "~/modules/core/commands/run-command.server";
import type { Asking, ReadServices, Services, TimedServices } from "~/services-and-actor";

const MAX_INPUT = 2_000;
const MAX_KEY = 300;

const key = z.string("Choose which details are right").min(1).max(MAX_KEY);

const reason = z
  .string("Give a reason")
  .max(MAX_INPUT, "This is far too long")
  .transform(cleanText)
  .refine((value) => value.length >= REASON_LENGTH.min, "Give a reason that another person will understand")
  .refine((value) => value.length <= REASON_LENGTH.max, `The reason is longer than ${REASON_LENGTH.max} characters`)
  .refine(isStorable, "The reason contains characters that cannot be stored");

/** A person's decision about differing bank details in the accounting system. */
export const accountChangeSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("use"), key }),
  z.object({ intent: z.literal("keep"), key, reason }),
]);

export const integrationPostSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("choose"), ledgerId: z.string("Choose one").min(1, "Choose one").max(MAX_KEY) }),
  z.object({ intent: z.literal("sync") }),
  z.object({ intent: z.literal("sync-all") }),
  z.object({ intent: z.literal("stop-notes") }),
  z.object({ intent: z.literal("disconnect") }),
]);

/** What a sync reads: changes only, or everything. */
export const syncCallSchema = z.object({ all: z.boolean("Send true or false").default(false) });

/** The parameters that the system adds to our address when the person returns. */
export const consentReturnSchema = z.object({
  state: z.string().min(1).max(200),
  code: z.string().min(1).max(4_000).optional(),
  error: z.string().max(200).optional(),
});

/** An organisation's connections; credentials stay encrypted. */
export const listIntegrations = ({ db }: ReadServices, { organizationId }: Asking) =>
  db.select().from(organizationIntegrations).where(eq(organizationIntegrations.organizationId, organizationId));

export type Integration = Awaited<ReturnType<typeof listIntegrations>>[number];

export async function findIntegration({ db }: ReadServices, { organizationId }: Asking, system: ConnectableSystem) {
  const [row] = await db
    .select()
    .from(organizationIntegrations)
    .where(
      and(eq(organizationIntegrations.organizationId, organizationId), eq(organizationIntegrations.system, system)),
    );
  return row;
}

export async function findIntegrationById({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select()
    .from(organizationIntegrations)
    .where(and(eq(organizationIntegrations.organizationId, organizationId), eq(organizationIntegrations.id, id)));
  return row;
}

/** Every organisation's connection to one of these books: the system's event names the books, not our customer. */
export const listIntegrationsOfLedgers = (
  { db }: ReadServices,
  system: ConnectableSystem,
  ledgerIds: readonly string[],
) =>
  db
    .select()
    .from(organizationIntegrations)
    .where(
      and(
        sql`${organizationIntegrations.ledgerId} IN (SELECT value FROM json_each(${JSON.stringify(ledgerIds)}))`,
        eq(organizationIntegrations.system, system),
        eq(organizationIntegrations.status, "connected"),
      ),
    );

/** Suppliers that were read before, by the accounting system's id. */
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

/** SQL: the account in the accounting system differs from the payee's or is unreadable, as in the payment rules. */
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

/** The changes of one payee that a person has to decide about, oldest first. */
export const listChangesOfPayee = (services: ReadServices, { organizationId }: Asking, payeeId: string) =>
  openChanges(services, organizationId)
    .where(and(isOpen(organizationId), eq(accountingContacts.payeeId, payeeId)))
    .orderBy(asc(accountingContacts.noticedAt));

export type OpenChange = Awaited<ReturnType<typeof listChangesOfPayee>>[number];

/** How many changes a page lists. */
const SHOWN = 50;

/** The changes that wait for a decision, for the connection's page. */
export const listOpenChanges = (services: ReadServices, { organizationId }: Asking, system: ConnectableSystem) =>
  openChanges(services, organizationId)
    .where(and(isOpen(organizationId), eq(accountingContacts.system, system)))
    .orderBy(asc(accountingContacts.payeeId))
    .limit(SHOWN);

/** The same for every connected system. */
export const listAllOpenChanges = (services: ReadServices, { organizationId }: Asking, most: number) =>
  openChanges(services, organizationId)
    .where(isOpen(organizationId))
    .orderBy(asc(accountingContacts.payeeId))
    .limit(most);

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

/** How many such payments are counted. */
const MAX_SEEN = 100;

/** Reconciled payments to a payee's account that were not recorded here, newest first. */
export const findSeenPayments = ({ db }: ReadServices, { organizationId }: Asking, payeeId: string) =>
  db
    .select(columnsOf(accountingPayments, "system", "amount", "paidAt"))
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

/** The present end position of an organisation's audit trail. */
export async function endOfTrail({ db }: ReadServices, { organizationId }: Asking): Promise<number> {
  const [last] = await db
    .select({ position: auditLogs.position })
    .from(auditLogs)
    .where(eq(auditLogs.organizationId, organizationId))
    .orderBy(desc(auditLogs.position))
    .limit(1);
  return last?.position ?? 0;
}

/** Verifications that were approved after a position of the trail, oldest first. */
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

/** How often a system is polled: it may have no webhooks, and an event may be lost. */
export const POLL_MS = 15 * MINUTE_MS;

type Own = { organizationId: string; id: string };
type Row = typeof organizationIntegrations.$inferInsert;

export const isIntegration = ({ organizationId, id }: Own) =>
  and(eq(organizationIntegrations.organizationId, organizationId), eq(organizationIntegrations.id, id));

/** The condition that the connection is as it was read. */
export function integrationIsUnchanged({ db }: ReadServices, integration: Own & { version: number }) {
  const found = rowIn(db, organizationIntegrations).where(
    and(isIntegration(integration), eq(organizationIntegrations.version, integration.version)),
  );
  return { name: "integration_moved", found };
}

export function updateIntegration({ db, clock }: TimedServices, integration: Own, set: Partial<Row>): Statement {
  return db
    .update(organizationIntegrations)
    .set({ ...set, version: sql`${organizationIntegrations.version} + 1`, updatedAt: clock.now() })
    .where(isIntegration(integration));
}

/** The condition that no sync is requested already, because that one would read the same. */
export function noSyncIsWanted({ db }: ReadServices, integration: Own): Condition<"wanted_already"> {
  const found = rowIn(db, organizationIntegrations).where(
    and(
      isIntegration(integration),
      eq(organizationIntegrations.status, "connected"),
      isNull(organizationIntegrations.wantedAt),
    ),
  );
  return { name: "wanted_already", found };
}

/** Requests a sync. The version stays the same, so that a running sync continues; another follows it. */
export function askForSync({ db, clock }: TimedServices, integration: Own): Statement {
  return db.update(organizationIntegrations).set({ wantedAt: clock.now() }).where(isIntegration(integration));
}

export const syncJob = ({ ids }: Pick<Services, "ids">, { organizationId, id }: Own): NewJob => ({
  id: ids.next(),
  kind: "accounting_sync",
  organizationId,
  subjectId: id,
});

/** Replaces what was stored about suppliers. The command must require that the connection is unchanged. */
export function replaceContacts(
  { db }: ReadServices,
  { organizationId, system }: Pick<Integration, "organizationId"> & { system: ConnectableSystem },
  rows: readonly KnownContact[],
): Statement[] {
  if (rows.length === 0) return [];
  const contactIds = JSON.stringify(rows.map(({ contactId }) => contactId));
  return [
    db
      .delete(accountingContacts)
      .where(
        and(
          eq(accountingContacts.organizationId, organizationId),
          eq(accountingContacts.system, system),
          sql`${accountingContacts.contactId} IN (SELECT value FROM json_each(${contactIds}))`,
        ),
      ),
    ...insertRows(db, accountingContacts, rows),
  ];
}

/** Deletes the bills of books that are no longer read, because outdated bills must not be compared with payments. */
export const forgetBills = (
  { db }: ReadServices,
  { organizationId, system }: Pick<Integration, "organizationId" | "system">,
): Statement =>
  db
    .delete(accountingBills)
    .where(and(eq(accountingBills.organizationId, organizationId), eq(accountingBills.system, system)));
