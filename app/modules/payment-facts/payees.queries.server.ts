import { type SQL, sql } from "drizzle-orm";
import { accountKey, maskAccountNumber } from "~/kernel/account-number";
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

/** A payee as it travels: values without their names, and what most payees have not only where one has it. */
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
  latest: StoredVerification | null,
  further:
    | null
    | [
        name: string,
        disputedAt: number | null,
        bankDetailsChangedAt: number | null,
        takenOffWhitelistAt: number | null,
        contactChangedAt: number | null,
        draftSince: number | null,
        archivedAt: number | null,
        /** The newest decided verification where the newest is not decided. */
        decidedBefore: StoredVerification | null,
        formerBsbs: string[],
        editsInLastDay: number,
        newestReturned: Returned | null,
        accountingChange: StoredChange | null,
      ],
];

const FURTHER = [
  "disputedAt",
  "bankDetailsChangedAt",
  "takenOffWhitelistAt",
  "contactChangedAt",
  "draftSince",
  "archivedAt",
];
const hasNothingFurther = `"name" = "accountName" AND "editsInLastDay" = 0 AND ${[...FURTHER, "decidedBefore", "newestReturned", "accountingChange"].map((name) => `"${name}" IS NULL`).join(" AND ")}`;

const asOneValue = sql.raw(`json_array("id", "accountName", "bsb", "accountNumber", "version", "whitelisted",
  "paymentCount", "lastPaymentDate", "largestRecentAmount", "email", "abn", json("latest"),
  json(CASE WHEN ${hasNothingFurther} THEN NULL ELSE json_array("name", ${FURTHER.map((name) => `"${name}"`).join(", ")},
    json("decidedBefore"), json("formerBsbs"), "editsInLastDay", json("newestReturned"),
    json("accountingChange")) END))`);

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

/** The newest account of an accounting system that is not the payee's, while no person has decided about it. */
const accountingChange = sql`(SELECT json_array("system", "noticedAt", "editedBy", "seenBsb", "seenAccountNumber")
  FROM "accounting_contacts" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
    AND "noticedAt" IS NOT NULL AND "keptAt" IS NULL AND ("seenBsb" <> "payee"."bsb"
      OR ltrim("seenAccountNumber", '0') <> ltrim("payee"."accountNumber", '0'))
  ORDER BY "noticedAt" DESC LIMIT 1)`;

type StoredChange = [system: string, noticedAt: number, editedBy: string | null, bsb: string, accountNumber: string];

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
  const known = new Map(
    all.flatMap((payee) => [[payee.facts.id, payee] as const, [accountKey(payee.facts), payee] as const]),
  );
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
      "payee"."bankDetailsChangedAt", "payee"."takenOffWhitelistAt", "payee"."contactChangedAt", "payee"."draftSince", "payee"."archivedAt", "payee"."paymentCount",
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
          AND "status" = 'failed' ORDER BY "id" DESC LIMIT 1) AS "newestReturned",
      ${accountingChange} AS "accountingChange"
    FROM json_each(${JSON.stringify(asked)}) AS "asked" CROSS JOIN "payees" AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND ${join}) AS "walk"`);
  return rows.map(({ value }) => toKnownPayee(JSON.parse(value) as Row));
}

function toKnownPayee(row: Row): KnownPayee {
  const [id, accountName, bsb, accountNumber, version, whitelisted, ...paid] = row;
  const [paymentCount, lastPaymentDate, largestRecentAmount, email, abn, newest, further] = paid;
  const [name, disputedAt, bankDetailsChangedAt, takenOffWhitelistAt, contactChangedAt, ...more] = further ?? [
    accountName,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    [],
    0,
    null,
    null,
  ];
  const [draftSince, archivedAt, decidedBefore, formerBsbs, editsInLastDay, newestReturned, change] = more;
  const account = { accountName, bsb, accountNumber };
  const latest = toVerification(newest, account);
  const isDecided = latest?.status === "verified" || latest?.status === "rejected";
  const facts = {
    id,
    name,
    accountName,
    bsb,
    accountNumber,
    version,
    whitelisted: whitelisted === 1,
    disputedAt,
    bankDetailsChangedAt,
    takenOffWhitelistAt,
    contactChangedAt,
    // Absent in the facts of most payees, as they always were.
    draftSince: draftSince ?? undefined,
    archivedAt: archivedAt ?? undefined,
    paymentCount,
    lastPaymentDate,
    largestRecentAmount,
    latest,
    latestDecided: isDecided ? latest : toVerification(decidedBefore, account),
  };
  const lastReturned = stillReturned(newestReturned, facts);
  return { facts, email, abn, formerBsbs, editsInLastDay, lastReturned, accountingChange: toChange(change) };
}

function toChange(stored: StoredChange | null): KnownPayee["accountingChange"] {
  if (stored === null) return undefined;
  const [system, noticedAt, editedBy, bsb, accountNumber] = stored;
  return { system, noticedAt, editedBy, bsb, maskedAccountNumber: maskAccountNumber(accountNumber) };
}

function toVerification(stored: StoredVerification | null, payee: BankDetails): PayeeFacts["latestDecided"] {
  if (stored === null) return null;
  const [id, status, createdAt, completedAt, ...own] = stored;
  const [accountName = payee.accountName, bsb = payee.bsb, accountNumber = payee.accountNumber] = own;
  return { id, status, accountName, bsb, accountNumber, createdAt, completedAt };
}
