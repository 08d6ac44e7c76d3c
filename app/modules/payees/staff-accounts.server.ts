import { payees, staffAccounts } from "@db/schema";
import { count, eq, max, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";

type Asking = { organizationId: string };

/** More matches than any person looks through at once. */
const MAX_MATCHES = 100;

/** How many accounts are watched, and since when; null where none are. */
export async function findStaffList({ db }: ReadServices, { organizationId }: Asking) {
  const [row] = await db
    .select({ accounts: count(), loadedAt: max(staffAccounts.createdAt) })
    .from(staffAccounts)
    .where(eq(staffAccounts.organizationId, organizationId));
  return row?.loadedAt ? { accounts: row.accounts, loadedAt: row.loadedAt } : null;
}

/** Payees whose account is one that staff are paid to, by name. For administrators alone. */
export async function listStaffPayees({ db }: ReadServices, { organizationId }: Asking) {
  return db.all<{ id: string; name: string; bsb: string; accountNumber: string }>(
    sql`SELECT "payee"."id", "payee"."name", "payee"."bsb", "payee"."accountNumber"
      FROM ${staffAccounts} CROSS JOIN ${payees} AS "payee"
      WHERE ${staffAccounts.organizationId} = ${organizationId} AND "payee"."organizationId" = ${organizationId}
        AND "payee"."accountFingerprint" = ${staffAccounts.accountFingerprint}
      ORDER BY "payee"."name" LIMIT ${MAX_MATCHES}`,
  );
}
