import {
  columnsOf,
  organizationDomains,
  organizations,
  organizationUsers,
  payeeChanges,
  payees,
  payeeTerms,
  verifications,
} from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { accountKey, describeInstitution, hasUnusualAccountLength } from "~/kernel/bank-account";
import { toIso } from "~/kernel/dates";
import { emailDomain, findFormerDomain, findLookalikeDomain, isFreeMailDomain } from "~/kernel/email";
import type { Account, PayeeDetails } from "~/kernel/payee";
import { isLive } from "~/modules/accounts/billing/subscription";
import {
  domainTerms,
  fingerprintsOfAccount,
  rangesOfDomain,
  rangesOfNames,
  spellingsOf,
  type TermRange,
} from "~/modules/core/payee-keys";
import { findDirectoryEntries } from "~/modules/directories/directory.server";
import type { ReadServices, Services } from "~/services-and-actor";
import { type Asker, type Comparable, countVouchers, findLookalikes, interleave, type Voucher } from "./evidence";
import type { Evidence, Lookalike } from "./verification";

/*
 * What other payees say about a payee: those that it resembles by name or email domain, those that had its account
 * before, and other organisations that trust the account.
 */

/** How many lookalikes the evidence has that only have a similar name ("="), or that have more in common ("<>"). */
const countLookalikes = (operator: "=" | "<>") =>
  sql<number>`(SELECT count(*) FROM json_each(${verifications.evidence}, '$.lookalikes') AS "seen"
    WHERE json_extract("seen"."value", '$.reason') ${sql.raw(operator)} 'similar_name')`;

/** Counts of other payees in a verification's evidence. */
export const countsInEvidence = {
  lookalikes: countLookalikes("<>"),
  similarNames: countLookalikes("="),
  formerHolders: sql<number>`coalesce(json_array_length(${verifications.evidence}, '$.formerHolders'), 0)`,
};

/** With how many payees each subject is compared, and how many one range of the search index gives. */
type Reach = { candidates: number; perRange: number };

const REACH_OF_ONE: Reach = { candidates: 200, perRange: 30 };
/** With hundreds of subjects each gets fewer candidates, so an import costs in proportion to its rows. */
const REACH_OF_MANY: Reach = { candidates: 24, perRange: 6 };

type Subject = {
  /** Null for a payee that is being added. */
  payeeId: string | null;
  details: PayeeDetails;
};

type Reading = Pick<Services, "db" | "clock" | "secrets">;

/** Gathers all that is known about a payee's account at this moment: bounded work, however large the tables. */
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
  services: ReadServices,
  organizationId: string,
  subjects: readonly Subject[],
): Promise<(at: number) => Lookalike[]> {
  const candidatesOf = await listCandidates(services, organizationId, { subjects, reach: REACH_OF_MANY });
  return (at) => {
    const subject = subjects[at];
    return subject ? findLookalikes(subject.details, candidatesOf(at)) : [];
  };
}

async function gather(services: Reading, organizationId: string, subjects: readonly Subject[], reach: Reach) {
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
function whoseItWas(holders: readonly FormerHolder[], payeeId: string | null) {
  const others = formerHoldersBesides(holders, payeeId).slice(0, MAX_FORMER_HOLDERS);
  const own = payeeId === null ? undefined : ownFormerUntil(holders, payeeId);
  return {
    ...(others.length > 0 && { formerHolders: others.map((each) => ({ ...each, until: toIso(each.until) })) }),
    ...(own !== undefined && { ownUntil: toIso(own) }),
  };
}

/** For each subject, the organisation's payees worth comparing with, found through the search index. */
async function listCandidates(
  services: ReadServices,
  organizationId: string,
  { subjects, reach }: { subjects: readonly Subject[]; reach: Reach },
): Promise<(at: number) => (Comparable & { payeeId: string })[]> {
  const { db } = services;
  const rangesOf = subjects.map(({ details: { email, accountName, name } }) => [
    ...rangesOfDomain(domainTerms(email)),
    ...rangesOfNames([accountName, name]),
  ]);
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

async function readCandidates({ db }: ReadServices, organizationId: string, ids: readonly string[]) {
  const rows = await db
    .select({
      payeeId: payees.id,
      ...columnsOf(payees, "name", "accountName", "bsb", "accountNumber", "email"),
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

/** JSON of the organisation's domains and people in this column. People who wait for approval are not members. */
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
type VoucherRow = NonNullable<ReturnType<Awaited<ReturnType<typeof readVouchers>>["get"]>>;

/** The vouching payees of other organisations, by id. Does not query anything if nobody vouches. */
async function readVouchers({ db }: Reading, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .select({
      ...columnsOf(payees, "id", "accountName"),
      vouchedAt: payees.whitelistedAt,
      organizationCreatedAt: organizations.createdAt,
      ...columnsOf(organizations, "active", "subscriptionStatus", "trialEndsAt", "firstPaidAt"),
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

const RANGES_PER_STATEMENT = 1_000;
const PAYEES_PER_RANGE = 10;

export type Candidate = Pick<
  typeof payees.$inferSelect,
  "id" | "name" | "accountName" | "bsb" | "accountNumber" | "email" | "paymentCount"
>;

const keyOf = ({ from, to }: TermRange) => JSON.stringify([from, to]);

/** The payees in these ranges of the search index. Many names share a word, so each range is read once. */
export async function listInRanges(
  { db }: ReadServices,
  organizationId: string,
  ranges: readonly TermRange[],
): Promise<(range: TermRange) => Candidate[]> {
  const found = new Map<string, Candidate[]>();
  const distinct = [...new Map(ranges.map(({ from, to }) => [keyOf({ from, to }), { from, to }])).values()];
  for (const part of inParts(distinct, RANGES_PER_STATEMENT)) {
    const asked = JSON.stringify(part);
    const rows = await db.all<Candidate & TermRange>(sql`SELECT DISTINCT "asked"."value" ->> 'from' AS "from",
        "asked"."value" ->> 'to' AS "to", "payee"."id", "payee"."name", "payee"."accountName", "payee"."bsb", "payee"."accountNumber", "payee"."email",
        "payee"."paymentCount"
      FROM json_each(${asked}) AS "asked"
      CROSS JOIN json_each((SELECT json_group_array("payeeId") FROM (
        SELECT "payeeId" FROM "payee_terms" WHERE "organizationId" = ${organizationId}
          AND "term" >= "asked"."value" ->> 'from' AND "term" <= "asked"."value" ->> 'to'
        LIMIT ${sql.raw(String(PAYEES_PER_RANGE))}) AS "walk")) AS "near"
      CROSS JOIN "payees" AS "payee"
      WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = "near"."value"`);
    for (const { from, to, ...candidate } of rows) {
      const key = keyOf({ from, to });
      found.set(key, [...(found.get(key) ?? []), candidate]);
    }
  }
  return (range) => found.get(keyOf(range)) ?? [];
}

/**
 * For each payee, by id: the better known domain that its email domain could be mistaken for. That is the domain it had
 * when it was last verified, the organisation's own, or that of a payee that was paid more often.
 */
export async function findLookalikeDomains(
  services: ReadServices,
  organizationId: string,
  payees: readonly { id: string; email: string | null; paymentCount: number; contactChangedAt: number | null }[],
): Promise<Map<string, { domain: string; known: string }>> {
  const asked = payees.flatMap(({ id, paymentCount, email }) => {
    if (email === null || isFreeMailDomain(emailDomain(email))) return [];
    return [{ id, email, domain: emailDomain(email), paymentCount }];
  });
  if (asked.length === 0) return new Map();
  const moved = payees.filter(({ contactChangedAt }) => contactChangedAt !== null).map(({ id }) => id);
  const byDomain = new Map(asked.map((each) => [each.domain, each]));
  const rangesOf = new Map(
    [...byDomain.values()].map(({ domain, email }) => [domain, rangesOfDomain(domainTerms(email))]),
  );
  const [candidatesIn, own, formerEmailsOf] = await Promise.all([
    listInRanges(services, organizationId, [...rangesOf.values()].flat()),
    listOwnDomains(services, organizationId),
    listFormerEmails(services, organizationId, moved),
  ]);
  const found = new Map<string, { domain: string; known: string }>();
  for (const { id, email, domain, paymentCount } of asked) {
    const near = (rangesOf.get(domain) ?? []).flatMap(candidatesIn);
    const better = near.filter((other) => other.paymentCount > paymentCount && other.email);
    const known = [...own, ...better.map(({ email }) => emailDomain(email ?? ""))];
    const alike = findFormerDomain(email, formerEmailsOf(id)) ?? findLookalikeDomain(domain, known)?.known;
    if (alike !== undefined) found.set(id, { domain, known: alike });
  }
  return found;
}

export async function listOwnDomains({ db }: ReadServices, organizationId: string): Promise<string[]> {
  const rows = await db.all<{ domain: string }>(
    sql`SELECT "domain" FROM "organization_domains" WHERE "organizationId" = ${organizationId}`,
  );
  return rows.map(({ domain }) => domain);
}

/** How many accounts one statement asks about: each has up to six spellings. */
const ACCOUNTS_PER_STATEMENT = 1_000;

type KnownPayee = Account & { payeeId: string; name: string; archivedAt: number | null };

/**
 * The organisation's payees that had these accounts until their bank details changed, or that are archived and have
 * them; the most recent holder comes first. Includes a payee that went back to its own former account
 * (`formerHoldersBesides`, `ownFormerUntil`); leaves out an active payee that has the account now for the first time.
 */
export async function findFormerHolders(
  services: ReadServices,
  organizationId: string,
  accounts: readonly Account[],
): Promise<(account: Account) => FormerHolder[]> {
  const found = new Map<string, FormerHolder[]>();
  const distinct = [...new Map(accounts.map((account) => [accountKey(account), account])).values()];
  const asked = new Set(distinct.map(accountKey));
  const numbers = distinct.map(({ accountNumber }) => spellingsOf(accountNumber));
  // Promise.all sends these as one database call. A payee found by several parts counts once.
  const parts = inParts(numbers, ACCOUNTS_PER_STATEMENT).map((part) => part.flat());
  const read = await Promise.all(parts.map((part) => listPayees(services, organizationId, part)));
  for (const [payee, changes] of new Map(read.flat().map((known) => [known[0].payeeId, known])).values()) {
    for (const [key, holder] of heldBy(payee, changes)) {
      if (asked.has(key)) found.set(key, [...(found.get(key) ?? []), holder]);
    }
  }
  return (account) => (found.get(accountKey(account)) ?? []).sort((a, b) => b.until - a.until);
}

/** Each account that a payee had and gave up, once, with the last time it did so. */
function heldBy(payee: KnownPayee, changes: readonly AccountChange[]): Map<string, FormerHolder> {
  const { payeeId, name, archivedAt } = payee;
  const held = new Map<string, FormerHolder>();
  if (archivedAt !== null) held.set(accountKey(payee), { payeeId, name, until: archivedAt, isArchived: true });
  for (const { changedAt, ...account } of formerAccounts(payee, changes)) {
    const key = accountKey(account);
    if (!held.has(key)) held.set(key, { payeeId, name, until: changedAt, isArchived: false });
  }
  return held;
}

/**
 * Payees that had one of these account numbers, or have it and had a different BSB or are archived: each with the
 * changes of its account, newest first.
 */
async function listPayees({ db }: ReadServices, organizationId: string, numbers: readonly string[]) {
  const asked = JSON.stringify([...new Set(numbers)]);
  const rows = await db.all<
    KnownPayee & { [Key in keyof AccountChange]: AccountChange[Key] | null }
  >(sql`SELECT "payee"."id" AS "payeeId", "payee"."name", "payee"."bsb", "payee"."accountNumber", "payee"."archivedAt",
      "change"."field", "change"."oldValue", "change"."createdAt"
    FROM (SELECT "former"."payeeId" FROM json_each(${asked}) AS "number" CROSS JOIN "payee_changes" AS "former"
        WHERE "former"."organizationId" = ${organizationId} AND "former"."field" = 'accountNumber'
          AND "former"."oldValue" = "number"."value"
      UNION SELECT "same"."payeeId" FROM json_each(${asked}) AS "number" CROSS JOIN "payee_terms" AS "same"
        WHERE "same"."organizationId" = ${organizationId} AND "same"."term" = "number"."value") AS "walk"
    CROSS JOIN "payees" AS "payee"
    LEFT JOIN "payee_changes" AS "change" ON "change"."organizationId" = ${organizationId}
      AND "change"."payeeId" = "payee"."id" AND "change"."field" IN ('bsb', 'accountNumber')
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = "walk"."payeeId"
      AND ("payee"."bankDetailsChangedAt" IS NOT NULL OR "payee"."archivedAt" IS NOT NULL)
    ORDER BY "payee"."id", "change"."id" DESC`);
  const payees = new Map<string, [KnownPayee, AccountChange[]]>();
  for (const { field, oldValue, createdAt, ...payee } of rows) {
    const known = payees.get(payee.payeeId) ?? [payee, []];
    if (field !== null && createdAt !== null) known[1].push({ field, oldValue, createdAt });
    payees.set(payee.payeeId, known);
  }
  return [...payees.values()];
}

/** A changed field of a payee, as stored. */
export type AccountChange = { field: string; oldValue: string | null; createdAt: number };

/**
 * A payee's former accounts, most recent first, each with when it was given up.
 * @param changes of its BSB and account number, newest first; the fields of one edit are stored at the same instant
 */
export function formerAccounts(
  current: Account,
  changes: readonly AccountChange[],
): (Account & { changedAt: number })[] {
  const former: (Account & { changedAt: number })[] = [];
  for (const { field, oldValue, createdAt } of changes) {
    const later = former.at(-1);
    const account = later ?? current;
    const before = { bsb: account.bsb, accountNumber: account.accountNumber, changedAt: createdAt };
    if (field === "bsb" && oldValue !== null) before.bsb = oldValue;
    if (field === "accountNumber" && oldValue !== null) before.accountNumber = oldValue;
    if (later?.changedAt === createdAt) former.pop();
    former.push(before);
  }
  return former;
}

/** A payee that had an account, and until when. */
export type FormerHolder = {
  payeeId: string;
  name: string;
  /** When its bank details changed; for an archived payee that still has the account, when it was archived. */
  until: number;
  /** It is archived and still has the account. */
  isArchived: boolean;
};

/** Other payees that had this payee's account: evidence against it. `payeeId` null: the payee is being added. */
export const formerHoldersBesides = (holders: readonly FormerHolder[], payeeId: string | null): FormerHolder[] =>
  holders.filter((holder) => holder.payeeId !== payeeId);

/** When the payee itself gave up this account before going back to it; undefined: it never had it before. */
export const ownFormerUntil = (holders: readonly FormerHolder[], payeeId: string): number | undefined =>
  holders.find((holder) => holder.payeeId === payeeId && !holder.isArchived)?.until;

/** More than a legitimate payee has between two verifications; the first show which domain a new one may imitate. */
const MAX_EMAILS = 20;

/**
 * The email addresses that payees had since they were last verified, oldest first and the present one last. An approval
 * accepts the address of its time, so earlier addresses no longer count against the payee.
 */
export async function listFormerEmails(
  { db }: ReadServices,
  organizationId: string,
  payeeIds: readonly string[],
): Promise<(payeeId: string) => string[]> {
  if (payeeIds.length === 0) return () => [];
  const rows = await db.all<{ id: string; former: string; email: string | null }>(
    sql`SELECT ${payees.id}, ${payees.email}, (SELECT json_group_array("oldValue") FROM (
          SELECT "oldValue" FROM ${payeeChanges} AS "changed" WHERE "changed"."organizationId" = ${organizationId}
            AND "changed"."payeeId" = ${payees.id} AND "changed"."field" = 'email' AND "changed"."oldValue" IS NOT NULL
            AND "changed"."createdAt" > coalesce((SELECT "completedAt" FROM ${verifications} AS "approved"
              WHERE "approved"."organizationId" = ${organizationId} AND "approved"."payeeId" = ${payees.id}
                AND +"approved"."status" = 'verified' ORDER BY "approved"."id" DESC LIMIT 1), 0)
          ORDER BY "changed"."id" LIMIT ${MAX_EMAILS}) AS "walk") AS "former"
        FROM json_each(${JSON.stringify(payeeIds)}) AS "asked" CROSS JOIN ${payees}
        WHERE ${payees.organizationId} = ${organizationId} AND ${payees.id} = "asked"."value"`,
  );
  const emailsOf = new Map(
    rows.map(({ id, former, email }) => [
      id,
      [...(JSON.parse(former) as string[]), ...(email === null ? [] : [email])],
    ]),
  );
  return (payeeId) => emailsOf.get(payeeId) ?? [];
}
