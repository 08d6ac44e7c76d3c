import { findAccountNumberSlip, formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import { emailDomain, findFormerDomain, findLookalikeDomain } from "~/kernel/email";
import {
  type MarkedStretch,
  type MatchType,
  markNames,
  type PreparedName,
  prepareName,
  scoreIfAlike,
} from "~/modules/name-match/index";
import type { Lookalike } from "./verification";

/** What can be said about an account without asking an outside party. Pure: `evidence.server.ts` reads the facts. */

/** The fields of two payees that are compared. */
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

/** The payee's own id, and its earlier email addresses, oldest first. */
type Itself = { payeeId: string; formerEmails: readonly string[] };

/**
 * The organisation's payees that this one could imitate or be mistaken for, most urgent first.
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

/** How a payee's names compare with another's: the closer result of both, compared once if they are the same. */
function typeOfNames({ accountName, name }: PreparedNames, candidate: Candidate): MatchType {
  const byAccountName = typeOf(accountName, candidate.accountName);
  const isSamePair = accountName.text === name.text && candidate.accountName === candidate.name;
  if (byAccountName === "exact" || isSamePair) return byAccountName;
  const byName = typeOf(name, candidate.name);
  return byName === "exact" || byAccountName === "none" ? byName : byAccountName;
}

function lookalikeByName(subject: Comparable, names: PreparedNames, candidate: Candidate): Lookalike | undefined {
  const type = typeOfNames(names, candidate);
  if (type === "none") return undefined;
  const { payeeId, name } = candidate;
  const slip =
    subject.bsb === candidate.bsb ? findAccountNumberSlip(subject.accountNumber, candidate.accountNumber) : undefined;
  const masked = maskAccountNumber(candidate.accountNumber);
  if (slip) {
    const what = slip === "substitution" ? "One digit differs from" : "Two neighbouring digits are swapped in";
    const detail = `${what} the account number of this payee (${masked}), which has ${type === "exact" ? "the same" : "a similar"} name.`;
    return { payeeId, name, reason: "account_number_slip", detail };
  }
  const detail = `This payee has ${type === "exact" ? "the same" : "a similar"} name and a different account: ${formatBsb(candidate.bsb)} ${masked}.`;
  return { payeeId, name, reason: type === "exact" ? "same_name" : "similar_name", detail };
}

function lookalikeByDomain(subject: Comparable, candidate: Candidate): Lookalike | undefined {
  if (subject.email === null || candidate.email === null) return undefined;
  const domain = emailDomain(subject.email);
  const known = emailDomain(candidate.email);
  if (!findLookalikeDomain(domain, [known])) return undefined;
  const detail = `The email domain ${domain} is easily mistaken for ${known}, which this payee uses.`;
  return { payeeId: candidate.payeeId, name: candidate.name, reason: "email_domain", detail };
}

/** An entry for the payee itself in its lookalikes, if its new email domain resembles the former one. */
export function lookalikeOfItself(
  { name, email }: Pick<Comparable, "name" | "email">,
  { payeeId, formerEmails }: Itself,
): Lookalike[] {
  const known = email === null ? undefined : findFormerDomain(email, formerEmails);
  if (email === null || known === undefined) return [];
  const detail = `The payee's email address moved from ${known} to ${emailDomain(email)}, which is easily mistaken for it.`;
  return [{ payeeId, name, reason: "former_email_domain", detail }];
}

/**
 * The sentences of the two functions above, and those about an invoice's sender. They are stored as sentences, so the
 * domains have to be found in them again.
 */
const DOMAINS_SAID = [
  /The email domain (\S+) is easily mistaken for (\S+),/,
  /moved from (\S+) to (\S+), which is easily/,
  /The email came from (\S+)\. You know (\S+), which looks (?:similar|alike)/,
];

/** The sentence with the letters marked in which two similar domains differ. */
export function markDomains(sentence: string): MarkedStretch[] {
  const said = DOMAINS_SAID.map((pattern) => pattern.exec(sentence)).find((found) => found);
  const [all, a, b] = said ?? [];
  if (!said || !all || !a || !b) return [{ text: sentence, status: "same" }];
  const shorter = Math.min(a.length, b.length);
  let from = 0;
  while (from < shorter && a[from] === b[from]) from++;
  let after = 0;
  while (after < shorter - from && a.at(-1 - after) === b.at(-1 - after)) after++;
  const differing = {
    ...{ submittedStart: from, submittedEnd: a.length - after, heldStart: from, heldEnd: b.length - after },
    status: a.length - after === from ? "only_held" : b.length - after === from ? "only_submitted" : "different",
  } as const;
  const { submitted, held } = markNames(a, b, [differing]);
  const plain = (text: string): MarkedStretch => ({ text, status: "same" });
  const first = said.index + all.indexOf(a);
  const rest = sentence.slice(first + a.length);
  const second = rest.indexOf(b);
  return [
    plain(sentence.slice(0, first)),
    ...submitted,
    plain(rest.slice(0, second)),
    ...held,
    plain(rest.slice(second + b.length)),
  ];
}

/** Takes items from several lists in turn, so that one common word cannot crowd out the others. */
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

/** How many other organisations vouch for an account, grouped by how their name for it compares with this one. */
export type Vouching = {
  exact: number;
  close: number;
  different: number;
  /** Organisations that trust the account but do not count; absent in evidence from before this was stored. */
  leftOut?: number;
};

/** Another organisation's trust in an account. */
export type Voucher = {
  accountName: string;
  /** Epoch milliseconds. */
  vouchedAt: number | null;
  organizationCreatedAt: number;
  /** The organisation is not suspended, and its trial or subscription is current. */
  isLive: boolean;
  /** It paid at least one invoice. */
  hasPaid: boolean;
  /** Its trust rests on the bank's answer about exactly these details. */
  isBankVerified: boolean;
  /** Confirmed email domains. */
  domains: readonly string[];
  /** Ids of its present and former members. */
  people: readonly string[];
};

/** The domains and people of the organisation that the evidence is gathered for. */
export type Asker = Pick<Voucher, "domains" | "people">;

/** An organisation younger than this does not count. */
const MIN_AGE_MS = 60 * DAY_MS;

/** If all the organisations vouched within this time, they count as one. */
const SAME_WEEK_MS = 7 * DAY_MS;

/**
 * Counts the organisations whose vouching is independent: each has paid an invoice, is older than 60 days, relies on a
 * bank's answer, and shares no domain or person with the asking organisation or with another that counts. If all of
 * them vouched within the same week, only the first counts.
 */
export function countVouchers(
  accountName: string,
  { vouchers, asker }: { vouchers: readonly Voucher[]; asker: Asker },
  now: number,
): Vouching {
  const counted = chooseVouchers(vouchers, asker, now);
  const compared = compareSpellings(
    accountName,
    counted.map((voucher) => voucher.accountName),
  );
  return { ...compared, leftOut: vouchers.length - counted.length };
}

/**
 * How the submitted account name compares with others' names for the account. Most organisations use one of a few
 * spellings, so each spelling is compared once.
 */
function compareSpellings(accountName: string, names: readonly string[]) {
  const own = prepareName(accountName);
  const bearers = new Map<string, number>();
  for (const name of names) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  const counts = { exact: 0, close: 0, different: 0 };
  for (const [name, count] of bearers) {
    const matchType = scoreIfAlike(own, name)?.matchType;
    counts[matchType === "exact" ? "exact" : matchType === "fuzzy" ? "close" : "different"] += count;
  }
  return counts;
}

type Dated = Voucher & { vouchedAt: number };

function chooseVouchers(vouchers: readonly Voucher[], asker: Asker, now: number): Dated[] {
  const worthy = vouchers.filter((voucher): voucher is Dated => voucher.vouchedAt !== null && isWorthy(voucher, now));
  const chosen: Dated[] = [];
  for (const voucher of worthy.sort((a, b) => a.vouchedAt - b.vouchedAt)) {
    if (![asker, ...chosen].some((other) => isRelated(voucher, other))) chosen.push(voucher);
  }
  const [first] = chosen;
  const last = chosen.at(-1);
  const isOneWeek = first !== undefined && last !== undefined && last.vouchedAt - first.vouchedAt <= SAME_WEEK_MS;
  return isOneWeek ? [first] : chosen;
}

function isWorthy(voucher: Voucher, now: number): boolean {
  const { isLive, hasPaid, isBankVerified, organizationCreatedAt, domains } = voucher;
  const isOldEnough = now - organizationCreatedAt > MIN_AGE_MS;
  return isLive && hasPaid && isBankVerified && isOldEnough && domains.length > 0;
}

const isRelated = (a: Asker, b: Asker) =>
  a.domains.some((domain) => b.domains.includes(domain)) || a.people.some((person) => b.people.includes(person));
