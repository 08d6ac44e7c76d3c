import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { FILE_FORMATS, FILE_STATUSES, LINE_STATUSES } from "~/kernel/enums";
import type { FileProblem } from "~/kernel/file-problem";
import type { PayerDetails } from "~/modules/payments/approval-limits.server";
import type { CsvMapping } from "~/modules/payments/payment-files/csv/columns";
import type { PayingAccount, PaysFrom } from "~/modules/payments/payment-files/payment-file";
import type { FiguresAtClearing } from "~/modules/payments/payment-files/payment-file.server";
import type { TableColumns } from "~/modules/payments/payment-files/read-file";
import type { PaymentReason } from "~/modules/rules/payment-holds";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { payees } from "./payees";
import { paymentRecords } from "./payments";
import { users } from "./users";

/** The file has lines that wait for a decision. The partial index uses this exact SQL. */
export const IS_WAITING = `"heldCount" > 0 AND "status" IN ('open', 'cleared')`;

/** An uploaded payment file, checked before it goes to the bank. */
export const paymentFiles = sqliteTable(
  "payment_files",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** The file name. */
    name: text().notNull(),
    format: text({ enum: FILE_FORMATS }).notNull(),
    status: text({ enum: FILE_STATUSES }).notNull(),
    /** SHA-256 of the uploaded bytes, hex. */
    sha256: text().notNull(),
    /** SHA-256 of every payment without its account: files that differ only in accounts have the same hash. */
    paymentsDigest: text().notNull(),
    byteCount: integer().notNull(),
    /** A direct entry file's header record; null for a table. */
    headerRecord: text(),
    /** Warnings from reading the file. */
    problems: text({ mode: "json" }).$type<FileProblem[]>().notNull(),
    lineCount: integer().notNull(),
    /** Integer cents. */
    totalCents: integer().notNull(),
    /** How many lines have been checked so far. */
    checkedCount: integer().notNull().default(0),
    /** Updated in the same batch by the command that changes a line. */
    heldCount: integer().notNull().default(0),
    heldCents: integer().notNull().default(0),
    authorisedCount: integer().notNull().default(0),
    authorisedCents: integer().notNull().default(0),
    rejectedCount: integer().notNull().default(0),
    /** The number of lines with a payment, and of those that have ended; a trigger updates the second. */
    clearedCount: integer().notNull().default(0),
    settledCount: integer().notNull().default(0),
    uploadedById: text().references(() => users.id),
    /** Incremented by every change. */
    version: integer().notNull().default(1),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    /** How a table was read: its columns, or the account its bills are paid to; null if the content decided. */
    columns: text({ mode: "json" }).$type<TableColumns | null>(),
    /** The totals when it was first cleared; null: not cleared yet. */
    figuresAtClearing: text({ mode: "json" }).$type<FiguresAtClearing | null>(),
    /** The payer that a direct entry file names; null: a table names none. */
    paysFrom: text({ mode: "json" }).$type<PaysFrom | null>(),
  },
  (t) => [
    uniqueIndex("payment_files_org_id").on(t.organizationId, t.id),
    index("payment_files_sha256").on(t.organizationId, t.sha256),
    index("payment_files_payments").on(t.organizationId, t.paymentsDigest),
    index("payment_files_waiting")
      .on(t.organizationId, t.id)
      .where(sql`${sql.raw(IS_WAITING)}`),
    ...known(t),
  ],
);

/** A payment in a file, and its outcome. The table has no row ids: lines are stored in the order of their key. */
export const paymentFileLines = sqliteTable(
  "payment_file_lines",
  {
    organizationId: text().notNull(),
    fileId: text().notNull(),
    /** Line number in the text, from 1. */
    line: integer().notNull(),
    status: text({ enum: LINE_STATUSES }).notNull(),
    accountName: text().notNull(),
    bsb: text().notNull(),
    accountNumber: text().notNull(),
    /** Integer cents. */
    amount: integer().notNull(),
    reference: text().notNull(),
    /** Null: the account is not a payee of the organisation. */
    payeeId: text(),
    /** Every rule that fired, with its evidence. */
    reasons: text({ mode: "json" }).$type<PaymentReason[]>().notNull(),
    /**
     * The rules' input for this line when it was checked again, as JSON, and the rule set. Null: as in
     * `payment_file_facts`, from the first check.
     */
    facts: text(),
    ruleSetId: text(),
    /** Who decided a held line, with their reason and the time. */
    decidedById: text().references(() => users.id),
    decisionReason: text(),
    decidedAt: instant(),
    /** The payment that clearing recorded, and that clearing. */
    paymentId: text(),
    clearingId: text().references(() => paymentFileClearings.id),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.fileId, t.line] }),
    foreignKey({
      columns: [t.organizationId, t.fileId],
      foreignColumns: [paymentFiles.organizationId, paymentFiles.id],
    }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    foreignKey({
      columns: [t.organizationId, t.paymentId],
      foreignColumns: [paymentRecords.organizationId, paymentRecords.id],
    }),
    // Most lines have no payment yet, so indexing them too would add a write for each. There is no other index: queries
    // of a file read its lines by the key, 20,000 at most.
    uniqueIndex("payment_file_lines_payment").on(t.organizationId, t.paymentId).where(sql`"paymentId" IS NOT NULL`),
    ...known(t, { status: "payment_file_lines_status_known" }),
  ],
);

/** The rules' input for a few hundred lines checked together; with the rule set, it is their decision record. */
export const paymentFileFacts = sqliteTable(
  "payment_file_facts",
  {
    organizationId: text().notNull(),
    fileId: text().notNull(),
    /** First and last line, both included. */
    firstLine: integer().notNull(),
    lastLine: integer().notNull(),
    ruleSetId: text().notNull(),
    /** The input of each line, as `writeFactsOfLines` writes it. */
    facts: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.fileId, t.firstLine] }),
    foreignKey({
      columns: [t.organizationId, t.fileId],
      foreignColumns: [paymentFiles.organizationId, paymentFiles.id],
    }),
  ],
);

/** The rules at the time of decisions: their versions, and the organisation's levels. */
export const ruleSets = sqliteTable(
  "rule_sets",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** SHA-256 of the content. */
    id: text().notNull(),
    versions: text({ mode: "json" }).$type<Record<string, number>>().notNull(),
    levels: text({ mode: "json" }).$type<Record<string, "hold" | "warn" | "off">>().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.id] })],
);

/** The rules' input for a single payment; lines of a file store their own. */
export const decisionRecords = sqliteTable(
  "decision_records",
  {
    organizationId: text().notNull(),
    paymentId: text().notNull(),
    /** The rules' input, as JSON. */
    facts: text().notNull(),
    ruleSetId: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.paymentId] }),
    foreignKey({
      columns: [t.organizationId, t.paymentId],
      foreignColumns: [paymentRecords.organizationId, paymentRecords.id],
    }),
  ],
);

/** A cleared file: the bytes that may go to the bank, kept as permanent proof. */
export const paymentFileClearings = sqliteTable(
  "payment_file_clearings",
  {
    id: id(),
    organizationId: text().notNull(),
    fileId: text().notNull(),
    /** SHA-256 of the cleared bytes, hex. */
    sha256: text().notNull(),
    byteCount: integer().notNull(),
    lineCount: integer().notNull(),
    /** Integer cents. */
    totalCents: integer().notNull(),
    clearedById: text().references(() => users.id),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("payment_file_clearings_org_id").on(t.organizationId, t.id),
    foreignKey({
      columns: [t.organizationId, t.fileId],
      foreignColumns: [paymentFiles.organizationId, paymentFiles.id],
    }),
    index("payment_file_clearings_file").on(t.organizationId, t.fileId, t.id),
    index("payment_file_clearings_sha256").on(t.organizationId, t.sha256),
  ],
);

/** The bytes of an uploaded or cleared file, encrypted, in parts that fit a row. */
export const paymentFileBytes = sqliteTable(
  "payment_file_bytes",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** Id of the file or of the clearing. */
    ownerId: text().notNull(),
    part: integer().notNull(),
    sealed: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.ownerId, t.part] })],
);

export const paymentFileSettings = sqliteTable(
  "payment_file_settings",
  {
    organizationId: text()
      .primaryKey()
      .references(() => organizations.id),
    /** Columns of tables, by the signature of their headings. */
    mappings: text({ mode: "json" }).$type<Record<string, CsvMapping>>().notNull().default({}),
    /** The payer for cleared files that are created from a table. Null: not set yet. */
    payer: text({ mode: "json" }).$type<PayerDetails | null>(),
    /** Integer cents that a member and an administrator may approve; null: no limit. */
    memberLimitCents: integer(),
    adminLimitCents: integer(),
    /** Working hours, in minutes after midnight in the organisation's time zone; null: any time. */
    opensAtMinute: integer(),
    closesAtMinute: integer(),
    /** Saturday and Sunday count as working days. */
    worksWeekends: flag().notNull().default(true),
    updatedAt: instant().notNull(),
    /** Payees are notified by email of payments to them. */
    sendsRemittances: flag().notNull().default(false),
    /** Accounts that direct entry files may pay from, besides the payer's. */
    payingAccounts: text({ mode: "json" }).$type<PayingAccount[]>().notNull().default([]),
  },
  (t) =>
    known(t, {
      worksWeekends: "payment_file_settings_weekends",
      sendsRemittances: "payment_file_settings_remittances",
    }),
);

/** Accounts for paying the organisation's staff, as fingerprints only. */
export const staffAccounts = sqliteTable(
  "staff_accounts",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** `keyId:digest`, as on payees. */
    accountFingerprint: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.accountFingerprint] })],
);
