import { sql } from "drizzle-orm";
import { accountKey } from "~/kernel/account-number";
import { fingerprintsOfAccount } from "~/modules/core/payee-fingerprint.server";
import { describeInstitution } from "~/modules/directories/directory";
import { findDirectoryEntries } from "~/modules/directories/directory.server";
import type { ReadServices, Services } from "~/services";

type Account = { bsb: string; accountNumber: string };

/** Why nothing can be paid to a BSB, in a sentence, by BSB; absent when nothing is wrong with it. */
export async function findBsbProblems(
  { db }: ReadServices,
  accounts: readonly Account[],
): Promise<Map<string, string>> {
  const bsbs = [...new Set(accounts.map(({ bsb }) => bsb))];
  const entryOf = await findDirectoryEntries({ db }, bsbs);
  const problems = new Map<string, string>();
  for (const bsb of bsbs) {
    const institution = describeInstitution(bsb, entryOf(bsb));
    const problem = institution ? institution.problem : "No institution has this BSB.";
    if (problem) problems.set(bsb, problem);
  }
  return problems;
}

/** Whether the organisation has loaded accounts of its staff. */
export async function findAnyStaffAccount({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const rows = await db.all(
    sql`SELECT 1 AS "one" FROM "staff_accounts" WHERE "organizationId" = ${organizationId} LIMIT 1`,
  );
  return rows.length > 0;
}

/** Whether an account is among those of the organisation's staff. Nothing is asked without accounts. */
export async function findStaffAccounts(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  organizationId: string,
  accounts: readonly Account[],
): Promise<(account: Account) => boolean> {
  if (accounts.length === 0) return () => false;
  const byFingerprint = new Map<string, string>();
  for (const account of new Map(accounts.map((each) => [accountKey(each), each])).values()) {
    for (const digest of await fingerprintsOfAccount({ secrets }, account)) {
      byFingerprint.set(digest, accountKey(account));
    }
  }
  const rows = await db.all<{ accountFingerprint: string }>(
    sql`SELECT "accountFingerprint" FROM json_each(${JSON.stringify([...byFingerprint.keys()])}) AS "asked"
      CROSS JOIN "staff_accounts" WHERE "organizationId" = ${organizationId} AND "accountFingerprint" = "asked"."value"`,
  );
  const staff = new Set(rows.map(({ accountFingerprint }) => byFingerprint.get(accountFingerprint)));
  return (account) => staff.has(accountKey(account));
}
