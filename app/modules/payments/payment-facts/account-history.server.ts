import { sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import type { FormerTrust } from "~/kernel/payee";
import type { ReadServices } from "~/services";
import type { AccountHistory } from "./account-history";

const PAYEES_PER_STATEMENT = 500;
/** More than a payee of some years has; what is older tells nothing of an account that is paid today. */
const VERIFICATIONS_PER_PAYEE = 50;
const CHANGES_PER_PAYEE = 50;

type Row = Pick<AccountHistory, "payeeId" | "takenOffWhitelistAt" | "renamedAt"> & {
  accountName: string;
  bsb: string;
  accountNumber: string;
  whitelisted: number;
  whitelistedAt: number | null;
  whitelistedById: string | null;
  formerTrust: string | null;
  verifications: string;
  changes: string;
};

const limit = (rows: number) => sql.raw(String(rows));

const OF_VERIFICATION = [
  "id",
  "accountName",
  "bsb",
  "accountNumber",
  "status",
  "method",
  "outcome",
  "reasonCode",
  "disputedByPayeeAt",
  "createdAt",
  "completedAt",
] as const;
const VERIFICATION_COLUMNS = sql.raw(OF_VERIFICATION.map((name) => `"${name}"`).join(", "));
const VERIFICATION_FIELDS = sql.raw(OF_VERIFICATION.map((name) => `'${name}', "${name}"`).join(", "));

/**
 * What was found out about the accounts that these payees have and had, by payee: some hundred of them in one statement. Of
 * each the newest verifications and changes are read, so the rows read depend on the payees asked for only.
 */
export async function listAccountHistories(
  services: ReadServices,
  organizationId: string,
  payeeIds: readonly string[],
): Promise<Map<string, AccountHistory>> {
  const parts = inParts([...new Set(payeeIds)], PAYEES_PER_STATEMENT);
  const read = await Promise.all(parts.map((part) => readHistories(services, organizationId, part)));
  return new Map(read.flat().map((history) => [history.payeeId, history]));
}

async function readHistories(
  { db }: ReadServices,
  organizationId: string,
  payeeIds: readonly string[],
): Promise<AccountHistory[]> {
  const rows =
    await db.all<Row>(sql`SELECT "payee"."id" AS "payeeId", "payee"."accountName", "payee"."bsb", "payee"."accountNumber",
      "payee"."takenOffWhitelistAt", "payee"."renamedAt", "payee"."whitelisted", "payee"."whitelistedAt", "payee"."whitelistedById",
      "payee"."formerTrust",
      (SELECT json_group_array(json_object(${VERIFICATION_FIELDS}, 'resultData', json("resultData"),
          'decider', (SELECT CASE WHEN "decidedById" IS NULL THEN 'rule' ELSE 'person' END FROM "decisions"
            WHERE "organizationId" = "payee"."organizationId" AND "verificationId" = "walk"."id"),
          'calledAt', (SELECT max("call"."createdAt") FROM "verification_calls" AS "call"
            WHERE "call"."organizationId" = "payee"."organizationId" AND "call"."verificationId" = "walk"."id"
              AND "call"."outcome" = 'confirmed' AND "call"."noProof" IS NULL)))
        FROM (SELECT ${VERIFICATION_COLUMNS}, "resultData" FROM "verifications"
          WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
          ORDER BY "id" DESC LIMIT ${limit(VERIFICATIONS_PER_PAYEE)}) AS "walk") AS "verifications",
      (SELECT json_group_array(json_object('field', "field", 'oldValue', "oldValue", 'createdAt', "createdAt"))
        FROM (SELECT "field", "oldValue", "createdAt" FROM "payee_changes"
          WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
            AND "field" IN ('bsb', 'accountNumber')
          ORDER BY "id" DESC LIMIT ${limit(CHANGES_PER_PAYEE)}) AS "walk") AS "changes"
    FROM json_each(${JSON.stringify(payeeIds)}) AS "wanted" CROSS JOIN "payees" AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = "wanted"."value"`);
  return rows.map(toHistory);
}

function toHistory({ verifications, changes, formerTrust, ...row }: Row): AccountHistory {
  const { payeeId, accountName, bsb, accountNumber, takenOffWhitelistAt, renamedAt } = row;
  const { whitelisted, whitelistedAt, whitelistedById } = row;
  const former: FormerTrust | null = formerTrust === null ? null : JSON.parse(formerTrust);
  return {
    payeeId,
    account: { accountName, bsb, accountNumber },
    takenOffWhitelistAt,
    renamedAt,
    trusts: [
      ...(whitelisted === 1 ? [{ bsb, accountNumber, whitelistedAt, isByPerson: whitelistedById !== null }] : []),
      ...(former ? [{ ...former, isByPerson: former.whitelistedById !== null }] : []),
    ],
    verifications: JSON.parse(verifications),
    changes: JSON.parse(changes),
  };
}
