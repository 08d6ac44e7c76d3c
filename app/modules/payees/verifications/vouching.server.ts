import { organizationDomains, organizations, organizationUsers, payees, verifications } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import { isLive } from "~/modules/accounts/billing/subscription";
import { fingerprintsOfAccount } from "~/modules/core/payee-fingerprint.server";
import type { Services } from "~/services";
import type { Asker, Voucher } from "./vouching";

/** Organisations that trust an account and are looked at; more say nothing more. */
const MAX_VOUCHERS = 100;
/** People and domains of an organisation that are compared. */
const MAX_COMPARED = 200;

type Reading = Pick<Services, "db" | "clock" | "secrets">;

/** Domains and people of the organisation of this column, as JSON. Joining waits for approval, so it makes nobody a member. */
const relationsOf = (organizationId: unknown) => ({
  domains: sql<string>`(SELECT json_group_array("domain") FROM (SELECT "domain" FROM ${organizationDomains}
    WHERE "organizationId" = ${organizationId} LIMIT ${MAX_COMPARED}) AS walk)`,
  people: sql<string>`(SELECT json_group_array("userId") FROM (SELECT "userId" FROM ${organizationUsers}
    WHERE "organizationId" = ${organizationId} AND "status" <> 'pending' LIMIT ${MAX_COMPARED}) AS walk)`,
});

/**
 * For each account every other organisation that chose to vouch for it (the global whitelist), with what decides whether it
 * counts. Who they are is for `countVouchers` alone.
 * @returns by the position of the account
 */
export async function listVouchers(
  services: Reading,
  organizationId: string,
  accounts: readonly Account[],
): Promise<(at: number) => { vouchers: Voucher[]; asker: Asker }> {
  const { db, clock } = services;
  const digests = await Promise.all(accounts.map((account) => fingerprintsOfAccount(services, account)));
  const [found, [asker]] = await Promise.all([
    db.all<{ ids: string }>(
      sql`SELECT (SELECT json_group_array("id") FROM (SELECT ${payees.id} FROM ${payees}
          WHERE ${payees.accountFingerprint} IN (SELECT value FROM json_each("account"."value"))
          AND ${payees.whitelistGlobal} = 1 AND ${payees.organizationId} <> ${organizationId} LIMIT ${MAX_VOUCHERS}) AS walk) AS ids
        FROM json_each(${JSON.stringify(digests)}) AS "account"`,
    ),
    db.select(relationsOf(organizationId)).from(organizations).where(eq(organizations.id, organizationId)),
  ]);
  const idsOf = found.map(({ ids }) => JSON.parse(ids) as string[]);
  const vouchers = await readVouchers(services, organizationId, [...new Set(idsOf.flat())]);
  const relations = asker ? parseRelations(asker) : { domains: [], people: [] };
  const now = clock.now();
  const toVoucher = ({ active, subscriptionStatus, trialEndsAt, firstPaidAt, ...row }: VoucherRow): Voucher => ({
    ...row,
    ...parseRelations(row),
    isLive: active && isLive({ subscriptionStatus, trialEndsAt, firstPaidAt }, now),
    hasPaid: firstPaidAt !== null,
    isBankVerified: row.isBankVerified === 1,
  });
  return (at) => ({
    vouchers: (idsOf[at] ?? []).flatMap((id) => vouchers.get(id) ?? []).map(toVoucher),
    asker: relations,
  });
}

type Account = Pick<PayeeDetails, "bsb" | "accountNumber">;
type VoucherRow = NonNullable<ReturnType<Awaited<ReturnType<typeof readVouchers>>["get"]>>;

/** The vouching payees of other organisations, by id. Nothing is asked where nobody vouches. */
async function readVouchers({ db }: Reading, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .select({
      id: payees.id,
      accountName: payees.accountName,
      vouchedAt: payees.whitelistedAt,
      organizationCreatedAt: organizations.createdAt,
      active: organizations.active,
      subscriptionStatus: organizations.subscriptionStatus,
      trialEndsAt: organizations.trialEndsAt,
      firstPaidAt: organizations.firstPaidAt,
      isBankVerified,
      ...relationsOf(payees.organizationId),
    })
    .from(payees)
    .innerJoin(organizations, eq(organizations.id, payees.organizationId))
    .where(
      sql`${payees.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
        AND ${payees.whitelistGlobal} = 1 AND ${payees.organizationId} <> ${organizationId}`,
    );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

function parseRelations({ domains, people }: { domains: string; people: string }): Asker {
  return { domains: JSON.parse(domains) as string[], people: JSON.parse(people) as string[] };
}

const isBankVerified = sql<number>`EXISTS (SELECT 1 FROM ${verifications}
  WHERE ${verifications.organizationId} = ${payees.organizationId} AND ${verifications.payeeId} = ${payees.id}
  AND ${verifications.status} = 'verified' AND ${verifications.method} = 'basiq'
  AND ${verifications.outcome} IN ('match', 'close_match')
  AND ${verifications.accountName} = ${payees.accountName} AND ${verifications.bsb} = ${payees.bsb}
  AND ${verifications.accountNumber} = ${payees.accountNumber})`;
