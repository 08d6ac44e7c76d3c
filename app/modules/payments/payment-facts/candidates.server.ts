import { sql } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/account-number";
import { inParts } from "~/kernel/all-in-order";
import { emailDomain, findLookalikeDomain, isFreeMailDomain } from "~/kernel/email";
import { domainTerms } from "~/modules/core/search-terms";
import { type PreparedName, prepareName, scoreIfAlike } from "~/modules/name-match";
import {
  findFormerDomain,
  rangesOfDomain,
  rangesOfNames,
  type TermRange,
} from "~/modules/payees/verifications/evidence";
import { listFormerEmails } from "~/modules/payees/verifications/evidence.server";
import type { FurtherFacts } from "~/modules/rules/facts";
import type { ReadServices } from "~/services";
import type { KnownPayee } from "./payees.server";

/** Payees that a name or an email domain in a file could be meant to pass for, found through the search index. */

const RANGES_PER_STATEMENT = 1_000;
const PAYEES_PER_RANGE = 10;
/** The longest words of a name tell most; two of them find a payee under one of them misspelt. */
const RANGES_PER_NAME = 2;
const MAX_NAMESAKES = 3;

type Candidate = {
  id: string;
  name: string;
  accountName: string;
  bsb: string;
  accountNumber: string;
  email: string | null;
  paymentCount: number;
};

const keyOf = ({ from, to }: TermRange) => JSON.stringify([from, to]);

/** The payees in these ranges of the search index. Many names share a word: each range is read once. */
async function listInRanges(
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

type Namesakes = FurtherFacts["namesakes"];

/** For each name of an unknown account, the payees that bear it: exactly, or nearly as a bank compares names. */
export async function findNamesakes(
  services: ReadServices,
  organizationId: string,
  names: readonly string[],
): Promise<Map<string, Namesakes>> {
  const distinct = [...new Set(names)];
  const rangesOf = new Map(distinct.map((name) => [name, rangesOfNames([name]).slice(0, RANGES_PER_NAME)]));
  const candidatesIn = await listInRanges(services, organizationId, [...rangesOf.values()].flat());
  const prepared = new Map<string, PreparedName>();
  return new Map(
    [...rangesOf].map(([name, ranges]) => {
      const near = new Map(ranges.flatMap(candidatesIn).map((payee) => [payee.id, payee]));
      if (near.size === 0) return [name, []];
      const asked = prepareName(name);
      const alike = [...near.values()]
        .flatMap((payee) => {
          const found = scoreIfAlike(asked, prepareOnce(prepared, payee.accountName));
          return found ? [{ payee, score: found.score }] : [];
        })
        .sort((a, b) => b.score - a.score)
        .slice(0, MAX_NAMESAKES);
      return [name, alike.map(({ payee }) => toNamesake(payee))];
    }),
  );
}

/** Many names of a file are near the same payees. */
function prepareOnce(prepared: Map<string, PreparedName>, name: string): PreparedName {
  const known = prepared.get(name) ?? prepareName(name);
  prepared.set(name, known);
  return known;
}

const toNamesake = ({ id, name, bsb, accountNumber }: Candidate): Namesakes[number] => ({
  payeeId: id,
  name,
  bsb,
  maskedAccountNumber: maskAccountNumber(accountNumber),
});

type Addressed = Pick<KnownPayee, "facts" | "email">;

/**
 * For each payee whose email domain could be taken for a better known one: the one it was at when it was last verified,
 * the organisation's own, or that of a payee that was paid more often. By payee id.
 */
export async function findLookalikeDomains(
  services: ReadServices,
  organizationId: string,
  payees: readonly Addressed[],
): Promise<Map<string, { domain: string; known: string }>> {
  const asked = payees.flatMap(({ facts: { id, paymentCount }, email }) => {
    if (email === null || isFreeMailDomain(emailDomain(email))) return [];
    return [{ id, email, domain: emailDomain(email), paymentCount }];
  });
  if (asked.length === 0) return new Map();
  const moved = payees.filter(({ facts }) => facts.contactChangedAt !== null).map(({ facts }) => facts.id);
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

async function listOwnDomains({ db }: ReadServices, organizationId: string): Promise<string[]> {
  const rows = await db.all<{ domain: string }>(
    sql`SELECT "domain" FROM "organization_domains" WHERE "organizationId" = ${organizationId}`,
  );
  return rows.map(({ domain }) => domain);
}
