import { organizationDomains, organizations, organizationUsers, payees, verifications } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import { fingerprintsOfAccount } from "~/modules/account-fingerprints/payee-fingerprint.server";
import { isLive } from "~/modules/billing/subscription";
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
 * Every other organisation that chose to vouch for this account (the global whitelist), with what decides whether it
 * counts. Who they are is for `countVouchers` alone.
 */
export async function listVouchers(
  services: Reading,
  { organizationId, details }: { organizationId: string; details: PayeeDetails },
): Promise<{ vouchers: Voucher[]; asker: Asker }> {
  const { db, clock } = services;
  const fingerprints = await fingerprintsOfAccount(services, details);
  const [rows, [asker]] = await Promise.all([
    db
      .select({
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
        sql`${payees.id} IN (SELECT ${payees.id} FROM ${payees}
          WHERE ${payees.accountFingerprint} IN (SELECT value FROM json_each(${JSON.stringify(fingerprints)}))
          AND ${payees.whitelistGlobal} = 1 AND ${payees.organizationId} <> ${organizationId} LIMIT ${MAX_VOUCHERS})`,
      ),
    db.select(relationsOf(organizationId)).from(organizations).where(eq(organizations.id, organizationId)),
  ]);
  const now = clock.now();
  return {
    vouchers: rows.map(({ active, subscriptionStatus, trialEndsAt, firstPaidAt, ...row }) => ({
      ...row,
      ...parseRelations(row),
      isLive: active && isLive({ subscriptionStatus, trialEndsAt, firstPaidAt }, now),
      hasPaid: firstPaidAt !== null,
      isBankVerified: row.isBankVerified === 1,
    })),
    asker: asker ? parseRelations(asker) : { domains: [], people: [] },
  };
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
