import { sql } from "drizzle-orm";
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  ACCOUNT_QUESTION_CAUSES,
  ACCOUNT_QUESTION_ENDS,
  BANK_CHECK_STEPS,
  BANK_QUESTION_CAUSES,
  BANK_QUESTION_ENDS,
  CALL_OUTCOMES,
  CALL_SOURCES,
  CHECK_OUTCOMES,
  MATCH_TYPES,
  NO_PROOF_REASONS,
  NOTIFICATION_CHANNELS,
  VERIFICATION_METHODS,
  VERIFICATION_STATUSES,
} from "~/kernel/enums";
import type { NameDifference } from "~/modules/name-match";
import type { Evidence, Lookalike, ResultData } from "~/modules/payees/verifications/verification";
import { flag, id, instant, known } from "./columns";
import { organizations } from "./organizations";
import { payees } from "./payees";
import { users } from "./users";

/**
 * Positions in the review queue by risk, 1 the most serious. The usual fraud is a changed account of a known payee, so
 * changed details with further warnings come before any other result, the most warnings first. Whatever
 * `findReviewFlags` makes red is at `sameName` or before it.
 */
export const QUEUE_RANKS = {
  disputed: 1,
  changeWithThreeSigns: 2,
  changeWithTwoSigns: 3,
  changeWithOneSign: 4,
  accountClosed: 5,
  otherName: 6,
  lookalikeDomain: 7,
  formerAccount: 8,
  changedTogether: 9,
  numberSlip: 10,
  sameName: 11,
  payeeNameDiffers: 12,
  change: 13,
  close: 14,
  similarName: 15,
  noAnswer: 16,
  notAsked: 17,
  /** The bank confirms the name but does not disclose it, so there is nothing to compare. */
  matchWithoutName: 18,
  match: 19,
} as const;

const OTHER_NAME = `("outcome" = 'no_match' OR "nameMatchScore" < 70)`;
const FORMER_ACCOUNT = `json_array_length("evidence", '$.formerHolders') > 0`;
/** Read from the evidence's JSON text if no other column has it: a generated column cannot search a list. */
const looksLike = (...reasons: Lookalike["reason"][]) =>
  reasons.map((reason) => `instr("evidence", '"reason":"${reason}"') > 0`).join(" OR ");
/** A domain that was registered to deceive counts twice. */
const DECEIVING_DOMAIN = looksLike("email_domain", "former_email_domain");
const NUMBER_SLIP = looksLike("account_number_slip");
const SAME_NAME = looksLike("same_name");
/** A similar name alone is not a sign of fraud, so it is not counted here. */
const LOOKALIKE = `(${[DECEIVING_DOMAIN, NUMBER_SLIP, SAME_NAME].join(" OR ")})`;
const SIMILAR_NAME = looksLike("similar_name");
const NEW_CONTACT = `"contactChangedAt" >= "createdAt" - 2592000000`;
const CLOSE_TOGETHER = `abs("payeeBankChangedAt" - "contactChangedAt") <= 2592000000`;
const CHANGED_TOGETHER = `(${CLOSE_TOGETHER} AND max("payeeBankChangedAt", "contactChangedAt") >= "createdAt" - 2592000000)`;
const PAYEE_NAME = `"payeeNameDiffers" = 1`;

/** The number of warnings in addition to changed details. */
const SIGNS = [
  OTHER_NAME,
  FORMER_ACCOUNT,
  LOOKALIKE,
  DECEIVING_DOMAIN,
  `${NEW_CONTACT} OR ${CLOSE_TOGETHER}`,
  PAYEE_NAME,
]
  .map((sign) => `coalesce((${sign}), 0)`)
  .join(" + ");

const QUEUE_RANK = sql.raw(`CASE
  WHEN "disputedByPayeeAt" IS NOT NULL OR "payeeDisputedAt" IS NOT NULL THEN ${QUEUE_RANKS.disputed}
  WHEN "isOfChange" = 1 AND ${SIGNS} > 0 THEN max(${QUEUE_RANKS.changeWithThreeSigns}, ${QUEUE_RANKS.accountClosed} - (${SIGNS}))
  WHEN "outcome" = 'account_closed' THEN ${QUEUE_RANKS.accountClosed}
  WHEN ${OTHER_NAME} THEN ${QUEUE_RANKS.otherName}
  WHEN ${DECEIVING_DOMAIN} THEN ${QUEUE_RANKS.lookalikeDomain}
  WHEN ${FORMER_ACCOUNT} THEN ${QUEUE_RANKS.formerAccount}
  WHEN ${CHANGED_TOGETHER} THEN ${QUEUE_RANKS.changedTogether}
  WHEN ${NUMBER_SLIP} THEN ${QUEUE_RANKS.numberSlip}
  WHEN ${SAME_NAME} THEN ${QUEUE_RANKS.sameName}
  WHEN ${PAYEE_NAME} THEN ${QUEUE_RANKS.payeeNameDiffers}
  WHEN "isOfChange" = 1 THEN ${QUEUE_RANKS.change}
  WHEN "nameMatchScore" < 95 OR json_extract("resultData", '$.institutionDiffers') = 1 THEN ${QUEUE_RANKS.close}
  WHEN ${SIMILAR_NAME} THEN ${QUEUE_RANKS.similarName}
  WHEN "outcome" = 'unable' THEN ${QUEUE_RANKS.noAnswer}
  WHEN "outcome" = 'match' AND "nameMatchScore" IS NULL THEN ${QUEUE_RANKS.matchWithoutName}
  WHEN "nameMatchScore" IS NULL THEN ${QUEUE_RANKS.notAsked}
  ELSE ${QUEUE_RANKS.match} END`);

export const verifications = sqliteTable(
  "verifications",
  {
    id: id(),
    organizationId: text().notNull(),
    payeeId: text().notNull(),
    /** Null: the system opened it. */
    requestedById: text().references(() => users.id),
    status: text({ enum: VERIFICATION_STATUSES }).notNull().default("pending"),
    method: text({ enum: VERIFICATION_METHODS }).notNull(),
    /** The submitted details that are being verified: a later edit of the payee does not change them. */
    accountName: text().notNull(),
    bsb: text().notNull(),
    accountNumber: text().notNull(),
    /** The account that the bank or another source confirmed, masked if we may not store it. */
    resultData: text({ mode: "json" }).$type<ResultData>(),
    verifiedName: text(),
    nameMatch: flag(),
    /** Null while there is nothing to compare. */
    nameMatchScore: integer(),
    matchType: text({ enum: MATCH_TYPES }).notNull().default("none"),
    nameDifferences: text({ mode: "json" }).$type<NameDifference[]>(),
    outcome: text({ enum: CHECK_OUTCOMES }),
    /** The reason as a code, e.g. "name_withheld"; see modules/payees/verifications/outcomes.ts. */
    reasonCode: text(),
    /** What was known when it opened: institution, invitation, look-alikes. */
    evidence: text({ mode: "json" }).$type<Evidence>(),
    approved: flag(),
    approvedAt: instant(),
    rejectedReason: text(),
    /** Cents charged by the provider. */
    cost: integer(),
    /** Until when the payee's links work: all that were sent, until the newest one expires. */
    verificationTokenExpiresAt: instant(),
    verificationChannel: text({ enum: NOTIFICATION_CHANNELS }),
    notificationSent: flag().notNull().default(false),
    notificationSentAt: instant(),
    verifiedByPayee: flag().notNull().default(false),
    verifiedByPayeeAt: instant(),
    disputedByPayeeAt: instant(),
    disputeNote: text(),
    createdAt: instant().notNull(),
    completedAt: instant(),
    /** Opened by a change of the payee's bank details. */
    isOfChange: flag().notNull().default(false),
    /** The person assigned to decide it; null: anybody. */
    assignedToId: text().references(() => users.id),
    /** When the payee's email or phone last changed, until this was closed. Triggers update it and the next two. */
    contactChangedAt: instant(),
    /** When the payee's bank details last changed; null: never. */
    payeeBankChangedAt: instant(),
    /** When the payee said "These are not my details", of these or earlier ones; null once it was decided. */
    payeeDisputedAt: instant(),
    /** The account name differs from the payee's name (`payeeNameDiffers` of the review flags). */
    payeeNameDiffers: flag().notNull().default(false),
    /** Its place in the review queue by risk, 1 the most serious. A generated column; words: `headlineOf`. */
    queueRank: integer().generatedAlwaysAs(QUEUE_RANK, { mode: "virtual" }),
    /** While it is pending: the payee's `waitingCents`, for the order of the queue. Triggers copy it. */
    waitingCents: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("verifications_org_id").on(t.organizationId, t.id),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    uniqueIndex("verifications_one_pending").on(t.payeeId).where(sql`"status" = 'pending'`),
    index("verifications_queue").on(t.organizationId, t.status, t.id),
    index("verifications_queue_match").on(t.organizationId, t.status, t.matchType, t.id),
    index("verifications_queue_rank").on(t.organizationId, t.status, t.queueRank, t.id),
    index("verifications_assigned")
      .on(t.organizationId, t.status, t.assignedToId, t.queueRank, t.id)
      .where(sql`"assignedToId" IS NOT NULL`),
    index("verifications_queue_match_rank").on(t.organizationId, t.status, t.matchType, t.queueRank, t.id),
    index("verifications_danger")
      .on(t.organizationId, t.queueRank, sql`"waitingCents" DESC`, t.id)
      .where(sql`"status" = 'pending'`),
    index("verifications_answered")
      .on(t.organizationId, t.id)
      .where(sql`"status" = 'pending' AND "outcome" IS NOT NULL`),
    index("verifications_payee").on(t.organizationId, t.payeeId, t.id),
    ...known(t, {
      nameMatch: null,
      approved: null,
      verificationChannel: "verifications_channel",
      notificationSent: "verifications_sent",
      verifiedByPayee: "verifications_by_payee",
      isOfChange: null,
      payeeNameDiffers: null,
    }),
  ],
);

/**
 * An automatic question to the payee's bank (Confirmation of Payee), because of the organisation's policy: at most one
 * per verification, written with it.
 */
export const bankQuestions = sqliteTable(
  "bank_questions",
  {
    verificationId: text().primaryKey(),
    organizationId: text().notNull(),
    cause: text({ enum: BANK_QUESTION_CAUSES }).notNull(),
    createdAt: instant().notNull(),
    /** When the bank was asked. Set before asking, so that it is not asked twice. */
    askedAt: instant(),
    settledAt: instant(),
    ended: text({ enum: BANK_QUESTION_ENDS }),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.verificationId],
      foreignColumns: [verifications.organizationId, verifications.id],
    }),
    index("bank_questions_waiting").on(t.organizationId, t.createdAt).where(sql`"settledAt" IS NULL`),
    ...known(t),
  ],
);

/**
 * The question to banks about an account under a name (Confirmation of Payee), and the last answer: at most one open
 * question at a time per organisation and account. The table has no row ids: it is found by its key.
 */
export const accountQuestions = sqliteTable(
  "account_questions",
  {
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    bsb: text().notNull(),
    accountNumber: text().notNull(),
    accountName: text().notNull(),
    /** Why the last question was asked automatically; null: a person or a verification asked. */
    cause: text({ enum: ACCOUNT_QUESTION_CAUSES }),
    wantedAt: instant().notNull(),
    /** When the bank was asked. Set before asking, so that it is not asked twice. */
    askedAt: instant(),
    /** Null: the question waits, or is on its way. */
    endedAt: instant(),
    ended: text({ enum: ACCOUNT_QUESTION_ENDS }),
    /** Why it ended without an answer, as a code. */
    problem: text(),
    /** The last answer about the account; it stays if a later question has none. */
    answeredAt: instant(),
    outcome: text({ enum: CHECK_OUTCOMES }),
    reasonCode: text(),
    resultData: text({ mode: "json" }).$type<ResultData>(),
    /** The verification that holds the answer; null: none does. */
    verificationId: text(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.bsb, t.accountNumber, t.accountName] }),
    index("account_questions_waiting").on(t.organizationId, t.wantedAt).where(sql`"endedAt" IS NULL`),
    ...known(t),
  ],
);

/** Earlier answers, which are also in `account_questions`. Nothing reads or writes this table any more. */
export const bankConfirmations = sqliteTable(
  "bank_confirmations",
  {
    organizationId: text().notNull(),
    payeeId: text().notNull(),
    askedAt: instant().notNull(),
    outcome: text({ enum: CHECK_OUTCOMES }),
    answeredAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.payeeId] }),
    foreignKey({ columns: [t.organizationId, t.payeeId], foreignColumns: [payees.organizationId, payees.id] }),
    ...known(t),
  ],
);

/** How a verification ended, and who ended it. Unique, so that if two people decide at once, exactly one succeeds. */
export const decisions = sqliteTable(
  "decisions",
  {
    id: id(),
    organizationId: text().notNull(),
    verificationId: text().notNull(),
    status: text({ enum: VERIFICATION_STATUSES }).notNull(),
    /** Null: the system, by rule. */
    decidedById: text().references(() => users.id),
    reason: text(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("decisions_verification").on(t.verificationId),
    foreignKey({
      columns: [t.organizationId, t.verificationId],
      foreignColumns: [verifications.organizationId, verifications.id],
    }),
    ...known(t),
  ],
);

/** A link that a payee was sent. A newer one does not end it. */
export const payeeLinks = sqliteTable(
  "payee_links",
  {
    /** SHA-256 of the link's token. */
    tokenHash: text().primaryKey(),
    organizationId: text().notNull(),
    verificationId: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.verificationId],
      foreignColumns: [verifications.organizationId, verifications.id],
    }),
    index("payee_links_verification").on(t.organizationId, t.verificationId),
  ],
);

/** A check through the bank-data provider. At most one per verification is unfinished. */
export const bankChecks = sqliteTable(
  "bank_checks",
  {
    id: id(),
    organizationId: text().notNull(),
    verificationId: text().notNull(),
    startedById: text().references(() => users.id),
    step: text({ enum: BANK_CHECK_STEPS }).notNull().default("starting"),
    providerUserId: text(),
    /** SHA-256 of the `state` that travels to the bank's consent pages and back. */
    stateHash: text(),
    /** When the payee came back from the bank; the provider's job is expected to end soon after. */
    returnedAt: instant(),
    outcome: text({ enum: CHECK_OUTCOMES }),
    reasonCode: text(),
    startedAt: instant().notNull(),
    finishedAt: instant(),
    /** When the provider stopped answering; null: it answered the last time. */
    silentSince: instant(),
    /** For how long it was silent in earlier outages since the payee's return. */
    silentMs: integer().notNull().default(0),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.verificationId],
      foreignColumns: [verifications.organizationId, verifications.id],
    }),
    uniqueIndex("bank_checks_one_running").on(t.verificationId).where(sql`"finishedAt" IS NULL`),
    index("bank_checks_verification").on(t.verificationId, t.id),
    uniqueIndex("bank_checks_provider_user").on(t.providerUserId).where(sql`"providerUserId" IS NOT NULL`),
    uniqueIndex("bank_checks_state").on(t.stateHash).where(sql`"stateHash" IS NOT NULL`),
    ...known(t),
  ],
);

/**
 * Every user that we create at the bank-data provider, stored before the request. The provider has no list of users:
 * these rows say who may still exist there after a lost answer or a crash.
 */
export const providerUsers = sqliteTable(
  "provider_users",
  {
    id: id(),
    /** The check that the user was for; after a crash there may be none. */
    checkId: text().notNull(),
    /** Null until the provider has answered. */
    providerUserId: text(),
    requestedAt: instant().notNull(),
    /** When nothing about the user was left at the provider; null: something may be left. */
    goneAt: instant(),
  },
  (t) => [
    index("provider_users_user").on(t.providerUserId).where(sql`"providerUserId" IS NOT NULL`),
    index("provider_users_left").on(t.requestedAt).where(sql`"goneAt" IS NULL`),
  ],
);

/** A call to the payee about a verification: evidence that cannot be changed. */
export const verificationCalls = sqliteTable(
  "verification_calls",
  {
    id: id(),
    organizationId: text().notNull(),
    verificationId: text().notNull(),
    calledById: text()
      .notNull()
      .references(() => users.id),
    /** E.164. */
    number: text().notNull(),
    source: text({ enum: CALL_SOURCES }).notNull(),
    spokeTo: text(),
    outcome: text({ enum: CALL_OUTCOMES }).notNull(),
    note: text(),
    /** Why the number is not proof, as judged when the call was recorded; null: it counts. */
    noProof: text({ enum: NO_PROOF_REASONS }),
    createdAt: instant().notNull(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.verificationId],
      foreignColumns: [verifications.organizationId, verifications.id],
    }),
    index("verification_calls_verification").on(t.organizationId, t.verificationId, t.id),
    ...known(t),
  ],
);

/** A view of the review queue that a person saved under a name. */
export const savedViews = sqliteTable(
  "saved_views",
  {
    id: id(),
    organizationId: text()
      .notNull()
      .references(() => organizations.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    name: text().notNull(),
    /** The query string of its address; empty: no filter. */
    query: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [uniqueIndex("saved_views_name").on(t.organizationId, t.userId, t.name)],
);
