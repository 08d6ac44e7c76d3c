import { sql } from "drizzle-orm";
import { foreignKey, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  INVOICE_DECISIONS,
  INVOICE_KINDS,
  INVOICE_SOURCES,
  INVOICE_STATUSES,
  INVOICE_VERDICTS,
  MAIL_AUTHENTICATIONS,
} from "~/kernel/enums";
import type { StoredReading } from "~/modules/payments/invoices/reading";
import type { Finding, InvoiceRuleSet } from "~/modules/rules/invoices";
import type { PayeeBy } from "~/modules/rules/invoices/facts";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { payees } from "./payees";
import { users } from "./users";

/** The invoice has an undecided finding that stops it. The partial index uses this exact SQL. */
export const IS_OPEN_STOP = `"isStopped" = 1 AND "decision" IS NULL`;

/** An uploaded or emailed invoice and its findings. Its bytes are in `payment_file_bytes`, encrypted. */
export const invoices = sqliteTable(
  "invoices",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    status: text({ enum: INVOICE_STATUSES }).notNull(),
    /** "api" also for an email to the organisation's own address, which `mailAuthentication` distinguishes. */
    source: text({ enum: INVOICE_SOURCES }).notNull(),
    fileName: text().notNull(),
    /** The sender's file name; the kind is determined from the bytes. */
    contentType: text().notNull(),
    /** SHA-256 of the bytes, hex. */
    sha256: text().notNull(),
    byteCount: integer().notNull(),
    receivedAt: instant().notNull(),
    receivedById: text().references(() => users.id),
    /** For an email, the From address in its header, which is not verified. Null: not an email. */
    fromAddress: text(),
    kind: text({ enum: INVOICE_KINDS }),
    /** The reader's code for why it could not be read. */
    unreadableReason: text(),
    /** Null while it is being read, and if nothing could be read. */
    read: text({ mode: "json" }).$type<StoredReading | null>(),
    /** The rules' input, as JSON, and the rule set: the decision record. Null while it is being read. */
    facts: text(),
    ruleSet: text({ mode: "json" }).$type<InvoiceRuleSet | null>(),
    findings: text({ mode: "json" }).$type<Finding[]>().notNull().default([]),
    verdict: text({ enum: INVOICE_VERDICTS }),
    /** One of its findings stops it. */
    isStopped: flag().notNull().default(false),
    payeeId: text(),
    payeeBy: text({ enum: ["account", "abn", "email", "name"] }).$type<PayeeBy | null>(),
    supplierName: text(),
    invoiceNumber: text(),
    /** In the form in which references are compared (`referenceKey`). */
    numberKey: text(),
    /** Integer cents; null: no total was read, or it is in another currency. */
    totalCents: integer(),
    /** ISO date without time. */
    dueDate: text(),
    decision: text({ enum: INVOICE_DECISIONS }),
    decisionReason: text(),
    decidedById: text().references(() => users.id),
    decidedAt: instant(),
    /** The payee that was added from its details, to be verified. */
    addedPayeeId: text(),
    /** When its bytes were deleted, at the end of the organisation's retention period. */
    bytesRemovedAt: instant(),
    /** Incremented by every change. */
    version: integer().notNull().default(1),
    updatedAt: instant().notNull(),
    /** For an email to the organisation's address, the platform's authentication result. Null: not emailed. */
    mailAuthentication: text({ enum: MAIL_AUTHENTICATIONS }),
    /** SHA-256 of such a message without the headers that servers add, hex, so that it is accepted once. */
    mailDigest: text(),
    /** The recipient of the verdict. Null: nobody. */
    mailReplyTo: text(),
    /** The platform confirmed that it was sent by one of the organisation's people, or from an address on its list. */
    mailIsKnown: flag().notNull().default(false),
  },
  (t) => [
    uniqueIndex("invoices_org_id").on(t.organizationId, t.id),
    uniqueIndex("invoices_once").on(t.organizationId, t.sha256),
    index("invoices_number").on(t.organizationId, t.numberKey).where(sql`"numberKey" IS NOT NULL`),
    index("invoices_payee").on(t.organizationId, t.payeeId, t.id).where(sql`"payeeId" IS NOT NULL`),
    index("invoices_stopped")
      .on(t.organizationId, t.id)
      .where(sql`${sql.raw(IS_OPEN_STOP)}`),
    uniqueIndex("invoices_mail_once").on(t.organizationId, t.mailDigest).where(sql`"mailDigest" IS NOT NULL`),
    index("invoices_mailed").on(t.organizationId, t.receivedAt).where(sql`"mailAuthentication" IS NOT NULL`),
    index("invoices_kept").on(t.organizationId, t.receivedAt).where(sql`"bytesRemovedAt" IS NULL`),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    // A column that is added later has its check beside it, without a name.
    ...known(t, { isStopped: "invoices_stopped_flag", mailAuthentication: null, mailIsKnown: null }),
  ],
);

/** An organisation's settings for invoices. */
export const invoiceSettings = sqliteTable(
  "invoice_settings",
  {
    organizationId: text()
      .primaryKey()
      .references(() => organizations.id),
    /** How long the bytes of an invoice are kept. */
    keptMonths: integer().notNull().default(18),
    version: integer().notNull().default(1),
    updatedAt: instant().notNull(),
    /** The local part of its address for invoices, 128 random bits. Null: it receives no invoices by email. */
    mailKey: text(),
    /** Further addresses that are sent the verdict. Lower case. */
    mailSenders: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  },
  (t) => [uniqueIndex("invoice_settings_mail_key").on(t.mailKey).where(sql`"mailKey" IS NOT NULL`)],
);
