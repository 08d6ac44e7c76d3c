import { sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { askedDomain, emailDomain, findFormerDomain, findLookalikeDomain, isFreeMailDomain } from "~/kernel/email";
import { domainTerms, rangesOfDomain, type TermRange } from "~/modules/core/payee-keys";
import { findDomainAnswers, findFirstSeen } from "~/modules/directories/directory.server";
import { type DomainView, toDomainView } from "~/modules/directories/email-domain";
import type { Asking, PayeeRow } from "~/modules/payees/payee.server";
import type { ReadServices, Services } from "~/services-and-actor";
import { listFormerEmails } from "./former-accounts.server";

const RANGES_PER_STATEMENT = 1_000;

const PAYEES_PER_RANGE = 10;

export type Candidate = {
  id: string;
  name: string;
  accountName: string;
  bsb: string;
  accountNumber: string;
  email: string | null;
  paymentCount: number;
};

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

type Addressed = { id: string; email: string | null; paymentCount: number; contactChangedAt: number | null };

/**
 * For each payee, by id: the better known domain that its email domain could be mistaken for. That is the domain it had
 * when it was last verified, the organisation's own, or that of a payee that was paid more often.
 */
export async function findLookalikeDomains(
  services: ReadServices,
  organizationId: string,
  payees: readonly Addressed[],
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

type Subject = Pick<PayeeRow, "id" | "email" | "abn" | "paymentCount" | "contactChangedAt">;

/** What is known about a payee's email domain; null without an address. */
export async function findPayeeDomain(services: ReadServices, { organizationId }: Asking, payee: Subject) {
  const { id, email, abn } = payee;
  if (email === null) return null;
  const domain = emailDomain(email);
  const registered = askedDomain(email)?.registered;
  const [answersOf, firstSeenAt, lookalikes] = await Promise.all([
    findDomainAnswers(services, [email]),
    registered === undefined ? undefined : findFirstSeen(services, organizationId, registered),
    findLookalikeDomains(services, organizationId, [payee]),
  ]);
  return {
    domain,
    abn,
    isFreeMail: isFreeMailDomain(domain),
    answers: answersOf(email),
    firstSeenAt,
    lookalikeOf: lookalikes.get(id)?.known,
  };
}

/**
 * The same in the form that pages show. @param isLookalikeSaid the page already says elsewhere which domain it
 * resembles
 */
export async function readPayeeDomain(
  services: ReadServices & Pick<Services, "domainRecords" | "domainRegistry">,
  asking: Asking,
  payee: Subject,
  zone: { now: number; showDate: (ms: number) => string },
  isLookalikeSaid = false,
): Promise<DomainView | null> {
  const known = await findPayeeDomain(services, asking, payee);
  const asks = { dns: services.domainRecords !== undefined, rdap: services.domainRegistry !== undefined };
  return known && toDomainView(isLookalikeSaid ? { ...known, lookalikeOf: undefined } : known, { ...zone, asks });
}
