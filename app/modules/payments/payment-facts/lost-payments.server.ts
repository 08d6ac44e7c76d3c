import { sql } from "drizzle-orm";
import { accountKey } from "~/kernel/account-number";
import { DAY_MS } from "~/kernel/dates";
import { fingerprintsOfAccount } from "~/modules/core/payee-fingerprint.server";
import { DUPLICATE_DAYS } from "~/modules/rules/duplicate-payment";
import type { FurtherFacts } from "~/modules/rules/facts";
import type { ReadServices, Services } from "~/services";
import type { ReadPayment } from "./facts.server";

/** Whether anything of this organisation was lost by a restore of the database, at any time. */
export async function findAnyLostPayment({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const rows = await db.all(
    sql`SELECT 1 AS "one" FROM "lost_payments" WHERE "organizationId" = ${organizationId} LIMIT 1`,
  );
  return rows.length > 0;
}

type Lost = NonNullable<FurtherFacts["lostPayment"]>;

/**
 * The payment of the same amount to the same account that was lost, by the place of the payment that is asked about. What
 * was lost is not known by its reference: people write it anew. It is looked for as long as a duplicate is.
 */
export async function findLostPayments(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  organizationId: string,
  { asked, now }: { asked: readonly Pick<ReadPayment, "account" | "amount">[]; now: number },
): Promise<ReadonlyMap<number, Lost>> {
  const fingerprints = new Map<string, string[]>();
  for (const { account } of asked) {
    const key = accountKey(account);
    if (!fingerprints.has(key)) fingerprints.set(key, await fingerprintsOfAccount({ secrets }, account));
  }
  const given = asked.flatMap(({ account, amount }, place) =>
    (fingerprints.get(accountKey(account)) ?? []).map((fingerprint) => [place, fingerprint, amount]),
  );
  const rows = await db.all<Lost & { place: number }>(
    sql`SELECT "asked"."value" ->> 0 AS "place", "lost"."paymentId" AS "id", "lost"."createdAt" AS "recordedAt"
      FROM json_each(${JSON.stringify(given)}) AS "asked" CROSS JOIN "lost_payments" AS "lost"
      WHERE "lost"."organizationId" = ${organizationId} AND "lost"."accountFingerprint" = "asked"."value" ->> 1
        AND "lost"."amount" = "asked"."value" ->> 2 AND "lost"."createdAt" > ${now - DUPLICATE_DAYS * DAY_MS}
      ORDER BY "lost"."createdAt"`,
  );
  return new Map(rows.map(({ place, ...lost }) => [place, lost]));
}
