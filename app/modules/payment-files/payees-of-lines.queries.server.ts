import { sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { spellingsOf } from "~/modules/account-fingerprints/payee-fingerprint";
import type { PayeeFacts } from "~/modules/payment-rules/facts";
import { RECENT_PAYMENTS } from "~/modules/payment-rules/unusual-amount";
import type { ReadServices } from "~/services";
import { accountKey } from "./payment-file";

/** Everything of a payee that the rules look at, and what only files ask for. */
export type LinePayee = PayeeFacts & { email: string | null; formerBsbs: string[]; editsInLastDay: number };

type Account = { bsb: string; accountNumber: string };

/** Accounts asked for in one statement: each may be written in six ways. */
const ACCOUNTS_PER_STATEMENT = 2_000;

type Row = Omit<PayeeFacts, "whitelisted" | "latest" | "latestDecided"> & {
  whitelisted: number;
  email: string | null;
  latest: string | null;
  latestDecided: string | null;
  formerBsbs: string;
  editsInLastDay: number;
};

const verificationOf = (which: string) => sql`(SELECT json_object('id', "id", 'status', "status",
    'accountName', "accountName", 'bsb', "bsb", 'accountNumber', "accountNumber",
    'createdAt', "createdAt", 'completedAt', "completedAt")
  FROM "verifications" WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id" ${sql.raw(which)}
  ORDER BY "id" DESC LIMIT 1)`;

/**
 * The organisation's payees that have these accounts, by `accountKey`: one statement for some thousand accounts. The rows
 * read depend on the accounts asked for, not on how many payees there are.
 */
export async function findPayeesByAccount(
  { db }: ReadServices,
  organizationId: string,
  { accounts, now }: { accounts: readonly Account[]; now: number },
): Promise<Map<string, LinePayee>> {
  const found = new Map<string, LinePayee>();
  const distinct = [...new Map(accounts.map((account) => [accountKey(account), account])).values()];
  for (let at = 0; at < distinct.length; at += ACCOUNTS_PER_STATEMENT) {
    const asked = distinct
      .slice(at, at + ACCOUNTS_PER_STATEMENT)
      .flatMap(({ bsb, accountNumber }) => spellingsOf(accountNumber).map((spelling) => [bsb, spelling]));
    const rows = await db.all<Row>(sql`SELECT "payee"."id", "payee"."name", "payee"."accountName", "payee"."bsb",
        "payee"."accountNumber", "payee"."version", "payee"."whitelisted", "payee"."disputedAt",
        "payee"."bankDetailsChangedAt", "payee"."takenOffWhitelistAt", "payee"."contactChangedAt", "payee"."paymentCount", "payee"."lastPaymentDate",
        "payee"."email",
        ${verificationOf("")} AS "latest",
        ${verificationOf("AND \"status\" IN ('verified', 'rejected')")} AS "latestDecided",
        (SELECT max("amount") FROM (SELECT "amount" FROM "payment_records" AS "paid"
          WHERE "paid"."organizationId" = "payee"."organizationId" AND "paid"."payeeId" = "payee"."id"
            AND "paid"."status" = 'successful'
          ORDER BY "paid"."id" DESC LIMIT ${sql.raw(String(RECENT_PAYMENTS))}) AS "walk") AS "largestRecentAmount",
        (SELECT json_group_array(DISTINCT "oldValue") FROM "payee_changes"
          WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id" AND "field" = 'bsb'
            AND "oldValue" IS NOT NULL) AS "formerBsbs",
        (SELECT count(DISTINCT "createdAt") FROM "payee_changes"
          WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
            AND "createdAt" > ${now - DAY_MS}) AS "editsInLastDay"
      FROM json_each(${JSON.stringify(asked)}) AS "asked" CROSS JOIN "payees" AS "payee"
      WHERE "payee"."organizationId" = ${organizationId} AND "payee"."bsb" = "asked"."value" ->> 0
        AND "payee"."accountNumber" = "asked"."value" ->> 1`);
    for (const row of rows) found.set(accountKey(row), toLinePayee(row));
  }
  return found;
}

function toLinePayee({ latest, latestDecided, formerBsbs, whitelisted, ...payee }: Row): LinePayee {
  return {
    ...payee,
    whitelisted: whitelisted === 1,
    latest: latest === null ? null : (JSON.parse(latest) as PayeeFacts["latest"]),
    latestDecided: latestDecided === null ? null : (JSON.parse(latestDecided) as PayeeFacts["latestDecided"]),
    formerBsbs: JSON.parse(formerBsbs) as string[],
  };
}
