import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { BILLING_ATTEMPT_KINDS, BILLING_STATUSES, BILLING_TYPES } from "~/kernel/enums";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";

const organizationId = () =>
  text()
    .notNull()
    .references(() => organizations.id);

/** The ledger: every subscription, invoice, payment and refund at the card provider, once. */
export const billingRecords = sqliteTable(
  "billing_records",
  {
    id: id(),
    organizationId: organizationId(),
    type: text({ enum: BILLING_TYPES }).notNull(),
    /** Integer cents, Australian dollars. */
    amount: integer().notNull(),
    description: text().notNull(),
    status: text({ enum: BILLING_STATUSES }).notNull(),
    relatedEntityType: text(),
    relatedEntityId: text(),
    createdAt: instant().notNull(),
    paidAt: instant(),
    /** GST inside the amount, in cents. */
    taxAmount: integer(),
    /** An invoice's number, as printed. */
    number: text(),
  },
  (t) => [
    index("billing_records_organization").on(t.organizationId, t.id),
    index("billing_records_created").on(t.organizationId, t.type, t.createdAt),
    uniqueIndex("billing_records_once").on(t.organizationId, t.relatedEntityType, t.relatedEntityId),
    ...known(t),
  ],
);

/** The card provider's latest data about an organisation, beside the columns of `organizations`. */
export const billingAccounts = sqliteTable(
  "billing_accounts",
  {
    organizationId: organizationId().primaryKey(),
    /** Incremented by every write, so that older fetched data never overwrites newer data. */
    version: integer().notNull().default(0),
    /** Which fetch wrote last. */
    syncId: text(),
    syncedAt: instant(),
    currentPeriodEnd: instant(),
    cancelAtPeriodEnd: flag().notNull().default(false),
    /** Cents of the open invoice. */
    amountDue: integer(),
    cardBrand: text(),
    cardLast4: text(),
    cardExpMonth: integer(),
    cardExpYear: integer(),
  },
  (t) => known(t, { cancelAtPeriodEnd: "billing_accounts_cancel" }),
);

/** An attempt to make the first payment. At most one is open per organisation, so that nobody can pay twice. */
export const billingAttempts = sqliteTable(
  "billing_attempts",
  {
    /** Also the idempotency key at the provider. */
    id: id(),
    organizationId: organizationId(),
    kind: text({ enum: BILLING_ATTEMPT_KINDS }).notNull(),
    /** The provider's subscription or checkout; null until it answered. */
    providerId: text(),
    createdAt: instant().notNull(),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("billing_attempts_open").on(t.organizationId).where(sql`"endedAt" IS NULL`),
    index("billing_attempts_organization").on(t.organizationId),
    ...known(t),
  ],
);

/** Which emails about money were sent, so that each is sent once. */
export const billingNotices = sqliteTable(
  "billing_notices",
  {
    organizationId: organizationId(),
    /** What it was about, e.g. "payment_failed:in_1:2". */
    key: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.key] })],
);
