import { type SQL, sql } from "drizzle-orm";
import { accountKey, maskAccountNumber } from "~/kernel/account-number";
import { DAY_MS } from "~/kernel/dates";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import { inParts } from "~/kernel/in-parts";
import type { BankDetails, DetailsOrigin } from "~/kernel/payee";
import { spellingsOf } from "~/modules/core/payee-fingerprint";
import { hasUnknownEditor, originOf } from "~/modules/payees/second-person";
import type { PayeeFacts } from "~/modules/rules/facts";
import { RECENT_PAYMENTS } from "~/modules/rules/unusual-amount";
import type { ReadServices } from "~/services";
import { AGAINST } from "./account-history";
import { openAccountingChange } from "./accounting-change";
import { wasPaid } from "./first-payment.server";
import type { KnownPayee, Recipient } from "./known-payee";
import { type Returned, stillReturned } from "./returned-payment";

type Account = { bsb: string; accountNumber: string };

/** The payees of payments, by the place of each in the list that asked; and every payee that was found. */
export type KnownPayees = { at: (place: number) => KnownPayee | undefined; all: KnownPayee[] };

/** An id or an account as the database is asked for it, and the place of its recipient among the distinct ones. */
type Asked = { text: string; place: number };

/** Their values travel as one text: a few hundred bytes each, and the longest has less than 4 KB. */
const PAYEES_PER_STATEMENT = 500;

/** Of so few accounts every spelling is asked for at once: one wait less, a few rows more. */
const FEW_ACCOUNTS = 4;

/** A payee as it travels: the values without their names. */
type Row = [
  id: string,
  accountName: string,
  bsb: string,
  accountNumber: string,
  version: number,
  whitelisted: number,
  paymentCount: number,
  lastPaymentDate: number | null,
  largestRecentAmount: number | null,
  email: string | null,
  abn: string | null,
  newestId: string | null,
  newestStatus: VerificationStatus,
  newestCreatedAt: number,
  newestCompletedAt: number | null,
  newestOutcome: CheckOutcome | null,
  /** Of the newest verification, where they are not the payee's of today. */
  newestDetails: BankDetails | null,
  /** The newest decided verification where the newest is not decided. */
  decidedBefore: StoredVerification | null,
  newestReturned: Returned | null,
  accountingChange: StoredChange | null,
  origin: StoredOrigin | null,
  further: Further | null,
  /** 1: a bank's answer about one of its verifications spoke against the account. */
  hasAnswerAgainst: number,
  /** Place in the list that was asked for. */
  asked: number,
];
const HAS_ANSWER_AGAINST = 22;
const ASKED = 23;

/** What few payees have. */
type Further = [
  name: string,
  disputedAt: number | null,
  bankDetailsChangedAt: number | null,
  renamedAt: number | null,
  takenOffWhitelistAt: number | null,
  contactChangedAt: number | null,
  draftSince: number | null,
  archivedAt: number | null,
  formerBsbs: string[],
  editsInLastDay: number,
];

const columnsOf = (table: string, names: readonly string[]) =>
  sql.raw(names.map((name) => `"${table}"."${name}"`).join(", "));

const DETAILS = ["accountName", "bsb", "accountNumber"];
const OF_PAYEE = ["id", ...DETAILS, "version", "whitelisted", "paymentCount", "lastPaymentDate"];
const INSTANTS = [
  "disputedAt",
  "bankDetailsChangedAt",
  "renamedAt",
  "takenOffWhitelistAt",
  "contactChangedAt",
  "draftSince",
  "archivedAt",
];
const OF_VERIFICATION = ["id", "status", "createdAt", "completedAt"];

const newestVerification = (what: SQL, which = "") => sql`(SELECT ${what} FROM "verifications" AS "decided"
  WHERE "decided"."organizationId" = "payee"."organizationId" AND "decided"."payeeId" = "payee"."id" ${sql.raw(which)}
  ORDER BY "decided"."id" DESC LIMIT 1)`;

const newest = sql`LEFT JOIN "verifications" AS "newest" ON "newest"."organizationId" = "payee"."organizationId"
  AND "newest"."id" = ${newestVerification(sql`"decided"."id"`)}`;

/** Its account only where it is not the payee's of today, because the rows of many payees travel. */
const newestDetails = sql`CASE WHEN "newest"."accountName" = "payee"."accountName" AND "newest"."bsb" = "payee"."bsb"
    AND "newest"."accountNumber" = "payee"."accountNumber" OR "newest"."id" IS NULL THEN NULL
  ELSE json_object('accountName', "newest"."accountName", 'bsb', "newest"."bsb", 'accountNumber', "newest"."accountNumber") END`;

const decidedBefore = sql`CASE WHEN "newest"."status" IN ('verified', 'rejected') OR "newest"."id" IS NULL THEN NULL
  ELSE ${newestVerification(sql`json_array(${columnsOf("decided", [...OF_VERIFICATION, ...DETAILS])})`, `AND "decided"."status" IN ('verified', 'rejected')`)} END`;

const largestRecentAmount = sql`(SELECT max("amount") FROM (SELECT "amount" FROM "payment_records" AS "paid"
    WHERE "paid"."organizationId" = "payee"."organizationId" AND "paid"."payeeId" = "payee"."id"
      AND "paid"."status" = 'successful'
    ORDER BY "paid"."id" DESC LIMIT ${sql.raw(String(RECENT_PAYMENTS))}) AS "walk")`;

const newestReturned = sql`(SELECT json_object('id', "id", 'returnedAt', coalesce("processedAt", "updatedAt"), 'reason', "failureReason")
  FROM "payment_records" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
    AND "status" = 'failed' ORDER BY "id" DESC LIMIT 1)`;

const formerBsbs = sql`CASE WHEN "payee"."bankDetailsChangedAt" IS NULL THEN '[]' ELSE (SELECT json_group_array(DISTINCT "oldValue")
  FROM "payee_changes" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
    AND "field" = 'bsb' AND "oldValue" IS NOT NULL) END`;

const editsSince = (instant: number) => sql`(SELECT count(DISTINCT "createdAt") FROM "payee_changes"
  WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id" AND "createdAt" > ${instant})`;

/** A `Further`, where a payee was edited in the last day or has anything else of it. Most have nothing. */
const furtherSince = (
  dayAgo: number,
) => sql`CASE WHEN "payee"."name" = "payee"."accountName" AND "payee"."updatedAt" <= ${dayAgo}
    AND ${sql.raw(INSTANTS.map((name) => `"payee"."${name}" IS NULL`).join(" AND "))} THEN NULL
  ELSE json_array("payee"."name", ${columnsOf("payee", INSTANTS)}, json(${formerBsbs}), ${editsSince(dayAgo)}) END`;

const accountingChange = openAccountingChange(
  sql`json_array("system", "noticedAt", "editedBy", "seenBsb", "seenAccountNumber")`,
);

/** Of a payee whose account came in from an accounting system: where from, by whose decision it is trusted, and whether it was paid. */
type StoredOrigin = [
  origins: DetailsOrigin[],
  whitelistedById: string | null,
  /** Who decided the newest verification. */
  decidedById: string | null,
  isPaid: number,
];

const origin = sql`CASE WHEN "payee"."accountingOrigins" IS NULL THEN NULL ELSE json_array(
  json("payee"."accountingOrigins"), "payee"."whitelistedById",
  (SELECT "decidedById" FROM "decisions" WHERE "organizationId" = "payee"."organizationId"
    AND "verificationId" = "newest"."id"),
  ${wasPaid}) END`;

type StoredChange = [
  system: string,
  noticedAt: number,
  editedBy: string | null,
  bsb: string | null,
  accountNumber: string | null,
];

type StoredVerification = [
  id: string,
  status: VerificationStatus,
  createdAt: number,
  completedAt: number | null,
  accountName: string,
  bsb: string,
  accountNumber: string,
];

const hasAnswerAgainst = sql`CASE WHEN "newest"."outcome" = 'match' AND "newest"."status" = 'verified' THEN 0
  ELSE EXISTS (SELECT 1 FROM "verifications" AS "asked" WHERE "asked"."organizationId" = "payee"."organizationId"
    AND "asked"."payeeId" = "payee"."id" AND "asked"."outcome" IN (${sql.raw(AGAINST.map((outcome) => `'${outcome}'`).join(", "))})) END`;

/** A BSB, and behind it an account number. */
const byAccount = sql`"payee"."bsb" = substr("asked"."value", 1, 6) AND "payee"."accountNumber" = substr("asked"."value", 7)`;
const byId = sql`"payee"."id" = "asked"."value"`;

/**
 * The organisation's payees that these payments are for: one statement for some thousand of them. The rows read depend on
 * the payments asked for, not on how many payees there are.
 */
export async function findPayees(
  services: ReadServices,
  organizationId: string,
  { recipients, now }: { recipients: readonly Recipient[]; now: number },
): Promise<KnownPayees> {
  const { distinct, places } = findDistinct(recipients);
  const all: KnownPayee[] = [];
  const found: (KnownPayee | undefined)[] = [];
  const read = async (asked: readonly Asked[], join: SQL) => {
    const parts = inParts(asked, PAYEES_PER_STATEMENT);
    // Asked at once, they are one call: a call costs as much as fifty payees.
    const read = await Promise.all(
      parts.map((part) => readPayees(services, organizationId, { asked: part, join, now })),
    );
    for (const { place, payee } of read.flat()) {
      all.push(payee);
      found[place] = payee;
    }
  };
  const ids = distinct.flatMap((to, place) => ("payeeId" in to ? [{ text: to.payeeId, place }] : []));
  const accounts = distinct.flatMap((to, place) => ("payeeId" in to ? [] : [{ account: to, place }]));
  const isFew = accounts.length <= FEW_ACCOUNTS;
  const written = accounts.map(({ account, place }) => ({ text: asWritten(account), place }));
  await read(ids, byId);
  await read(isFew ? [...written, ...accounts.flatMap(otherSpellings)] : written, byAccount);
  const missing = isFew ? [] : accounts.filter(({ place }) => !found[place]);
  await read(missing.flatMap(otherSpellings), byAccount);
  return { at: (place) => found[places[place] ?? -1], all };
}

/** Each recipient once, and which of them each of the given ones is: two spellings of an account are one. */
function findDistinct(recipients: readonly Recipient[]) {
  const placeOf = new Map<string, number>();
  const distinct: Recipient[] = [];
  const places = recipients.map((to) => {
    const key = "payeeId" in to ? to.payeeId : accountKey(to);
    const known = placeOf.get(key);
    if (known !== undefined) return known;
    const place = distinct.push(to) - 1;
    placeOf.set(key, place);
    return place;
  });
  return { distinct, places };
}

const asWritten = ({ bsb, accountNumber }: Account) => bsb + accountNumber;

/** Most accounts stand in a file as their payee has them: only of the others is every other spelling asked for. */
const otherSpellings = ({ account: { bsb, accountNumber }, place }: { account: Account; place: number }): Asked[] =>
  spellingsOf(accountNumber).flatMap((spelling) =>
    spelling === accountNumber ? [] : [{ text: bsb + spelling, place }],
  );

async function readPayees(
  { db }: ReadServices,
  organizationId: string,
  { asked, join, now }: { asked: readonly Asked[]; join: SQL; now: number },
): Promise<{ place: number; payee: KnownPayee }[]> {
  const json = (value: SQL) => sql`json(${value})`;
  const [read] = await db.all<{ payees: string }>(sql`SELECT json_group_array(json_array(
      ${columnsOf("payee", OF_PAYEE)}, ${largestRecentAmount}, "payee"."email", "payee"."abn",
      ${columnsOf("newest", [...OF_VERIFICATION, "outcome"])}, ${json(newestDetails)}, ${json(decidedBefore)}, ${json(newestReturned)},
      ${json(accountingChange)}, ${json(origin)}, ${json(furtherSince(now - DAY_MS))},
      ${hasAnswerAgainst}, "asked"."key")) AS "payees"
    FROM json_each(${JSON.stringify(asked.map(({ text }) => text))}) AS "asked" CROSS JOIN "payees" AS "payee" ${newest}
    WHERE "payee"."organizationId" = ${organizationId} AND ${join}`);
  const rows = JSON.parse(read?.payees ?? "[]") as Row[];
  return rows.map((row) => ({ place: asked[row[ASKED]]?.place ?? -1, payee: toKnownPayee(row) }));
}

function toKnownPayee(row: Row): KnownPayee {
  const [id, accountName, bsb, accountNumber, version, whitelisted, paymentCount, lastPaymentDate] = row;
  const [, , , , , , , , largestRecentAmount, email, abn, , , , , , , decidedBefore, returned, change, came, further] =
    row;
  const latest = toLatest(row);
  const isDecided = latest?.status === "verified" || latest?.status === "rejected";
  const facts = {
    id,
    name: further?.[0] ?? accountName,
    accountName,
    bsb,
    accountNumber,
    version,
    whitelisted: whitelisted === 1,
    disputedAt: further?.[1] ?? null,
    bankDetailsChangedAt: further?.[2] ?? null,
    takenOffWhitelistAt: further?.[4] ?? null,
    contactChangedAt: further?.[5] ?? null,
    // Absent in the facts of most payees, as they always were.
    renamedAt: further?.[3] ?? undefined,
    draftSince: further?.[6] ?? undefined,
    archivedAt: further?.[7] ?? undefined,
    paymentCount,
    lastPaymentDate,
    largestRecentAmount,
    latest,
    latestDecided: isDecided ? latest : toVerification(decidedBefore),
  };
  return {
    facts,
    email,
    abn,
    formerBsbs: further?.[8] ?? [],
    editsInLastDay: further?.[9] ?? 0,
    lastReturned: stillReturned(returned, facts),
    accountingChange: toChange(change),
    hasAnswerAgainst: row[HAS_ANSWER_AGAINST] === 1,
    accountingOrigin: toOrigin(came, facts),
  };
}

function toOrigin(stored: StoredOrigin | null, payee: PayeeFacts): KnownPayee["accountingOrigin"] {
  if (stored === null) return undefined;
  const [accountingOrigins, whitelistedById, decidedById, isPaid] = stored;
  const { bsb, accountNumber, whitelisted, latest } = payee;
  const details = { accountingOrigins, bsb, accountNumber };
  const newest = originOf(details);
  if (!newest) return undefined;
  const verifiedById = latest?.status === "verified" ? decidedById : undefined;
  return {
    ...newest,
    isEditorKnown: !hasUnknownEditor(details),
    trustedById: whitelisted ? whitelistedById : verifiedById,
    isPaid: isPaid === 1,
  };
}

function toLatest(row: Row): PayeeFacts["latestDecided"] {
  const [, payeeName, payeeBsb, payeeNumber, , , , , , , , id, status, createdAt, completedAt, outcome, details] = row;
  if (id === null) return null;
  const { accountName = payeeName, bsb = payeeBsb, accountNumber = payeeNumber } = details ?? {};
  const answered = status === "pending" && outcome !== null ? { outcome } : {};
  return { id, status, accountName, bsb, accountNumber, createdAt, completedAt, ...answered };
}

function toVerification(stored: StoredVerification | null): PayeeFacts["latestDecided"] {
  if (stored === null) return null;
  const [id, status, createdAt, completedAt, accountName, bsb, accountNumber] = stored;
  return { id, status, accountName, bsb, accountNumber, createdAt, completedAt };
}

function toChange(stored: StoredChange | null): KnownPayee["accountingChange"] {
  if (stored === null) return undefined;
  const [system, noticedAt, editedBy, bsb, accountNumber] = stored;
  return { system, noticedAt, editedBy, bsb, maskedAccountNumber: maskAccountNumber(accountNumber ?? "") };
}
