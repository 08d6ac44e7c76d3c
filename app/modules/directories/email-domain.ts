import { formatAbn, hasElevenDigits } from "~/kernel/abn";
import { DAY_MS, formatRelative } from "~/kernel/dates";
import { NEW_DOMAIN_DAYS, registeredAtOf } from "~/kernel/domain-name";
import type { Registrant, Registration } from "~/ports/domains";

/** Describes an email domain from public information. Pure. */

/** What the DNS says about a domain's email. */
export type MailRecords = {
  dmarc: Dmarc;
  /** Where its email goes: to named hosts, to no hosts, explicitly nowhere (RFC 7505), or the domain does not exist. */
  mail: "hosts" | "no_hosts" | "refused" | "no_domain";
  /** An earlier look-up, last at this ISO instant, found a policy that is gone now. */
  hadDmarcAt?: string;
};

/** A party's answer as stored. Epoch milliseconds. */
type Kept<Said> = {
  /** Null: it has not answered yet. */
  said: Said | null;
  fetchedAt: number | null;
  /** When it last failed to answer, if that was after its last answer. */
  failedAt: number | null;
};

/** The look-up results for a domain; undefined: it was not looked up. */
export type DomainAnswers = { dns?: Kept<MailRecords>; rdap?: Kept<Registration> };

type DomainConcern = "domain_new" | "domain_unregistered" | "dmarc_gone";

/** Who holds the domain, if its registry publishes that. */
export const registrantOf = (said: Registration | null | undefined): Registrant | undefined =>
  said?.state === "registered" ? said.registrant : undefined;

/** Whether a payee's ABN is that of a domain's holder. An ABN of a company ends with its ACN; a trust's does not. */
function compareAbn({ number }: Registrant, abn: string | null): "same" | "other" | "unknown" {
  if (abn === null) return "unknown";
  if (abn.endsWith(number)) return "same";
  return number.length === abn.length ? "other" : "unknown";
}

/** True if the registry names a holder with a different ABN than the payee's. */
export const isOfOtherAbn = ({ rdap }: DomainAnswers, abn: string | null): boolean => {
  const registrant = registrantOf(rdap?.said);
  return registrant !== undefined && compareAbn(registrant, abn) === "other";
};

/** What a person should look at. A missing look-up or answer neither raises nor clears a concern. */
export function domainConcerns({ dns, rdap }: DomainAnswers, now: number): DomainConcern[] {
  const since = registeredAtOf(rdap?.said);
  return [
    ...(rdap?.said?.state === "not_registered" ? (["domain_unregistered"] as const) : []),
    ...(since !== null && now - since < NEW_DOMAIN_DAYS * DAY_MS ? (["domain_new"] as const) : []),
    ...(dns?.said?.hadDmarcAt === undefined ? [] : (["dmarc_gone"] as const)),
  ];
}

type Fact = { term: string; value: string; note?: string };

export type DomainView = {
  domain: string;
  /** A one-line summary; the rest is collapsed. */
  summary: string;
  /** Sentences about what a person should look at. */
  concerns: string[];
  facts: Fact[];
};

type Known = {
  domain: string;
  isFreeMail: boolean;
  answers: DomainAnswers;
  /** When the organisation first had a payee with it; undefined: not recorded. */
  firstSeenAt: number | undefined;
  /** A similar domain of the organisation or of another payee, for which it could be mistaken. */
  lookalikeOf?: string;
  /** The payee's ABN. */
  abn: string | null;
};

type Surroundings = {
  now: number;
  showDate: (ms: number) => string;
  /** Which parties are configured here. */
  asks: { dns: boolean; rdap: boolean };
};

/** The view of a payee's email domain. It never claims that a domain is genuine. */
export function toDomainView(
  { domain, isFreeMail, answers, firstSeenAt, lookalikeOf, abn }: Known,
  surroundings: Surroundings,
): DomainView {
  const { now, showDate } = surroundings;
  const seen =
    firstSeenAt === undefined ? [] : [{ term: "First seen at your organisation", value: showDate(firstSeenAt) }];
  if (isFreeMail) {
    const value = "Free-mail: anyone can have an address there";
    return { domain, summary: "free-mail", concerns: [], facts: [{ term: "Kind", value }] };
  }
  const registration = registrationWords(answers.rdap, surroundings);
  const dmarc = dmarcWords(answers.dns, domain, surroundings);
  return {
    domain,
    summary: `${registration.short}, ${dmarc.short}`,
    concerns: [
      ...(lookalikeOf === undefined ? [] : [`It is easily mistaken for ${lookalikeOf}.`]),
      ...domainConcerns(answers, now).map((concern) => concernWords(concern, answers, surroundings)),
      ...(isOfOtherAbn(answers, abn) ? ["The .au registry names a holder of this domain with another ABN."] : []),
    ],
    facts: [
      { term: "Registered", value: registration.long, note: noteOf(answers.rdap, surroundings) },
      ...registrantFacts(registrantOf(answers.rdap?.said), abn),
      { term: "DMARC", value: dmarc.long, note: noteOf(answers.dns, surroundings) },
      ...(answers.dns?.said ? [{ term: "Takes email", value: MAIL[answers.dns.said.mail] }] : []),
      { term: "Kind", value: "Not a free-mail provider that we know" },
      ...seen,
    ],
  };
}

function concernWords(concern: DomainConcern, { dns, rdap }: DomainAnswers, { now, showDate }: Surroundings): string {
  if (concern === "domain_unregistered") return "The registry says that nobody has registered this domain.";
  if (concern === "domain_new")
    return `The domain was registered ${formatRelative(registeredAtOf(rdap?.said) ?? now, now)}.`;
  const had = Date.parse(dns?.said?.hadDmarcAt ?? "");
  return `The domain had a DMARC policy, last seen on ${showDate(had)}, and has none now.`;
}

/** When it was looked up, or when it first went unanswered. */
function noteOf(kept: Kept<unknown> | undefined, { showDate }: Surroundings): string | undefined {
  if (!kept) return undefined;
  const { fetchedAt, failedAt } = kept;
  const looked = fetchedAt === null ? [] : [`Looked up on ${showDate(fetchedAt)}.`];
  const failed =
    failedAt === null || fetchedAt === null ? [] : [`Asked again on ${showDate(failedAt)}, without an answer.`];
  return [...looked, ...failed].join(" ") || undefined;
}

type Said = { short: string; long: string };

/** Why nothing is known: nobody is asked here, there was no answer, or it is too early. */
function whyUnknown(kept: Kept<unknown> | undefined, isAsked: boolean, showDate: Surroundings["showDate"]): string {
  if (kept?.failedAt != null) return `Could not be looked up: no answer, last on ${showDate(kept.failedAt)}`;
  return isAsked ? "Not looked up yet" : "Not looked up: lookups are not set up here";
}

function registrationWords(kept: DomainAnswers["rdap"], { now, showDate, asks }: Surroundings): Said {
  const short = "registration not known";
  if (!kept?.said) return { short, long: whyUnknown(kept, asks.rdap, showDate) };
  const since = registeredAtOf(kept.said);
  if (since !== null) {
    const age = formatRelative(since, now);
    return { short: `registered ${age}`, long: `${showDate(since)}, ${age}` };
  }
  if (kept.said.state === "not_registered")
    return { short: "not registered", long: "The registry says that it is not registered" };
  if (kept.said.state === "no_registry")
    return { short, long: "Not known: no registry publishes registrations under this ending" };
  return { short: "registered, date not known", long: "Yes, but the registry does not publish the date" };
}

function registrantFacts(registrant: Registrant | undefined, abn: string | null): Fact[] {
  if (!registrant) return [];
  const { name, number } = registrant;
  const id = hasElevenDigits(number) ? `ABN ${formatAbn(number)}` : `ACN ${number}`;
  const note = { same: "The payee's own ABN.", other: "Not the payee's ABN.", unknown: undefined };
  return [{ term: "Holder", value: [name, id].filter(Boolean).join(", "), note: note[compareAbn(registrant, abn)] }];
}

const POLICY_WORDS = {
  reject: "Reject: email that fails the check should be refused",
  quarantine: "Quarantine: email that fails the check should be set aside",
  none: "None: the record only asks for reports. Anyone can send email that names this domain as the sender",
};

const NO_DMARC = {
  none: "No record. Anyone can send email that names this domain as the sender",
  several: "Several records, which count as none. Anyone can send email that names this domain as the sender",
  malformed:
    "A record that cannot be read, which counts as none. Anyone can send email that names this domain as the sender",
};

function dmarcWords(kept: DomainAnswers["dns"], domain: string, { showDate, asks }: Surroundings): Said {
  if (!kept?.said) return { short: "DMARC not known", long: whyUnknown(kept, asks.dns, showDate) };
  const { dmarc } = kept.said;
  if (dmarc.state !== "policy") return { short: "no DMARC", long: NO_DMARC[dmarc.state] };
  const share =
    dmarc.percent === 100 ? "" : dmarc.percent === 0 ? ", as a test only" : `, for ${dmarc.percent} % of it`;
  const from = dmarc.of === domain ? "" : ` (as ${dmarc.of} says)`;
  return { short: `DMARC ${dmarc.policy}`, long: `${POLICY_WORDS[dmarc.policy]}${share}${from}` };
}

const MAIL: Readonly<Record<MailRecords["mail"], string>> = {
  hosts: "Yes, at the hosts that it names (MX)",
  no_hosts: "It names no host for its email (MX)",
  refused: "No, it says that it accepts no email (MX)",
  no_domain: "No, the DNS has no such domain",
};

/** Reads a domain's DMARC record: what receivers do with email that fails authentication (RFC 7489). Pure. */

const POLICIES = ["none", "quarantine", "reject"] as const;
type DmarcPolicy = (typeof POLICIES)[number];

export type Dmarc =
  | {
      state: "policy";
      policy: DmarcPolicy;
      /** The domain that the record belongs to: the email domain itself, or the registered domain above it. */
      of: string;
      /** The percentage of failing email that the policy applies to: 100 unless the record says less; 0 for a test. */
      percent: number;
    }
  /** `several`: more than one record; `malformed`: no known policy. Receivers ignore the record in both cases. */
  | { state: "none" | "several" | "malformed" };

/** A text is a record if this is its first tag, case-sensitive (section 6.3). */
const IS_RECORD = /^\s*v\s*=\s*DMARC1\s*(?:;|$)/;
const WHOLE = 100;

/** The DMARC records among a name's TXT records, which also include others. */
const recordsIn = (texts: readonly string[]): string[] => texts.filter((text) => IS_RECORD.test(text));

/** True if the search ends here: it continues to higher domains only when there is no record at all. */
export const hasDmarc = (texts: readonly string[]): boolean => recordsIn(texts).length > 0;

/** `psd=n`: no higher domain belongs to the same organisation. */
export const isTopOfOrganization = (texts: readonly string[]): boolean =>
  recordsIn(texts).some((record) => tagsOf(record)?.get("psd")?.toLowerCase() === "n");

/**
 * Reads the TXT records of `_dmarc.` and a domain.
 *
 * @param of the domain of the records
 * @param isBelow the email domain is a subdomain of it, so that a policy for subdomains takes precedence
 */
export function readDmarc(texts: readonly string[], of: string, isBelow = false): Dmarc {
  const [record, ...others] = recordsIn(texts);
  if (record === undefined) return { state: "none" };
  if (others.length > 0) return { state: "several" };
  const tags = tagsOf(record);
  if (!tags) return { state: "malformed" };
  const p = policyIn(tags.get("p"));
  const sp = tags.has("sp") ? policyIn(tags.get("sp")) : p;
  // Section 6.6.3, step 6: a record that only asks for reports counts as a policy of "none".
  const asksForReports = /^\s*mailto:[^\s,@]+@[^\s,@]+/i.test(tags.get("rua") ?? "");
  const isWhole = p !== undefined && sp !== undefined;
  const policy = isWhole ? (isBelow ? sp : p) : asksForReports ? "none" : undefined;
  return policy === undefined ? { state: "malformed" } : { state: "policy", policy, of, percent: percentIn(tags) };
}

/** The tags by name; undefined when one appears twice (RFC 6376, section 3.2). Malformed tags are ignored. */
function tagsOf(record: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of record.split(";")) {
    const [, name, value] = /^\s*([a-z][a-z0-9_]*)\s*=\s*(.*?)\s*$/is.exec(part) ?? [];
    if (name === undefined || value === undefined) continue;
    if (tags.has(name.toLowerCase())) return undefined;
    tags.set(name.toLowerCase(), value);
  }
  return tags;
}

const policyIn = (value: string | undefined): DmarcPolicy | undefined =>
  POLICIES.find((policy) => policy === value?.toLowerCase());

/** `t=y` in the newer standard (RFC 9989) marks a test; `pct` in the older one is a percentage. */
function percentIn(tags: ReadonlyMap<string, string>): number {
  if (tags.get("t")?.toLowerCase() === "y") return 0;
  const share = tags.get("pct") ?? "";
  return /^\d{1,3}$/.test(share) && Number(share) <= WHOLE ? Number(share) : WHOLE;
}
