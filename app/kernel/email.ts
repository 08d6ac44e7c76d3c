import { skeletonOf } from "./confusables";
import { asciiDomain, type DomainName, splitDomain } from "./domain-name";
import { boundedEditDistance } from "./edit-distance";
import { sha256Hex } from "./encodings";
import { normalizeText } from "./text";

const MAX_EMAIL_LENGTH = 254; // RFC 5321 section 4.5.3.1.3, less the angle brackets
const MAX_LOCAL_PART_LENGTH = 64; // section 4.5.3.1.1
const MAX_LABEL_LENGTH = 63; // RFC 1035 section 2.3.4

// RFC 5322 section 3.2.3: dot-atom. Quoted local parts are legal, but nobody uses them.
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const TOP_LEVEL = /\p{L}/u;

/** An email address in the form that is stored and compared: NFKC, trimmed, lower case. */
export function normalizeEmail(text: string): string {
  return normalizeText(text, "NFKC").toLowerCase().normalize("NFKC").trim();
}

/**
 * True for an address that email can be sent to in practice: an ASCII local part without quotes, and a domain of two
 * labels or more, which may be international. At most 254 characters. No address literals, no comments.
 *
 * Sources: RFC 5321, RFC 5322, RFC 5890.
 */
export function isEmail(text: string): boolean {
  if (text.length > MAX_EMAIL_LENGTH) return false;
  const at = text.lastIndexOf("@");
  const localPart = text.slice(0, Math.max(at, 0));
  if (localPart.length > MAX_LOCAL_PART_LENGTH || !LOCAL_PART.test(localPart)) return false;

  const labels = text.slice(at + 1).split(".");
  const isHost = labels.every((label) => label.length <= MAX_LABEL_LENGTH && LABEL.test(label));
  return isHost && labels.length > 1 && TOP_LEVEL.test(labels.at(-1) ?? "");
}

/** What follows the last `@`, in lower case; empty without one. */
export function emailDomain(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 0
    ? ""
    : email
        .slice(at + 1)
        .trim()
        .toLowerCase();
}

// Email providers where anybody can get an address, so the domain says nothing about an organisation: worldwide ones,
// then Australian and New Zealand internet providers.
const FREE_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  `
  gmail.com googlemail.com outlook.com outlook.com.au hotmail.com hotmail.com.au hotmail.co.uk hotmail.co.nz hotmail.fr
  live.com live.com.au live.co.uk msn.com windowslive.com passport.com yahoo.com yahoo.com.au yahoo.co.uk yahoo.co.nz
  yahoo.co.in yahoo.ca yahoo.fr yahoo.de yahoo.co.jp ymail.com rocketmail.com myyahoo.com icloud.com me.com mac.com aol.com
  aim.com proton.me protonmail.com protonmail.ch pm.me tuta.com tuta.io tutanota.com tutamail.com gmx.com gmx.net gmx.de
  gmx.at gmx.ch web.de t-online.de mail.com email.com usa.com post.com consultant.com fastmail.com fastmail.com.au
  fastmail.fm fastmail.net zoho.com zohomail.com zohomail.com.au hey.com duck.com mailbox.org posteo.de posteo.net
  runbox.com hushmail.com inbox.com lycos.com rediffmail.com yandex.com yandex.ru ya.ru mail.ru bk.ru inbox.ru list.ru
  rambler.ru qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn naver.com daum.net
  hanmail.net orange.fr free.fr laposte.net libero.it virgilio.it comcast.net verizon.net att.net sbcglobal.net
  bellsouth.net btinternet.com sky.com
  bigpond.com bigpond.com.au bigpond.net.au optusnet.com.au optusnet.com tpg.com.au iinet.net.au westnet.com.au
  internode.on.net adam.com.au ozemail.com.au dodo.com.au aapt.net.au netspace.net.au iprimus.com.au primus.com.au
  exemail.com.au spin.net.au spintel.net.au froggy.com.au ihug.com.au people.net.au pacific.net.au picknowl.com.au
  chariot.net.au senet.com.au aanet.com.au activ8.net.au bluep.com dcsi.net.au tsn.cc y7mail.com xtra.co.nz slingshot.co.nz
  orcon.net.nz vodafone.co.nz
  `
    .trim()
    .split(/\s+/),
);

/** True for a provider where anybody gets an address. Such a domain is not claimed and represents no organisation. */
export function isFreeMailDomain(domain: string): boolean {
  return FREE_MAIL_DOMAINS.has(domain.trim().toLowerCase());
}

/**
 * The email domain to look up; undefined when there is no address, or it is at a free-mail provider, which says nothing
 * about an organisation.
 */
export function askedDomain(email: string | null | undefined): { domain: string; registered: string } | undefined {
  const domain = emailDomain(email ?? "");
  if (domain === "" || isFreeMailDomain(domain)) return undefined;
  const [ascii, registered] = [asciiDomain(domain), asciiDomain(splitDomain(domain).registered)];
  return ascii && registered ? { domain: ascii, registered } : undefined;
}

/**
 * - `confusable`: contains letters that look like those of the known domain (rn for m, 0 for o, another script).
 * - `punycode`: the same, or a slip, in an `xn--` label.
 * - `edit_distance`: one or two typing slips away.
 * - `other_suffix`: the same name with a different suffix, or the known domain followed by another suffix.
 */
type LookalikeReason = "edit_distance" | "confusable" | "punycode" | "other_suffix";

type LookalikeDomain = {
  /** The known domain, as it was passed in. */
  known: string;
  reason: LookalikeReason;
};

// If several known domains match, the one with the strongest reason is reported.
const STRENGTH: Readonly<Record<LookalikeReason, number>> = {
  punycode: 3,
  confusable: 2,
  edit_distance: 1,
  other_suffix: 0,
};

// Short names are all similar to each other, so longer names may have more slips.
const LONG_NAME = 10;
const MIDDLE_NAME = 5;
const SHORTEST_NAME = 4;
const SHORTEST_SHARED_NAME = 3;
const MAX_SLIPS = 2;
/** In a number with at least this many digits, two swapped digits are easily overlooked; 13 and 31 are not. */
const MIN_SWAPPED_DIGITS = 3;

// Only public bodies and schools can register here, so the same name in another of these zones is not a disguise.
const RESTRICTED_ZONE = /(?:^|\.)(?:gov|edu)\.au$/;
const ASCII_ONLY = /^[\x20-\x7e]*$/;

type Candidate = DomainName & { skeleton: string; joined: string };

function toCandidate(domain: string): Candidate {
  const parts = splitDomain(domain);
  return { ...parts, skeleton: skeletonOf(parts.name), joined: parts.registered.replaceAll(".", "") };
}

function looksAlike(a: Candidate, b: Candidate): boolean {
  if (a.skeleton !== b.skeleton || a.name === b.name) return false;
  return a.skeleton.length >= SHORTEST_NAME || !ASCII_ONLY.test(a.name);
}

/** For a name of four letters, only swapped or doubled letters count as a slip. */
function isShortSlip(a: string, b: string): boolean {
  if (b.length !== SHORTEST_NAME || [...a].some((letter) => !b.includes(letter))) return false;
  return [...b].every((letter) => a.includes(letter)) && boundedEditDistance(a, b, 1) === 1;
}

const withoutNumbers = (name: string) => name.replace(/\d+/g, "0");
const digitsInOrder = (name: string) => (name.match(/\d/g) ?? []).sort().join("");

/** Names that differ only in their numbers, like acme13 and acme15. Digits in another order (365, 356) are a slip. */
function haveOtherNumbers(a: string, b: string): boolean {
  if (a === b || withoutNumbers(a) !== withoutNumbers(b)) return false;
  const digits = digitsInOrder(a);
  return digits !== digitsInOrder(b) || digits.length < MIN_SWAPPED_DIGITS;
}

function isSlipAway(a: Candidate, b: Candidate): boolean {
  if (a.joined === b.joined) return true; // acmecom.au for acme.com.au
  if (a.name === b.name || haveOtherNumbers(a.name, b.name)) return false;
  const shorter = Math.min(a.name.length, b.name.length);
  if (shorter < MIDDLE_NAME) return a.suffix === b.suffix && isShortSlip(a.name, b.name);
  // A different suffix counts as a slip.
  const allowed = (shorter < LONG_NAME ? 1 : MAX_SLIPS) - (a.suffix === b.suffix ? 0 : 1);
  return allowed > 0 && boundedEditDistance(a.name, b.name, allowed) <= allowed;
}

function hasOtherSuffix(a: Candidate, b: Candidate): boolean {
  if (a.full.startsWith(`${b.full}.`)) return true; // acme.com.au.example.net
  const isShared = a.name === b.name && a.suffix !== b.suffix && a.name.length >= SHORTEST_SHARED_NAME;
  return isShared && !RESTRICTED_ZONE.test(a.suffix);
}

function compare(a: Candidate, b: Candidate): LookalikeReason | undefined {
  const isAlike = looksAlike(a, b);
  const isSlip = !isAlike && isSlipAway(a, b);
  if (a.isEncoded && (isAlike || isSlip)) return "punycode";
  if (isAlike) return "confusable";
  if (isSlip) return "edit_distance";
  return hasOtherSuffix(a, b) ? "other_suffix" : undefined;
}

/**
 * Finds the known domain that a domain may imitate: a sign of invoice fraud by email.
 *
 * Only the registered label and its suffix are compared, so a subdomain of a known domain is the known domain. Neither
 * a known domain nor a free-mail provider is ever a look-alike. For names under five letters, where unrelated names are
 * often one letter apart, only swapped or doubled letters count; from ten letters on, two slips are allowed. Names that
 * differ only in their numbers belong to different suppliers of a series, unless the digits are the same in a different
 * order. A letter in place of a digit, or an added digit, still counts as a look-alike.
 *
 * One pass over `known`, a few hundred steps for each.
 *
 * Sources: Unicode Technical Standard 39 for confusable letters, RFC 3492 for `xn--` labels.
 *
 * @param domain what follows the @ of an address, in Unicode or `xn--` form, any case
 * @param known domains of payees, people and organisations that are trusted
 */
export function findLookalikeDomain(domain: string, known: Iterable<string>): LookalikeDomain | undefined {
  if (isFreeMailDomain(domain)) return undefined;
  const candidate = toCandidate(domain);
  let found: LookalikeDomain | undefined;
  for (const each of known) {
    const other = toCandidate(each);
    if (other.registered === candidate.registered) return undefined;
    const reason = compare(candidate, other);
    if (reason && (!found || STRENGTH[reason] > STRENGTH[found.reason])) found = { known: each, reason };
  }
  return found;
}

/**
 * The payee's former email domain, if its new one could be mistaken for it, as when invoices are being diverted.
 * @param former addresses, oldest first; a domain that came before all that resemble it is the payee's own.
 */
export function findFormerDomain(email: string, former: readonly string[]): string | undefined {
  const domain = emailDomain(email);
  for (const known of former.map(emailDomain)) {
    if (known === domain) return undefined;
    if (findLookalikeDomain(domain, [known])) return known;
  }
  return undefined;
}

/**
 * Reduces each address in a text, or in the texts of a list or object, to its first letter and domain,
 * `m•••@harbour.example`. The same object when there is none.
 */
export function maskEmails<Details>(details: Details): Details {
  const masked = mapWords(details, maskWord);
  return JSON.stringify(masked) === JSON.stringify(details) ? details : (masked as Details);
}

function mapWords(value: unknown, map: (word: string) => string): unknown {
  if (typeof value === "string") return value.split(/(\s)/).map(map).join("");
  if (Array.isArray(value)) return value.map((member) => mapWords(member, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapWords(member, map)]));
}

function maskWord(word: string): string {
  if (!isAddress(word)) return word;
  const [first = ""] = word;
  return `${first}•••${word.slice(word.lastIndexOf("@"))}`;
}

const isAddress = (word: string): boolean => word.lastIndexOf("@") > 0;

/**
 * The same with each masked address followed by `#` and a hexadecimal SHA-256 of the salt, a line end and the
 * address: anybody with the salt and the address can prove that it was there, and nobody else can guess it.
 */
export async function digestEmails<Details>(details: Details, salt: string): Promise<Details> {
  const words = [...new Set(wordsOf(details))].filter(isAddress);
  const encoder = new TextEncoder();
  const digests = new Map(
    await Promise.all(words.map(async (word) => [word, await sha256Hex(encoder.encode(`${salt}\n${word}`))] as const)),
  );
  return mapWords(details, (word) => (isAddress(word) ? `${maskWord(word)}#${digests.get(word)}` : word)) as Details;
}

const DIGEST = /^.•••@[^@]*#[0-9a-f]{64}$/u;

/** True if the details contain a digest in place of an address. */
export const hasDigests = (details: unknown): boolean => wordsOf(details).some((word) => DIGEST.test(word));

function wordsOf(value: unknown): string[] {
  if (typeof value === "string") return value.split(/\s/);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsOf) : [];
}
