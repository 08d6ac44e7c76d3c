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
    /** Which payees. */
    choice: text({ mode: "json" }).$type<BulkChoice>().notNull(),
    status: text({ enum: BULK_CHECK_STATUSES }).notNull(),
    /** Key of the last payee that was counted or asked; null: at the beginning of the list. */
    cursor: text(),
    /** Raised by every step. */
    version: integer().notNull().default(1),
    /** Payees that were to be asked when they were counted. */
    payeeCount: integer().notNull().default(0),
    /** Payees that were chosen and cannot be reached. */
    noContactCount: integer().notNull().default(0),
    /** Payees that were chosen and have a check under way or a result that waits. */
    underWayCount: integer().notNull().default(0),
    askedCount: integer().notNull().default(0),
    /** Cents that one check costs, as it was shown. */
    centsPerCheck: integer().notNull(),
    /** The limit of messages was reached: it goes on then. Null: it goes on now. */
    waitsUntil: instant(),
    /** Why it was stopped by itself, in a sentence. */
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

/** A payee that a bulk check has asked. */
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

/** A payee about which a bulk check has its bank asked; what the bank said is in `account_questions`. */
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
