import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PAYMENT_STATUSES } from "~/kernel/enums";
import type { PaymentReason } from "~/modules/rules/payment-holds";
import { id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { payees } from "./payees";
import { users } from "./users";
import { verifications } from "./verifications";

/** Rules about the account itself (`DECIDED_INDIVIDUALLY` of the rules): if one of them holds, the payment is red. */
const RED_RULES = [
  "payee_disputed",
  "bank_answer",
  "former_account",
  "details_changed",
  "contact_and_bank_changed",
  "known_name_new_account",
];

/** 1: red, or authorised by the rules and held later because of a change to its payee; 2: any other. */
const HELD_RANK = sql.raw(`CASE WHEN instr("reasons", '"level":"hold"') = 0
  ${RED_RULES.map((rule) => `OR instr("reasons", '"rule":"${rule}","level":"hold"') > 0`).join("\n  ")} THEN 1 ELSE 2 END`);

export const paymentRecords = sqliteTable(
  "payment_records",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** Null: the account is not a payee of the organisation. */
    payeeId: text(),
    /** Integer cents, Australian dollars. */
    amount: integer().notNull(),
    description: text(),
    reference: text(),
    verificationId: text(),
    status: text({ enum: PAYMENT_STATUSES }).notNull(),
    processedAt: instant(),
    /** The account as it stood when the payment was recorded. */
    accountName: text().notNull(),
    bsb: text().notNull(),
    accountNumber: text().notNull(),
    /** Every rule that fired, with its evidence. */
    reasons: text({ mode: "json" }).$type<PaymentReason[]>().notNull(),
    /** Why it failed or was returned. */
    failureReason: text(),
    recordedById: text().references(() => users.id),
    /** Incremented by every transition. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    /** The reference in the form in which duplicates are compared (`referenceKey`); null if there is none. */
    referenceKey: text(),
    /** The order in which held payments are decided: by severity, then by amount. A generated column. */
    heldRank: integer().generatedAlwaysAs(HELD_RANK, { mode: "virtual" }),
  },
  (t) => [
    uniqueIndex("payment_records_org_id").on(t.organizationId, t.id),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    foreignKey({
      columns: [t.organizationId, t.verificationId],
      foreignColumns: [verifications.organizationId, verifications.id],
    }),
    index("payment_records_recorded").on(t.organizationId, t.createdAt, t.id),
    index("payment_records_status").on(t.organizationId, t.status, t.id),
    index("payment_records_held")
      .on(t.organizationId, t.heldRank, sql`"amount" DESC`, t.id, t.payeeId)
      .where(sql`"status" = 'held'`),
    index("payment_records_waiting")
      .on(t.organizationId, t.payeeId, t.status, t.amount)
      .where(sql`"status" IN ('held', 'verification_requested')`),
    index("payment_records_payee").on(t.organizationId, t.payeeId, t.id),
    index("payment_records_payee_status").on(t.organizationId, t.payeeId, t.status, t.id),
    index("payment_records_verification").on(t.verificationId).where(sql`"verificationId" IS NOT NULL`),
    index("payment_records_duplicate").on(t.organizationId, t.payeeId, t.amount, t.referenceKey, t.createdAt),
    ...known(t, { status: "payment_records_status_known" }),
  ],
);

/** Each step of a payment's life: who moved it from where to where, and why. */
export const paymentTransitions = sqliteTable(
  "payment_transitions",
  {
    id: id(),
    organizationId: text().notNull(),
    paymentId: text().notNull(),
    /** The payment's version before this step, so that two people cannot both make it. */
    fromVersion: integer().notNull(),
    fromStatus: text({ enum: PAYMENT_STATUSES }).notNull(),
    toStatus: text({ enum: PAYMENT_STATUSES }).notNull(),
    reason: text(),
    /** Null: the system, e.g. after a decision about a verification. */
    userId: text().references(() => users.id),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("payment_transitions_once").on(t.paymentId, t.fromVersion),
    foreignKey({
      columns: [t.organizationId, t.paymentId],
      foreignColumns: [paymentRecords.organizationId, paymentRecords.id],
    }),
    ...known(t, { fromStatus: "payment_transitions_from", toStatus: "payment_transitions_to" }),
  ],
);

/** Payments whose payee still has to be notified by email. The row is deleted when the email is created. */
export const remittancesDue = sqliteTable(
  "remittances_due",
  { organizationId: text().notNull(), paymentId: text().notNull(), payeeId: text().notNull() },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.paymentId] }),
    foreignKey({
      columns: [t.organizationId, t.paymentId],
      foreignColumns: [paymentRecords.organizationId, paymentRecords.id],
    }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    index("remittances_due_payee").on(t.organizationId, t.payeeId),
  ],
);
