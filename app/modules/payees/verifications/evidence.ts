import { findAccountNumberSlip, maskAccountNumber } from "~/kernel/account-number";
import { formatBsb } from "~/kernel/bsb";
import { emailDomain, findLookalikeDomain } from "~/kernel/email";
import { searchTerms } from "~/kernel/text";
import { type MatchType, type PreparedName, prepareName, scoreIfAlike } from "~/modules/name-match";
import type { Lookalike } from "./verification";

/** What can be said of an account without asking an outside party. Pure: `evidence.queries.server.ts` reads the facts. */

/** What is compared of two payees. */
export type Comparable = {
  name: string;
  accountName: string;
  bsb: string;
  accountNumber: string;
  email: string | null;
};

/** More than a reviewer looks at. */
export const MAX_LOOKALIKES = 10;

const URGENCY: Record<Lookalike["reason"], number> = {
  account_number_slip: 0,
  former_email_domain: 1,
  email_domain: 2,
  same_name: 3,
  similar_name: 4,
};

/** The payee itself as it was: who it is, and the addresses it had, the oldest first. */
type Itself = { payeeId: string; formerEmails: readonly string[] };

/**
 * Own payees that this one could be meant to pass for, or be mistaken for; the most urgent first.
 * @param itself absent for a payee that is being added
 */
export function findLookalikes(
  subject: Comparable,
  candidates: readonly (Comparable & { payeeId: string })[],
  itself?: Itself,
): Lookalike[] {
  const names = { accountName: prepareName(subject.accountName), name: prepareName(subject.name) };
  const found: Lookalike[] = [];
  for (const candidate of candidates) {
    const byName = lookalikeByName(subject, names, candidate);
    if (byName) found.push(byName);
    const byDomain = lookalikeByDomain(subject, candidate);
    if (byDomain) found.push(byDomain);
  }
  if (itself) found.push(...lookalikeOfItself(subject, itself));
  return found.sort((a, b) => URGENCY[a.reason] - URGENCY[b.reason]).slice(0, MAX_LOOKALIKES);
}

type Candidate = Comparable & { payeeId: string };

const typeOf = (own: PreparedName, other: string) => scoreIfAlike(own, other)?.matchType ?? "none";

type PreparedNames = { accountName: PreparedName; name: PreparedName };

/** How a payee's names compare with another's, the nearer of the two; most payees have one name for both, which is compared once. */
function typeOfNames({ accountName, name }: PreparedNames, candidate: Candidate): MatchType {
  const byAccountName = typeOf(accountName, candidate.accountName);
  const isSamePair = accountName.text === name.text && candidate.accountName === candidate.name;
  return byAccountName === "exact" || isSamePair ? byAccountName : closer(byAccountName, typeOf(name, candidate.name));
}

function lookalikeByName(subject: Comparable, names: PreparedNames, candidate: Candidate): Lookalike | undefined {
  const type = typeOfNames(names, candidate);
  if (type === "none") return undefined;
  const { payeeId, name } = candidate;
  const slip =
    subject.bsb === candidate.bsb ? findAccountNumberSlip(subject.accountNumber, candidate.accountNumber) : undefined;
  const masked = maskAccountNumber(candidate.accountNumber);
  if (slip) {
    const what = slip === "substitution" ? "One digit differs from" : "Two neighbouring digits are exchanged in";
    const detail = `${what} the account number of this payee (${masked}), which has ${type === "exact" ? "the same" : "a similar"} name.`;
    return { payeeId, name, reason: "account_number_slip", detail };
  }
  const detail = `This payee has ${type === "exact" ? "the same" : "a similar"} name and another account: ${formatBsb(candidate.bsb)} ${masked}.`;
  return { payeeId, name, reason: type === "exact" ? "same_name" : "similar_name", detail };
}

const closer = (a: MatchType, b: MatchType): MatchType =>
  a === "exact" || b === "exact" ? "exact" : a === "fuzzy" || b === "fuzzy" ? "fuzzy" : "none";

function lookalikeByDomain(subject: Comparable, candidate: Candidate): Lookalike | undefined {
  if (subject.email === null || candidate.email === null) return undefined;
  const domain = emailDomain(subject.email);
  const known = emailDomain(candidate.email);
  if (!findLookalikeDomain(domain, [known])) return undefined;
  const detail = `The email domain ${domain} is easily taken for ${known}, which this payee uses.`;
  return { payeeId: candidate.payeeId, name: candidate.name, reason: "email_domain", detail };
}

/**
 * The domain that a payee's email was at before and that its new one is easily taken for: how invoices are diverted.
 * @param former addresses, the oldest first. A domain that came before all that look like it is the payee's own.
 */
export function findFormerDomain(email: string, former: readonly string[]): string | undefined {
  const domain = emailDomain(email);
  for (const known of former.map(emailDomain)) {
    if (known === domain) return undefined;
    if (findLookalikeDomain(domain, [known])) return known;
  }
  return undefined;
}

/** The payee's own entry among its look-alikes, where its email moved to a domain that looks like the former one. */
export function lookalikeOfItself(
  { name, email }: Pick<Comparable, "name" | "email">,
  { payeeId, formerEmails }: Itself,
): Lookalike[] {
  const known = email === null ? undefined : findFormerDomain(email, formerEmails);
  if (email === null || known === undefined) return [];
  const detail = `The payee's email address moved from ${known} to ${emailDomain(email)}, which is easily taken for it.`;
  return [{ payeeId, name, reason: "former_email_domain", detail }];
}

// Words that half of all payees have in their names: they find every payee and so tell none apart.
const COMMON = new Set(
  "pty ltd limited proprietary inc co company corp the and of for trust trustee services service group holdings australia australian".split(
    " ",
  ),
);
const MAX_WORDS = 6;
const PREFIX_LENGTH = 3;

/** A range of search terms: from `from` up to and including `to`. */
export type TermRange = { from: string; to: string };

/**
 * Where in the search index payees with a same or similar name stand: under the same words, the rarest-looking first, and
 * under words that begin alike (a typing slip is rarely among the first letters of every word).
 */
export function rangesOfNames(names: readonly string[]): TermRange[] {
  const all = [...new Set(names.flatMap(searchTerms))];
  const telling = all.filter((word) => !COMMON.has(word) && word.length > 1);
  const words = (telling.length > 0 ? telling : all).sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  const same = words.map((word) => ({ from: word, to: word }));
  const alike = words
    .filter((word) => word.length > PREFIX_LENGTH)
    .map((word) => word.slice(0, PREFIX_LENGTH))
    .map((prefix) => ({ from: prefix, to: `${prefix}\u{10ffff}` }));
  return [...same, ...alike];
}

const DOMAIN_PREFIX_LENGTH = 3;

/** Where in the search index payees with a look-alike email domain stand, given the terms of this one's domain. */
export function rangesOfDomain(domainTerms: readonly string[]): TermRange[] {
  return domainTerms
    .map((term) => term.slice(0, (term.startsWith("@<") ? 2 : 1) + DOMAIN_PREFIX_LENGTH))
    .map((prefix) => ({ from: prefix, to: `${prefix}\u{10ffff}` }));
}

/** Takes from several lists in turn, so that one common word cannot crowd out the others. */
export function interleave<T>(lists: readonly (readonly T[])[], limit: number): T[] {
  const taken = new Set<T>();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let i = 0; i < longest && taken.size < limit; i++) {
    for (const list of lists) {
      const item = list[i];
      if (item !== undefined && taken.size < limit) taken.add(item);
    }
  }
  return [...taken];
}
