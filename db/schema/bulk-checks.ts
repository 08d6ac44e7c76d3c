import { sql } from "drizzle-orm";
import { foreignKey, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { BULK_CHECK_STATUSES } from "~/kernel/enums";
import type { BulkChoice } from "~/modules/verifying/bulk-checks/bulk-check";
import { id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { payees } from "./payees";
import { users } from "./users";
import { verifications } from "./verifications";

/** Bank checks of many payees that a person chose by filter. */
export const bulkChecks = sqliteTable(
  "bulk_checks",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    requestedById: text()
      .notNull()
      .references(() => users.id),
    /** The filter that chose the payees. */
    choice: text({ mode: "json" }).$type<BulkChoice>().notNull(),
    status: text({ enum: BULK_CHECK_STATUSES }).notNull(),
    /** Key of the last payee that was counted or asked; null: not started. */
    cursor: text(),
    /** Incremented by every step. */
    version: integer().notNull().default(1),
    /** The number of payees to ask, as first counted. */
    payeeCount: integer().notNull().default(0),
    /** Chosen payees without an email address or phone number. */
    noContactCount: integer().notNull().default(0),
    /** Chosen payees that have a check under way or a result to review. */
    underWayCount: integer().notNull().default(0),
    askedCount: integer().notNull().default(0),
    /** Cents per check, as shown to the person. */
    centsPerCheck: integer().notNull(),
    /** When it continues after the message limit was reached; null: now. */
    waitsUntil: instant(),
    /** Why it stopped automatically, in a sentence. */
    problem: text(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    finishedAt: instant(),
  },
  (t) => [
    uniqueIndex("bulk_checks_org_id").on(t.organizationId, t.id),
    uniqueIndex("bulk_checks_one_running").on(t.organizationId).where(sql`"status" = 'running'`),
    ...known(t),
  ],
);

/** A payee whom a bulk check has contacted. */
export const bulkCheckPayees = sqliteTable(
  "bulk_check_payees",
  {
    organizationId: text().notNull(),
    bulkCheckId: text().notNull(),
    /** From 1, in the order in which they were asked. */
    position: integer().notNull(),
    verificationId: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.bulkCheckId, t.position] }),
    foreignKey({
      columns: [t.organizationId, t.bulkCheckId],
      foreignColumns: [bulkChecks.organizationId, bulkChecks.id],
    }),
    foreignKey({
      columns: [t.organizationId, t.verificationId],
      foreignColumns: [verifications.organizationId, verifications.id],
    }),
  ],
);

/** A payee whose bank a bulk check asks; the bank's answer is in `account_questions`. */
export const bulkBankQuestions = sqliteTable(
  "bulk_bank_questions",
  {
    organizationId: text().notNull(),
    bulkCheckId: text().notNull(),
    /** From 1, in the order in which they are asked. */
    position: integer().notNull(),
    payeeId: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.bulkCheckId, t.position] }),
    foreignKey({
      columns: [t.organizationId, t.bulkCheckId],
      foreignColumns: [bulkChecks.organizationId, bulkChecks.id],
    }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
  ],
);
