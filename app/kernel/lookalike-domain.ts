import { skeletonOf } from "./confusables";
import { type DomainName, splitDomain } from "./domain-name";
import { boundedEditDistance } from "./edit-distance";
import { isFreeMailDomain } from "./free-mail";

/**
 * - `confusable`: letters that look like those of the known domain (rn for m, 0 for o, another script).
 * - `punycode`: the same, or a slip away, behind an `xn--` label.
 * - `edit_distance`: one or two typing slips away.
 * - `other_suffix`: the same name under another ending, or the known domain with another one behind it.
 */
type LookalikeReason = "edit_distance" | "confusable" | "punycode" | "other_suffix";

export type LookalikeDomain = {
  /** The known domain, as it was given. */
  known: string;
  reason: LookalikeReason;
};

// Of several known domains, the one with the stronger reason is reported.
const STRENGTH: Readonly<Record<LookalikeReason, number>> = {
  punycode: 3,
  confusable: 2,
  edit_distance: 1,
  other_suffix: 0,
};

// Short names are all close to each other, so the slips that count grow with the name.
const LONG_NAME = 10;
const MIDDLE_NAME = 5;
const SHORTEST_NAME = 4;
const SHORTEST_SHARED_NAME = 3;
const MAX_SLIPS = 2;
/** In a number of so many digits an exchange of two is easily overlooked; 13 and 31 are read as what they are. */
const SHORTEST_NUMBER_EXCHANGED = 3;

// Registration in these is open to public bodies and schools only, so the same name elsewhere in them is no disguise.
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

/** A name of four letters is a slip away only if no new letter came in: two exchanged, or one doubled. */
function isShortSlip(a: string, b: string): boolean {
  if (b.length !== SHORTEST_NAME || [...a].some((letter) => !b.includes(letter))) return false;
  return [...b].every((letter) => a.includes(letter)) && boundedEditDistance(a, b, 1) === 1;
}

const withoutNumbers = (name: string) => name.replace(/\d+/g, "0");
const digitsInOrder = (name: string) => (name.match(/\d/g) ?? []).sort().join("");

/** Names that are equal but for their numbers, as acme13 and acme15. Digits in another order (365, 356) are a slip. */
function haveOtherNumbers(a: string, b: string): boolean {
  if (a === b || withoutNumbers(a) !== withoutNumbers(b)) return false;
  const digits = digitsInOrder(a);
  return digits !== digitsInOrder(b) || digits.length < SHORTEST_NUMBER_EXCHANGED;
}

function isSlipAway(a: Candidate, b: Candidate): boolean {
  if (a.joined === b.joined) return true; // acmecom.au for acme.com.au
  if (a.name === b.name || haveOtherNumbers(a.name, b.name)) return false;
  const shorter = Math.min(a.name.length, b.name.length);
  if (shorter < MIDDLE_NAME) return a.suffix === b.suffix && isShortSlip(a.name, b.name);
  // Another suffix is a slip of its own.
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
 * Finds the known domain that another one could be meant to pass for: the mark of invoice fraud by email.
 *
 * Only the registered label and its suffix are compared, so a subdomain of a known domain is the known domain. Neither a
 * known domain nor a free-mail provider is ever a look-alike. Names under five letters, where strangers are one letter
 * apart, count only exchanged or doubled letters; from ten letters on two slips count. Names that differ only in their
 * numbers belong to different suppliers of a series, unless the digits are the same in another order. A letter in place of
 * a digit, or a digit where there was none, is a look-alike as before.
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
