import {
  billingAccounts,
  billingNotices,
  billingRecords,
  columnsOf,
  organizations,
  rowIn,
  type Statement,
} from "@db/database";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { ReadServices, Services } from "~/services-and-actor";
import type { BillingState, LedgerLine } from "./ledger";

/** An organisation's subscription as our rows describe it. */
export type BillingAccount = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

export async function findAccount({ db }: ReadServices, organizationId: string) {
  const [row] = await db
    .select({
      organizationName: organizations.name,
      customerId: organizations.stripeCustomerId,
      subscriptionId: organizations.stripeSubscriptionId,
      status: organizations.subscriptionStatus,
      ...columnsOf(organizations, "trialEndsAt", "firstPaidAt"),
      ...columnsOf(billingAccounts, "version", "syncId", "currentPeriodEnd", "cancelAtPeriodEnd", "amountDue"),
      ...columnsOf(billingAccounts, "cardBrand", "cardLast4", "cardExpMonth", "cardExpYear"),
    })
    .from(organizations)
    .leftJoin(billingAccounts, eq(billingAccounts.organizationId, organizationId))
    .where(eq(organizations.id, organizationId));
  return row;
}

/** The organisation with this customer id at the provider. */
export async function findOrganizationByCustomer({ db }: ReadServices, customerId: string) {
  const [row] = await db
    .select({ organizationId: organizations.id })
    .from(organizations)
    .where(eq(organizations.stripeCustomerId, customerId));
  return row?.organizationId;
}

const SHOWN_INVOICES = 60;

export function listInvoices({ db }: ReadServices, organizationId: string) {
  return db
    .select(columnsOf(billingRecords, "id", "number", "description", "amount", "taxAmount", "status", "createdAt"))
    .from(billingRecords)
    .where(and(eq(billingRecords.organizationId, organizationId), eq(billingRecords.type, "invoice")))
    .orderBy(desc(billingRecords.createdAt))
    .limit(SHOWN_INVOICES);
}

/** The provider's id of one of the organisation's invoices. */
export async function findInvoiceId({ db }: ReadServices, organizationId: string, recordId: string) {
  const [row] = await db
    .select({ invoiceId: billingRecords.relatedEntityId })
    .from(billingRecords)
    .where(
      and(
        eq(billingRecords.organizationId, organizationId),
        eq(billingRecords.id, recordId),
        eq(billingRecords.type, "invoice"),
      ),
    );
  return row?.invoiceId ?? undefined;
}

/** The row that counts writes, made with the customer. */
export function openAccount({ db }: ReadServices, organizationId: string): Statement {
  return db.insert(billingAccounts).values({ organizationId }).onConflictDoNothing();
}

/** Stores an organisation's customer id, unless it has one. */
export function saveCustomer({ db, clock }: Services, organizationId: string, customerId: string): Statement {
  return db
    .update(organizations)
    .set({ stripeCustomerId: customerId, updatedAt: clock.now() })
    .where(and(eq(organizations.id, organizationId), isNull(organizations.stripeCustomerId)));
}

/** The condition that nobody has written since this version was read, which was before the fetch. */
export const accountIsUnchangedSince = ({ db }: ReadServices, organizationId: string, version: number) => ({
  name: "account_changed" as const,
  found: rowIn(db, billingAccounts).where(
    and(eq(billingAccounts.organizationId, organizationId), eq(billingAccounts.version, version)),
  ),
});

/** The condition that the organisation has no customer at the provider yet. */
export const hasNoCustomer = ({ db }: ReadServices, organizationId: string) => ({
  name: "has_customer" as const,
  found: rowIn(db, organizations).where(
    and(eq(organizations.id, organizationId), isNull(organizations.stripeCustomerId)),
  ),
});

/** Stores what was fetched, as the next version. */
export function writeState(
  { db, clock }: Services,
  organizationId: string,
  write: { version: number; syncId: string; state: BillingState; endsTrial: boolean },
): Statement[] {
  const now = clock.now();
  const { state } = write;
  return [
    db
      .update(billingAccounts)
      .set({
        version: write.version,
        syncId: write.syncId,
        syncedAt: now,
        currentPeriodEnd: state.currentPeriodEnd,
        cancelAtPeriodEnd: state.cancelAtPeriodEnd,
        amountDue: state.amountDue,
        cardBrand: state.card?.brand ?? null,
        cardLast4: state.card?.last4 ?? null,
        cardExpMonth: state.card?.expMonth ?? null,
        cardExpYear: state.card?.expYear ?? null,
      })
      .where(eq(billingAccounts.organizationId, organizationId)),
    db
      .update(organizations)
      .set({
        stripeSubscriptionId: state.subscriptionId,
        subscriptionStatus: state.status,
        firstPaidAt: sql`coalesce(${organizations.firstPaidAt}, ${state.firstPaidAt})`,
        updatedAt: now,
        ...(write.endsTrial && { trialEndsAt: now }),
      })
      .where(eq(organizations.id, organizationId)),
  ];
}

/** Stores ledger lines: inserts new ones, updates known ones. One statement, however many. */
export function writeLedger({ db, ids }: Services, organizationId: string, lines: readonly LedgerLine[]): Statement {
  const rows = JSON.stringify(lines.map((line) => ({ id: ids.next(), ...line })));
  const { organizationId: owner, relatedEntityType, relatedEntityId } = billingRecords;
  const taken = (name: string) => sql`excluded.${sql.identifier(name)}`;
  return db
    .insert(billingRecords)
    .select(
      sql`SELECT value ->> 'id', ${organizationId}, value ->> 'type', value ->> 'amount', value ->> 'description', value ->> 'status', value ->> 'relatedEntityType', value ->> 'relatedEntityId', value ->> 'createdAt', value ->> 'paidAt', value ->> 'taxAmount', value ->> 'number' FROM json_each(${rows}) WHERE true`,
    )
    .onConflictDoUpdate({
      target: [owner, relatedEntityType, relatedEntityId],
      set: {
        amount: taken("amount"),
        description: taken("description"),
        status: taken("status"),
        paidAt: taken("paidAt"),
        taxAmount: taken("taxAmount"),
        number: taken("number"),
      },
    });
}

/** Records that an email was queued: repeating the key makes the whole batch fail. */
export function saveNotice({ db, clock }: Services, organizationId: string, key: string): Statement {
  return db.insert(billingNotices).values({ organizationId, key, createdAt: clock.now() });
}
