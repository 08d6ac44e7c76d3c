import { organizationDomains, organizations, organizationUsers, payees, payeeTerms, verifications } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import { describeInstitution, hasUnusualAccountLength } from "~/kernel/bank-account";
import { toIso } from "~/kernel/dates";
import type { PayeeDetails } from "~/kernel/payee";
import { isLive } from "~/modules/accounts/billing/subscription";
import { fingerprintsOfAccount } from "~/modules/core/payee-fingerprint";
import { domainTerms, rangesOfDomain, rangesOfNames } from "~/modules/core/search-terms";
import { findDirectoryEntries } from "~/modules/directories/directory.server";
import type { Services } from "~/services-and-actor";
import { type Asker, type Comparable, countVouchers, findLookalikes, interleave, type Voucher } from "./evidence";
import {
  type FormerHolder,
  findFormerHolders,
  formerHoldersBesides,
  listFormerEmails,
  ownFormerUntil,
} from "./former-accounts.server";
import type { Evidence, Lookalike } from "./verification";

/**
 * How many of the organisation's payees each subject is compared with, and how many are read from one range of the
 * search index.
 */
type Reach = { candidates: number; perRange: number };

const REACH_OF_ONE: Reach = { candidates: 200, perRange: 30 };
/**
 * With hundreds of subjects, each gets fewer candidates, so that the cost of an import stays in proportion to its rows.
 */
const REACH_OF_MANY: Reach = { candidates: 24, perRange: 6 };

type Subject = {
  /** Null for a payee that is being added. */
  payeeId: string | null;
  details: PayeeDetails;
};

type Reading = Pick<Services, "db" | "clock" | "secrets">;

/**
 * Gathers everything known about a payee's account at this moment. The work is bounded, however large the tables are.
 */
export async function gatherEvidence(
  services: Reading,
  { organizationId, ...subject }: Subject & { organizationId: string },
): Promise<Evidence> {
  const [evidence] = await gather(services, organizationId, [subject], REACH_OF_ONE);
  if (!evidence) throw new Error("no evidence was gathered");
  return evidence;
}

/** The same for a few hundred payees in a few statements, in their order. */
export const gatherEvidenceOfMany = (services: Reading, organizationId: string, subjects: readonly Subject[]) =>
  gather(services, organizationId, subjects, REACH_OF_MANY);

/** For each of a few hundred payees, by position: the organisation's payees that resemble it. */
export async function findLookalikesOfMany(
  services: Pick<Services, "db">,
  organizationId: string,
  subjects: readonly Subject[],
): Promise<(at: number) => Lookalike[]> {
  const candidatesOf = await listCandidates(services, organizationId, { subjects, reach: REACH_OF_MANY });
  return (at) => {
    const subject = subjects[at];
    return subject ? findLookalikes(subject.details, candidatesOf(at)) : [];
  };
}

async function gather(
  services: Reading,
  organizationId: string,
  subjects: readonly Subject[],
  reach: Reach,
): Promise<Evidence[]> {
  const accounts = subjects.map(({ details }) => details);
  const [entryOf, vouchersOf, candidatesOf, formerEmailsOf, formerHoldersOf] = await Promise.all([
    findDirectoryEntries(
      services,
      accounts.map(({ bsb }) => bsb),
    ),
    listVouchers(services, organizationId, accounts),
    listCandidates(services, organizationId, { subjects, reach }),
    listFormerEmails(
      services,
      organizationId,
      subjects.flatMap(({ payeeId }) => payeeId ?? []),
    ),
    findFormerHolders(services, organizationId, accounts),
  ]);
  const now = services.clock.now();
  return subjects.map(({ payeeId, details }, at) => ({
    institution: describeInstitution(details.bsb, entryOf(details.bsb)),
    unusualAccountLength: hasUnusualAccountLength(details.bsb, details.accountNumber),
    vouching: countVouchers(details.accountName, vouchersOf(at), now),
    lookalikes: findLookalikes(
      details,
      candidatesOf(at),
      payeeId === null ? undefined : { payeeId, formerEmails: formerEmailsOf(payeeId) },
    ),
    ...whoseItWas(formerHoldersOf(details), payeeId),
  }));
}

/** At most this many former holders of one account are kept. */
const MAX_FORMER_HOLDERS = 5;

/**
 * The former holders of an account, as stored with the verification. While this payee has the account no other can take
 * it, so the list cannot grow later.
 */
function whoseItWas(
  holders: readonly FormerHolder[],
  payeeId: string | null,
): Pick<Evidence, "formerHolders" | "ownUntil"> {
  const others = formerHoldersBesides(holders, payeeId).slice(0, MAX_FORMER_HOLDERS);
  const own = payeeId === null ? undefined : ownFormerUntil(holders, payeeId);
  return {
    ...(others.length > 0 && { formerHolders: others.map((each) => ({ ...each, until: toIso(each.until) })) }),
    ...(own !== undefined && { ownUntil: toIso(own) }),
  };
}

/** For each subject, the organisation's payees worth comparing with, found through the search index. */
async function listCandidates(
  services: Pick<Services, "db">,
  organizationId: string,
  { subjects, reach }: { subjects: readonly Subject[]; reach: Reach },
): Promise<(at: number) => (Comparable & { payeeId: string })[]> {
  const { db } = services;
  const rangesOf = subjects.map(({ details: { email, accountName, name } }) => [
    ...rangesOfDomain(domainTerms(email)),
    ...rangesOfNames([accountName, name]),
  ]);
  const keyOf = ({ from, to }: { from: string; to: string }) => `${from}\n${to}`;
  const ranges = [...new Map(rangesOf.flat().map((range) => [keyOf(range), range])).entries()];
  const found = await db.all<{ ids: string }>(
    sql`SELECT (SELECT json_group_array("payeeId") FROM (
          SELECT ${payeeTerms.payeeId} FROM ${payeeTerms} WHERE ${payeeTerms.organizationId} = ${organizationId}
          AND ${payeeTerms.term} >= json_each.value ->> 'from' AND ${payeeTerms.term} <= json_each.value ->> 'to'
          LIMIT ${reach.perRange}) AS walk) AS ids
        FROM json_each(${JSON.stringify(ranges.map(([, range]) => range))})`,
  );
  const idsIn = new Map(ranges.map(([key], at) => [key, JSON.parse(found[at]?.ids ?? "[]") as string[]]));
  const idsOf = subjects.map(({ payeeId }, at) => {
    const lists = rangesOf[at]?.map((range) => (idsIn.get(keyOf(range)) ?? []).filter((id) => id !== payeeId));
    return interleave(lists ?? [], reach.candidates);
  });
  const known = await readCandidates(services, organizationId, [...new Set(idsOf.flat())]);
  return (at) => (idsOf[at] ?? []).flatMap((id) => known.get(id) ?? []);
}

async function readCandidates({ db }: Pick<Services, "db">, organizationId: string, ids: readonly string[]) {
  const rows = await db
    .select({
      payeeId: payees.id,
      name: payees.name,
      accountName: payees.accountName,
      bsb: payees.bsb,
      accountNumber: payees.accountNumber,
      email: payees.email,
    })
    .from(payees)
    .where(
      and(
        eq(payees.organizationId, organizationId),
        sql`${payees.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  return new Map(rows.map((row) => [row.payeeId, row]));
}

/** At most this many organisations that trust an account are read. */
const MAX_VOUCHERS = 100;
/** At most this many people and domains of an organisation are compared. */
const MAX_COMPARED = 200;

/**
 * JSON of the domains and people of the organisation in this column. People whose joining waits for approval are not
 * members.
 */
const relationsOf = (organizationId: unknown) => ({
  domains: sql<string>`(SELECT json_group_array("domain") FROM (SELECT "domain" FROM ${organizationDomains}
    WHERE "organizationId" = ${organizationId} LIMIT ${MAX_COMPARED}) AS walk)`,
  people: sql<string>`(SELECT json_group_array("userId") FROM (SELECT "userId" FROM ${organizationUsers}
    WHERE "organizationId" = ${organizationId} AND "status" <> 'pending' LIMIT ${MAX_COMPARED}) AS walk)`,
});

/**
 * For each account: every other organisation that vouches for it (the global whitelist), with the facts that decide
 * whether it counts. Only `countVouchers` sees their identities.
 * @returns by the position of the account
 */
export async function listVouchers(
  services: Reading,
  organizationId: string,
  accounts: readonly Pick<PayeeDetails, "bsb" | "accountNumber">[],
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
type VoucherRow = NonNullable<ReturnType<Awaited<ReturnType<typeof readVouchers>>["get"]>>;

/** The vouching payees of other organisations, by id. Does not query anything if nobody vouches. */
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
  AND +${verifications.status} = 'verified' AND ${verifications.method} = 'basiq'
  AND ${verifications.outcome} IN ('match', 'close_match')
  AND ${verifications.accountName} = ${payees.accountName} AND ${verifications.bsb} = ${payees.bsb}
  AND ${verifications.accountNumber} = ${payees.accountNumber})`;
