import { type SQL, sql } from "drizzle-orm";
import { accountKey } from "~/kernel/account-number";
import { DAY_MS } from "~/kernel/dates";
import type { VerificationStatus } from "~/kernel/enums";
import type { BankDetails } from "~/kernel/payee";
import { spellingsOf } from "~/modules/account-fingerprints/payee-fingerprint";
import type { PayeeFacts } from "~/modules/payment-rules/facts";
import { RECENT_PAYMENTS } from "~/modules/payment-rules/unusual-amount";
import type { ReadServices } from "~/services";
import { inParts } from "./in-parts";
import type { KnownPayee, Recipient } from "./known-payee";
import { type Returned, stillReturned } from "./returned-payment";

/** Payees by what asked for them. */
export type KnownPayees = { of: (recipient: Recipient) => KnownPayee | undefined; all: KnownPayee[] };

/** Accounts asked for in one statement: each may be written in six ways. */
const ACCOUNTS_PER_STATEMENT = 2_000;
const IDS_PER_STATEMENT = 10_000;

type Row = Omit<PayeeFacts, "whitelisted" | "draftSince" | "latest" | "latestDecided"> & {
  whitelisted: number;
  draftSince: number | null;
  email: string | null;
  abn: string | null;
  latest: StoredVerification | null;
  /** The newest decided verification where the newest is not decided. */
  decidedBefore: StoredVerification | null;
  formerBsbs: string[];
  editsInLastDay: number;
  newestReturned: Returned | null;
};

/** The columns of a row in the order in which they travel: without their names, because the rows of thousands do. */
const VALUES = [
  "id",
  "name",
  "accountName",
  "bsb",
  "accountNumber",
  "version",
  "whitelisted",
  "disputedAt",
  "bankDetailsChangedAt",
  "takenOffWhitelistAt",
  "contactChangedAt",
  "draftSince",
  "paymentCount",
  "lastPaymentDate",
  "email",
  "abn",
  "largestRecentAmount",
  "editsInLastDay",
] as const satisfies readonly (keyof Row)[];
const JSON_VALUES = [
  "latest",
  "decidedBefore",
  "formerBsbs",
  "newestReturned",
] as const satisfies readonly (keyof Row)[];

const asOneValue = sql.raw(
  `json_array(${[...VALUES.map((name) => `"${name}"`), ...JSON_VALUES.map((name) => `json("${name}")`)].join(", ")})`,
);

const toRow = (text: string): Row => {
  const values = JSON.parse(text) as unknown[];
  return Object.fromEntries([...VALUES, ...JSON_VALUES].map((name, at) => [name, values[at]])) as Row;
};

const newestVerification = (what: SQL, which = "") => sql`(SELECT ${what} FROM "verifications" AS "newest"
  WHERE "newest"."organizationId" = "payee"."organizationId" AND "newest"."payeeId" = "payee"."id" ${sql.raw(which)}
  ORDER BY "newest"."id" DESC LIMIT 1)`;

/** A `StoredVerification`: its account only where it is not the payee's of today, because the rows of many payees travel. */
const verification = sql`iif("newest"."accountName" = "payee"."accountName" AND "newest"."bsb" = "payee"."bsb"
    AND "newest"."accountNumber" = "payee"."accountNumber",
  json_array("newest"."id", "newest"."status", "newest"."createdAt", "newest"."completedAt"),
  json_array("newest"."id", "newest"."status", "newest"."createdAt", "newest"."completedAt",
    "newest"."accountName", "newest"."bsb", "newest"."accountNumber"))`;
const isDecided = `"newest"."status" IN ('verified', 'rejected')`;

type StoredVerification = [
  id: string,
  status: VerificationStatus,
  createdAt: number,
  completedAt: number | null,
  ...([] | [accountName: string, bsb: string, accountNumber: string]),
];

/** Where the payees of one statement come from: a table expression and what joins it to them. */
type Source = { asked: unknown[]; join: SQL };

const byAccount = sql`"payee"."bsb" = "asked"."value" ->> 0 AND "payee"."accountNumber" = "asked"."value" ->> 1`;
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
  const accounts = new Map<string, unknown[]>();
  const ids = new Set<string>();
  for (const recipient of recipients) {
    if ("payeeId" in recipient) ids.add(recipient.payeeId);
    else {
      const { bsb, accountNumber } = recipient;
      accounts.set(
        accountKey(recipient),
        spellingsOf(accountNumber).map((spelling) => [bsb, spelling]),
      );
    }
  }
  const sources = [
    ...inParts([...accounts.values()], ACCOUNTS_PER_STATEMENT).map((part) => ({ asked: part.flat(), join: byAccount })),
    ...inParts([...ids], IDS_PER_STATEMENT).map((part) => ({ asked: part, join: byId })),
  ];
  const all: KnownPayee[] = [];
  for (const source of sources) all.push(...(await readPayees(services, organizationId, { source, now })));
  const known = new Map(all.flatMap((payee) => [[payee.id, payee] as const, [accountKey(payee), payee] as const]));
  return { of: (recipient) => known.get("payeeId" in recipient ? recipient.payeeId : accountKey(recipient)), all };
}

async function readPayees(
  { db }: ReadServices,
  organizationId: string,
  { source: { asked, join }, now }: { source: Source; now: number },
): Promise<KnownPayee[]> {
  const rows = await db.all<{
    value: string;
  }>(sql`SELECT ${asOneValue} AS "value" FROM (SELECT "payee"."id", "payee"."name", "payee"."accountName", "payee"."bsb",
      "payee"."accountNumber", "payee"."version", "payee"."whitelisted", "payee"."disputedAt",
      "payee"."bankDetailsChangedAt", "payee"."takenOffWhitelistAt", "payee"."contactChangedAt", "payee"."draftSince", "payee"."paymentCount",
      "payee"."lastPaymentDate", "payee"."email", "payee"."abn",
      ${newestVerification(verification)} AS "latest",
      CASE WHEN ${newestVerification(sql.raw(isDecided))} THEN NULL
        ELSE ${newestVerification(verification, `AND ${isDecided}`)} END AS "decidedBefore",
      (SELECT max("amount") FROM (SELECT "amount" FROM "payment_records" AS "paid"
        WHERE "paid"."organizationId" = "payee"."organizationId" AND "paid"."payeeId" = "payee"."id"
          AND "paid"."status" = 'successful'
        ORDER BY "paid"."id" DESC LIMIT ${sql.raw(String(RECENT_PAYMENTS))}) AS "walk") AS "largestRecentAmount",
      CASE WHEN "payee"."bankDetailsChangedAt" IS NULL THEN '[]' ELSE (SELECT json_group_array(DISTINCT "oldValue")
        FROM "payee_changes" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
          AND "field" = 'bsb' AND "oldValue" IS NOT NULL) END AS "formerBsbs",
      CASE WHEN "payee"."updatedAt" <= ${now - DAY_MS} THEN 0 ELSE (SELECT count(DISTINCT "createdAt")
        FROM "payee_changes" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
          AND "createdAt" > ${now - DAY_MS}) END AS "editsInLastDay",
      (SELECT json_object('id', "id", 'returnedAt', coalesce("processedAt", "updatedAt"), 'reason', "failureReason")
        FROM "payment_records" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
          AND "status" = 'failed' ORDER BY "id" DESC LIMIT 1) AS "newestReturned"
    FROM json_each(${JSON.stringify(asked)}) AS "asked" CROSS JOIN "payees" AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND ${join}) AS "walk"`);
  return rows.map(({ value }) => toKnownPayee(toRow(value)));
}

function toKnownPayee(row: Row): KnownPayee {
  const { latest: newest, decidedBefore, formerBsbs, newestReturned, whitelisted, draftSince, ...payee } = row;
  const latest = toVerification(newest, payee);
  const isDecidedNow = latest?.status === "verified" || latest?.status === "rejected";
  return {
    ...payee,
    whitelisted: whitelisted === 1,
    // Facts of other payees are kept as they always were.
    ...(draftSince === null ? {} : { draftSince }),
    latest,
    latestDecided: isDecidedNow ? latest : toVerification(decidedBefore, payee),
    formerBsbs,
    lastReturned: stillReturned(newestReturned, payee),
  };
}

function toVerification(stored: StoredVerification | null, payee: BankDetails): PayeeFacts["latestDecided"] {
  if (stored === null) return null;
  const [id, status, createdAt, completedAt, ...own] = stored;
  const [accountName = payee.accountName, bsb = payee.bsb, accountNumber = payee.accountNumber] = own;
  return { id, status, accountName, bsb, accountNumber, createdAt, completedAt };
}
