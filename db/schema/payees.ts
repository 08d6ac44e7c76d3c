import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  HEALTH_KINDS,
  HEALTH_STATUSES,
  type HealthKind,
  NOTIFICATION_CHANNELS,
  PAYEE_REQUEST_STATUSES,
} from "~/kernel/enums";
import type { DetailsOrigin, FormerTrust } from "~/kernel/payee";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { users } from "./users";

export const payees = sqliteTable(
  "payees",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    accountName: text().notNull(),
    /** 6 digits. */
    bsb: text().notNull(),
    /** 4 to 9 digits, leading zeros kept. */
    accountNumber: text().notNull(),
    abn: text(),
    email: text(),
    /** E.164. */
    phone: text(),
    address: text(),
    paymentCount: integer().notNull().default(0),
    lastPaymentDate: instant(),
    whitelisted: flag().notNull().default(false),
    whitelistedAt: instant(),
    whitelistedById: text().references(() => users.id),
    whitelistedReason: text(),
    whitelistGlobal: flag().notNull().default(false),
    /** Keyed HMAC over BSB, padded account number and normalised account name; `keyId:digest`. */
    hash: text().notNull(),
    /** Keyed HMAC over BSB and padded account number only, to find the same account on other payees. `keyId:digest`. */
    accountFingerprint: text().notNull(),
    /** Incremented by every edit; an edit names the version that it is based on. */
    version: integer().notNull().default(1),
    createdById: text().references(() => users.id),
    /** When BSB, account number or account name last changed; null: never since creation. */
    bankDetailsChangedAt: instant(),
    /** Who changed them, because the editor may not approve if a second person is required. */
    bankDetailsChangedById: text().references(() => users.id),
    /** When email or phone last changed; null: never since creation. */
    contactChangedAt: instant(),
    /** When the payee said "These are not my details"; cleared by the next decision. */
    disputedAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    /** When a person removed it from the whitelist; cleared when trusted again. Older approvals do not count. */
    takenOffWhitelistAt: instant(),
    /** When a person archived it: lists omit it, but its account is still found. Null: in use. */
    archivedAt: instant(),
    /** Its search words, as in `payee_terms`: a search starts there and checks further words here. */
    terms: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** The payee's trust before its bank details changed, until a person decides about the new ones. */
    formerTrust: text({ mode: "json" }).$type<FormerTrust>(),
    /** When the payee sent its own details: a draft until a person accepts it. Null: from a person or a file. */
    draftSince: instant(),
    /** The fields' sources in accounting systems, oldest first; null: people here entered all of its accounts. */
    accountingOrigins: text({ mode: "json" }).$type<DetailsOrigin[]>(),
    /** When it was last renamed, which ends its trust like changed bank details; null: never. */
    renamedAt: instant(),
    /** Cents of its payments that wait for a decision. Triggers keep it up to date. */
    waitingCents: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("payees_org_id").on(t.organizationId, t.id),
    uniqueIndex("payees_once").on(t.organizationId, t.bsb, t.accountNumber),
    uniqueIndex("payees_account_once").on(t.organizationId, t.accountFingerprint),
    index("payees_bsb").on(t.bsb, t.organizationId).where(sql`"archivedAt" IS NULL`),
    index("payees_vouching").on(t.accountFingerprint).where(sql`"whitelistGlobal" = 1`),
    index("payees_whitelisted").on(t.organizationId, t.whitelisted, t.id),
    index("payees_disputed").on(t.organizationId, t.id).where(sql`"disputedAt" IS NOT NULL`),
    index("payees_paid")
      .on(t.organizationId, t.paymentCount, t.id)
      .where(sql`"whitelisted" = 0 AND "paymentCount" > 0`),
    index("payees_archived").on(t.organizationId, t.id).where(sql`"archivedAt" IS NOT NULL`),
    index("payees_promotable").on(t.id).where(sql`"whitelisted" = 0 AND "paymentCount" >= 3`),
    ...known(t, { whitelisted: "payees_whitelisted_flag", whitelistGlobal: "payees_global_flag" }),
  ],
);

export const payeeChanges = sqliteTable(
  "payee_changes",
  {
    id: id(),
    organizationId: text().notNull(),
    payeeId: text().notNull(),
    /** Null: the system, e.g. promotion after successful payments. */
    userId: text().references(() => users.id),
    field: text().notNull(),
    oldValue: text(),
    newValue: text(),
    createdAt: instant().notNull(),
  },
  (t) => [
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    index("payee_changes_payee").on(t.organizationId, t.payeeId, t.id),
    index("payee_changes_former").on(t.organizationId, t.oldValue).where(sql`"field" = 'accountNumber'`),
  ],
);

/** Payees that may now qualify for promotion: triggers add them, the schedule removes them. */
export const promotionDue = sqliteTable("promotion_due", {
  payeeId: text().primaryKey(),
  organizationId: text().notNull(),
});

/** The search index: words of a payee's name, BSB and account digits. Read by prefix range. */
export const payeeTerms = sqliteTable(
  "payee_terms",
  { organizationId: text().notNull(), term: text().notNull(), payeeId: text().notNull() },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.term, t.payeeId] }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
  ],
);

/**
 * Suffixes of the words in an organisation's payee names, each word once however many payees have it. A search for the
 * middle of a word finds the whole words here, and their payees in `payee_terms`.
 */
export const payeeWordParts = sqliteTable(
  "payee_word_parts",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    /** The word without its first characters: an even number of them. */
    part: text().notNull(),
    word: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.part, t.word] })],
);

/** A request to a new supplier for its bank details, by a link. */
export const payeeRequests = sqliteTable(
  "payee_requests",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    requestedById: text()
      .notNull()
      .references(() => users.id),
    /** The organisation's name for the payee. */
    name: text().notNull(),
    email: text(),
    /** E.164. */
    phone: text(),
    /** The subject of the request, shown on the payee's page. */
    note: text(),
    status: text({ enum: PAYEE_REQUEST_STATUSES }).notNull().default("open"),
    /** How the newest link was sent. */
    channel: text({ enum: NOTIFICATION_CHANNELS }).notNull(),
    /** SHA-256 of the newest link's token. */
    tokenHash: text().notNull(),
    sentAt: instant().notNull(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
    /** When it was answered or cancelled. */
    closedAt: instant(),
    /** The draft that the answer created, or the existing payee with the same account. */
    payeeId: text(),
    /** The draft's verification. */
    verificationId: text(),
    /** The account belonged to an existing payee, so the answer created no draft. */
    isDuplicate: flag().notNull().default(false),
  },
  (t) => [
    uniqueIndex("payee_requests_org_id").on(t.organizationId, t.id),
    uniqueIndex("payee_requests_token").on(t.tokenHash),
    index("payee_requests_open").on(t.organizationId, t.id).where(sql`"status" = 'open'`),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    ...known(t, { isDuplicate: "payee_requests_duplicate" }),
  ],
);

/** An analysis of an organisation's payee list. */
export const healthRuns = sqliteTable(
  "health_runs",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    status: text({ enum: HEALTH_STATUSES }).notNull(),
    /** Id of the last payee that was analysed. */
    cursor: text().notNull().default(""),
    payeeCount: integer().notNull().default(0),
    /** The sum of all payees' scores, 0 to 100 each. */
    pointsSum: integer().notNull().default(0),
    /** For each kind of finding: the number of payees, and integer cents paid to them in the last year. */
    totals: text({ mode: "json" }).$type<Partial<Record<HealthKind, { count: number; cents: number }>>>().notNull(),
    startedAt: instant().notNull(),
    finishedAt: instant(),
  },
  (t) => [
    uniqueIndex("health_runs_org_id").on(t.organizationId, t.id),
    uniqueIndex("health_runs_one_running").on(t.organizationId).where(sql`"status" = 'running'`),
    ...known(t),
  ],
);

/** The findings of a run about one payee. */
export const payeeFindings = sqliteTable(
  "payee_findings",
  {
    organizationId: text().notNull(),
    runId: text().notNull(),
    kind: text({ enum: HEALTH_KINDS }).notNull(),
    payeeId: text().notNull(),
    detail: text().notNull(),
    /** Integer cents, successful payments of the last year. */
    paidCents: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.runId, t.kind, t.payeeId] }),
    foreignKey({ columns: [t.organizationId, t.runId], foreignColumns: [healthRuns.organizationId, healthRuns.id] }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    index("payee_findings_order").on(t.organizationId, t.runId, t.kind, t.paidCents, t.payeeId),
    ...known(t),
  ],
);
