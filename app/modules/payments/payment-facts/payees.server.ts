import type { payees, verifications } from "@db/database";
import { type SQL, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { accountKey, hasUnknownEditor, maskAccountNumber, originOf } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import type { Account, BankDetails, DetailsOrigin } from "~/kernel/payee";
import { WAY_FIELDS } from "~/kernel/ways-to-pay";
import { spellingsOf } from "~/modules/core/payee-keys";
import { RECENT_PAYMENTS } from "~/modules/rules/amount-rules";
import type { FurtherFacts, PayeeFacts, PaymentFacts } from "~/modules/rules/facts";
import type { ReadServices } from "~/services-and-actor";
import { AGAINST } from "./account-history.server";
import type { SeenRows } from "./facts.server";

/**
 * A subquery for a statement about `"payee"`: the newest account in an accounting system that differs from the payee's
 * or is unreadable, while no person has decided about it.
 */
const openAccountingChange = (what: SQL): SQL => sql`(SELECT ${what}
  FROM "accounting_contacts" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
    AND "noticedAt" IS NOT NULL AND "keptAt" IS NULL AND ("seenBsb" IS NULL OR "seenBsb" <> "payee"."bsb"
      OR ltrim("seenAccountNumber", '0') <> ltrim("payee"."accountNumber", '0'))
  ORDER BY "noticedAt" DESC LIMIT 1)`;

/** SQL for a statement about `"payee"`: whether any payment to its present account was released. */
const wasPaid = sql`EXISTS (SELECT 1 FROM "payment_records" AS "paid"
  WHERE "paid"."organizationId" = "payee"."organizationId" AND "paid"."payeeId" = "payee"."id"
    AND "paid"."status" IN ('authorised', 'successful') AND "paid"."bsb" = "payee"."bsb"
    AND ltrim("paid"."accountNumber", '0') = ltrim("payee"."accountNumber", '0'))`;

/** A payee with everything that the rules need to know about it. */
export type KnownPayee = {
  facts: PayeeFacts;
  email: string | null;
  abn: string | null;
  formerBsbs: string[];
  editsInLastDay: number;
  lastReturned: Returned | null;
  /** Undefined rather than null when there is none, to keep the stored facts of thousands of lines short. */
  accountingChange: FurtherFacts["accountingChange"] | undefined;
  /** Where its account was imported from, whose decision made it trusted (null: a rule's), and whether it was paid. */
  accountingOrigin: (DetailsOrigin & { trustedById: string | null | undefined; isPaid: boolean }) | undefined;
  /** A bank once contradicted an account of the payee, and its newest verification did not confirm it later. */
  hasAnswerAgainst: boolean;
};

/** Who a payment is for: a payee, or the holder of an account. */
type Recipient = { payeeId: string } | Account;

/** An id or an account in the form used in the query, and the position of its recipient among the distinct ones. */
type Asked = { text: string; place: number };

const PAYEES_PER_STATEMENT = 500;

/** Up to this many accounts, every spelling is queried at once: one round trip fewer for a few rows more. */
const FEW_ACCOUNTS = 4;

const OF_PAYEE = [
  "id",
  "name",
  "accountName",
  "bsb",
  "accountNumber",
  "version",
  "disputedAt",
  "bankDetailsChangedAt",
  "takenOffWhitelistAt",
  "contactChangedAt",
  "renamedAt",
  "draftSince",
  "archivedAt",
  "paymentCount",
  "lastPaymentDate",
  "email",
  "abn",
  "whitelistedById",
] as const satisfies readonly (keyof typeof payees.$inferSelect)[];

const OF_VERIFICATION = [
  "id",
  "status",
  "createdAt",
  "completedAt",
  "accountName",
  "bsb",
  "accountNumber",
  "outcome",
] as const satisfies readonly (keyof typeof verifications.$inferSelect)[];

type Verification = Pick<typeof verifications.$inferSelect, (typeof OF_VERIFICATION)[number]>;

/** A payee as the database returns it: JSON as text, and booleans as 0 or 1. */
type Row = Pick<typeof payees.$inferSelect, (typeof OF_PAYEE)[number]> & {
  asked: number;
  whitelisted: number;
  largestRecentAmount: number | null;
  /** JSON of a `Verification`: the newest. */
  newest: string | null;
  /** JSON of a `Verification`: the newest decided one, if the newest is undecided. */
  decidedBefore: string | null;
  /** JSON of a `Returned`. */
  newestReturned: string | null;
  accountingChange: string | null;
  /** JSON of `DetailsOrigin[]`. */
  accountingOrigins: string | null;
  /** Who decided the newest verification of a payee whose account was imported from an accounting system. */
  decidedById: string | null;
  wasPaid: number | null;
  formerBsbs: string | null;
  editsInLastDay: number;
  hasAnswerAgainst: number;
};

const payeeColumns = sql.raw(OF_PAYEE.map((name) => `"payee"."${name}"`).join(", "));

const verificationJson = (table: string) =>
  sql.raw(`json_object(${OF_VERIFICATION.map((name) => `'${name}', "${table}"."${name}"`).join(", ")})`);

const newestVerification = (what: SQL, which = "") => sql`(SELECT ${what} FROM "verifications" AS "decided"
  WHERE "decided"."organizationId" = "payee"."organizationId" AND "decided"."payeeId" = "payee"."id" ${sql.raw(which)}
  ORDER BY "decided"."id" DESC LIMIT 1)`;

const newest = sql`LEFT JOIN "verifications" AS "newest" ON "newest"."organizationId" = "payee"."organizationId"
  AND "newest"."id" = ${newestVerification(sql`"decided"."id"`)}`;

const decidedBefore = sql`CASE WHEN "newest"."status" IN ('verified', 'rejected') OR "newest"."id" IS NULL THEN NULL
  ELSE ${newestVerification(verificationJson("decided"), `AND "decided"."status" IN ('verified', 'rejected')`)} END`;

const largestRecentAmount = sql`(SELECT max("amount") FROM (SELECT "amount" FROM "payment_records" AS "paid"
    WHERE "paid"."organizationId" = "payee"."organizationId" AND "paid"."payeeId" = "payee"."id"
      AND "paid"."status" = 'successful'
    ORDER BY "paid"."id" DESC LIMIT ${sql.raw(String(RECENT_PAYMENTS))}) AS "walk")`;

const newestReturned = sql`(SELECT json_object('id', "id", 'returnedAt', coalesce("processedAt", "updatedAt"), 'reason', "failureReason")
  FROM "payment_records" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
    AND "status" = 'failed' ORDER BY "id" DESC LIMIT 1)`;

const formerBsbs = sql`CASE WHEN "payee"."bankDetailsChangedAt" IS NULL THEN NULL ELSE (SELECT json_group_array(DISTINCT "oldValue")
  FROM "payee_changes" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
    AND "field" = 'bsb' AND "oldValue" IS NOT NULL) END`;

/** Every edit sets `updatedAt`, so payees without a recent edit are skipped: their changes need not be read. */
const editsSince = (
  instant: number,
) => sql`CASE WHEN "payee"."updatedAt" <= ${instant} THEN 0 ELSE (SELECT count(DISTINCT "createdAt") FROM "payee_changes"
  WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id" AND "createdAt" > ${instant} AND "field" NOT IN ${WAY_FIELDS}) END`;

const accountingChange = openAccountingChange(
  sql`json_object('system', "system", 'noticedAt', "noticedAt", 'editedBy', "editedBy", 'bsb', "seenBsb", 'accountNumber', "seenAccountNumber")`,
);

/** SQL that is evaluated only for a payee whose account was imported from an accounting system. */
const ofImported = (what: SQL) => sql`CASE WHEN "payee"."accountingOrigins" IS NULL THEN NULL ELSE ${what} END`;

const decidedById = ofImported(sql`(SELECT "decidedById" FROM "decisions"
  WHERE "organizationId" = "payee"."organizationId" AND "verificationId" = "newest"."id")`);

const hasAnswerAgainst = sql`CASE WHEN "newest"."outcome" = 'match' AND "newest"."status" = 'verified' THEN 0
  ELSE EXISTS (SELECT 1 FROM "verifications" AS "asked" WHERE "asked"."organizationId" = "payee"."organizationId"
    AND "asked"."payeeId" = "payee"."id" AND "asked"."outcome" IN (${sql.raw(AGAINST.map((outcome) => `'${outcome}'`).join(", "))})) END`;

/** The asked value is a BSB followed by an account number. */
const byAccount = sql`"payee"."bsb" = substr("asked"."value", 1, 6) AND "payee"."accountNumber" = substr("asked"."value", 7)`;

const byId = sql`"payee"."id" = "asked"."value"`;

/**
 * The organisation's payees for these payments: one statement for several thousand. The number of rows read depends on
 * the payments, not on how many payees there are.
 */
export async function findPayees(
  services: ReadServices,
  organizationId: string,
  { recipients, now }: { recipients: readonly Recipient[]; now: number },
) {
  const { distinct, places } = findDistinct(recipients);
  const all: KnownPayee[] = [];
  const found: (KnownPayee | undefined)[] = [];
  const read = async (asked: readonly Asked[], join: SQL) => {
    const parts = inParts(asked, PAYEES_PER_STATEMENT);
    // Promise.all sends these as one database call; a call costs as much as fifty payees.
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
  await Promise.all([
    read(ids, byId),
    read(isFew ? [...written, ...accounts.flatMap(otherSpellings)] : written, byAccount),
  ]);
  const missing = isFew ? [] : accounts.filter(({ place }) => !found[place]);
  await read(missing.flatMap(otherSpellings), byAccount);
  return {
    /** By the position in the list that was passed in. */
    at: (place: number): KnownPayee | undefined => found[places[place] ?? -1],
    all,
  };
}

/** The distinct recipients, and for each given one its index: two spellings of an account are one recipient. */
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

/** Most accounts are spelt in the file as their payee has them, so other spellings are queried only for the rest. */
const otherSpellings = ({ account: { bsb, accountNumber }, place }: { account: Account; place: number }): Asked[] =>
  spellingsOf(accountNumber).flatMap((spelling) =>
    spelling === accountNumber ? [] : [{ text: bsb + spelling, place }],
  );

async function readPayees(
  { db }: ReadServices,
  organizationId: string,
  { asked, join, now }: { asked: readonly Asked[]; join: SQL; now: number },
): Promise<{ place: number; payee: KnownPayee }[]> {
  const rows = await db.all<Row>(sql`SELECT "asked"."key" AS "asked", ${payeeColumns}, "payee"."whitelisted",
      "payee"."accountingOrigins", ${largestRecentAmount} AS "largestRecentAmount",
      iif("newest"."id" IS NULL, NULL, ${verificationJson("newest")}) AS "newest", ${decidedBefore} AS "decidedBefore",
      ${newestReturned} AS "newestReturned", ${accountingChange} AS "accountingChange", ${decidedById} AS "decidedById",
      ${ofImported(wasPaid)} AS "wasPaid", ${formerBsbs} AS "formerBsbs", ${editsSince(now - DAY_MS)} AS "editsInLastDay",
      ${hasAnswerAgainst} AS "hasAnswerAgainst"
    FROM json_each(${JSON.stringify(asked.map(({ text }) => text))}) AS "asked" CROSS JOIN "payees" AS "payee" ${newest}
    WHERE "payee"."organizationId" = ${organizationId} AND ${join}`);
  return rows.map((row) => ({ place: asked[row.asked]?.place ?? -1, payee: toKnownPayee(row) }));
}

function toKnownPayee(row: Row): KnownPayee {
  const newest = toVerification(row.newest);
  const isDecided = newest?.status === "verified" || newest?.status === "rejected";
  const facts: PayeeFacts = {
    id: row.id,
    name: row.name,
    accountName: row.accountName,
    bsb: row.bsb,
    accountNumber: row.accountNumber,
    version: row.version,
    whitelisted: row.whitelisted === 1,
    disputedAt: row.disputedAt,
    bankDetailsChangedAt: row.bankDetailsChangedAt,
    takenOffWhitelistAt: row.takenOffWhitelistAt,
    contactChangedAt: row.contactChangedAt,
    // Absent for most payees.
    renamedAt: row.renamedAt ?? undefined,
    draftSince: row.draftSince ?? undefined,
    archivedAt: row.archivedAt ?? undefined,
    paymentCount: row.paymentCount,
    lastPaymentDate: row.lastPaymentDate,
    largestRecentAmount: row.largestRecentAmount,
    latest: newest,
    latestDecided: isDecided ? newest : toVerification(row.decidedBefore),
  };
  const returned: Returned | null = row.newestReturned === null ? null : JSON.parse(row.newestReturned);
  return {
    facts,
    email: row.email,
    abn: row.abn,
    formerBsbs: row.formerBsbs === null ? [] : JSON.parse(row.formerBsbs),
    editsInLastDay: row.editsInLastDay,
    lastReturned: stillReturned(returned, facts),
    accountingChange: toChange(row.accountingChange),
    hasAnswerAgainst: row.hasAnswerAgainst === 1,
    accountingOrigin: toOrigin(row, facts),
  };
}

/** The outcome of a check is included only while the verification waits for a decision. */
function toVerification(json: string | null): PayeeFacts["latestDecided"] {
  if (json === null) return null;
  const { outcome, ...verification }: Verification = JSON.parse(json);
  return verification.status === "pending" && outcome !== null ? { ...verification, outcome } : verification;
}

function toOrigin(row: Row, { bsb, accountNumber, latest }: PayeeFacts): KnownPayee["accountingOrigin"] {
  if (row.accountingOrigins === null) return undefined;
  const details = { accountingOrigins: JSON.parse(row.accountingOrigins) as DetailsOrigin[], bsb, accountNumber };
  const origin = originOf(details);
  if (!origin) return undefined;
  const verifiedById = latest?.status === "verified" ? row.decidedById : undefined;
  return {
    ...origin,
    isEditorKnown: !hasUnknownEditor(details),
    trustedById: row.whitelisted === 1 ? row.whitelistedById : verifiedById,
    isPaid: row.wasPaid === 1,
  };
}

function toChange(json: string | null): KnownPayee["accountingChange"] {
  if (json === null) return undefined;
  const { accountNumber, ...change } = JSON.parse(json);
  return { ...change, maskedAccountNumber: maskAccountNumber(accountNumber ?? "") };
}

/** What the audit trail, and alerts made from it, say about a first payment. */
export type CameFrom = { system: string; editedBy: string | null; isEditorKnown: boolean };

export const cameFrom = ({ system, editedBy, isEditorKnown }: CameFrom): CameFrom => ({
  system,
  editedBy,
  isEditorKnown,
});

/**
 * Where the payee's account was imported from, if a payment to it would be the first; undefined: it would not be, or
 * the account was not imported.
 */
export async function findFirstPaymentFrom(
  { db }: ReadServices,
  organizationId: string,
  payee: (BankDetails & { id: string; accountingOrigins: readonly DetailsOrigin[] | null }) | null,
): Promise<CameFrom | undefined> {
  const origin = payee && originOf(payee);
  if (!origin) return undefined;
  const [row] = await db.all<{ isPaid: number }>(sql`SELECT ${wasPaid} AS "isPaid" FROM "payees" AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = ${payee.id}`);
  if (row?.isPaid !== 0) return undefined;
  return cameFrom({ ...origin, isEditorKnown: !hasUnknownEditor(payee) });
}

type Returned = NonNullable<FurtherFacts["lastReturned"]>;

/** The newest failed payment, unless a later one succeeded or the bank details have changed since. */
export function stillReturned(
  newest: Returned | null,
  payee: Pick<PayeeFacts, "lastPaymentDate" | "bankDetailsChangedAt">,
): Returned | null {
  if (!newest) return null;
  const since = Math.max(payee.lastPaymentDate ?? 0, payee.bankDetailsChangedAt ?? 0);
  return newest.returnedAt >= since ? newest : null;
}

/** No payee was edited, disputed, taken off the whitelist or decided about; no accounting system showed another account. */
export const payeesAsSeen = (organizationId: string, facts: readonly PaymentFacts[]): SeenRows => ({
  rows: facts.flatMap(({ payee, accountingChange }) => {
    if (!payee) return [];
    const { id, version, whitelisted, disputedAt, takenOffWhitelistAt, latest } = payee;
    const newest = latest ? `${latest.id}:${latest.status}:${latest.outcome ?? ""}` : null;
    const noticedAt = accountingChange?.noticedAt ?? null;
    return [[id, version, whitelisted ? 1 : 0, disputedAt, takenOffWhitelistAt, newest, noticedAt]];
  }),
  changed: sql`LEFT JOIN "payees" AS "payee" ON "payee"."organizationId" = ${organizationId} AND "payee"."id" = "seen"."value" ->> 0
    WHERE "payee"."version" IS NOT "seen"."value" ->> 1 OR "payee"."whitelisted" IS NOT "seen"."value" ->> 2
      OR "payee"."disputedAt" IS NOT "seen"."value" ->> 3
      OR "payee"."takenOffWhitelistAt" IS NOT "seen"."value" ->> 4
      OR (SELECT "id" || ':' || "status" || ':' || CASE WHEN "status" = 'pending' THEN coalesce("outcome", '') ELSE '' END FROM "verifications" WHERE "organizationId" = ${organizationId}
        AND "payeeId" = "seen"."value" ->> 0 ORDER BY "id" DESC LIMIT 1) IS NOT "seen"."value" ->> 5
      OR ${openAccountingChange(sql`"noticedAt"`)} IS NOT "seen"."value" ->> 6`,
});

/** No unknown account became a payee's. */
export const unknownAccountsAsSeen = (organizationId: string, facts: readonly PaymentFacts[]): SeenRows => ({
  rows: facts.flatMap(({ payee, account }) => (payee ? [] : [[account.bsb, ...spellingsOf(account.accountNumber)]])),
  changed: sql`CROSS JOIN json_each("seen"."value") AS "spelling" CROSS JOIN "payees" AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."bsb" = "seen"."value" ->> 0
      AND "payee"."accountNumber" = "spelling"."value" AND "spelling"."key" > 0`,
});
