import {
  areSameFrom,
  Gap,
  isAny,
  isSameName,
  lettersOf,
  Mark,
  type Name,
  type Reading,
  Role,
  sameStretch,
  type Word,
} from "~/modules/name-match/name";
import { isCompany } from "../parsing/find-legal-form";
import type { NameKind } from "../types";
import { Flag } from "../vocabulary";
import { compareForms, comparePurposes } from "./compare-forms";
import { compareHolders } from "./compare-holders";
import { compareByParts } from "./compare-organisations";
import { comparePeople, listPerson, looksPersonal } from "./compare-people";
import { type Evidence, Link, Severity } from "./evidence";

/** Flags of words that accompany a name. */
const BESIDE =
  Flag.Title | Flag.Postnominal | Flag.Generation | Flag.Reference | Flag.Number | Flag.Connector | Flag.Purpose;

/** Compares two parsed names and records every difference. */
export function compareNames(a: Name, b: Name, kind: NameKind | undefined, evidence: Evidence): void {
  const mode = chooseMode(a, b, kind);
  if (mode === "joint") compareHolders(a, b, evidence);
  else if (mode === "organisation" && lacksOnlyItsForm(a, b)) compareLackingForm(a, b, evidence);
  else if (mode === "person") {
    comparePeople(listPerson(a), listPerson(b), evidence);
    compareGenerations(a, b, evidence);
  } else compareByParts(a, b, evidence);
  if (((a.reading.union | b.reading.union) & BESIDE) !== 0) compareBeside(a, b, mode, evidence);
  const worst = evidence.worst();
  if (worst !== Severity.Format && isCutOff(a.reading, b.reading, worst === Severity.Close)) {
    noteCutOff(a.reading, b.reading, evidence);
  }
}

/**
 * Is one name the other plus a company's legal form, word by word? The words before the form then mean the same in
 * both, even if they include "trust" or "fund".
 */
function lacksOnlyItsForm(a: Name, b: Name): boolean {
  const [bare, formed] = a.reading.words.length < b.reading.words.length ? [a, b] : [b, a];
  const { words } = formed.reading;
  const { formWords, form } = formed.main;
  const end = formWords?.first.index;
  if (end === undefined || !isCompany(form) || bare.main.form !== "" || formWords?.last !== words.at(-1)) return false;
  return bare.reading.words.length === end && areSameFrom(bare.reading.words, 0, words, 0, end);
}

function compareLackingForm(a: Name, b: Name, evidence: Evidence): void {
  const count = Math.min(a.reading.words.length, b.reading.words.length);
  for (let k = 0; k < count; k++) tie(Link.Same, a.reading.words[k], b.reading.words[k], evidence);
  compareForms({ name: a, part: a.main }, { name: b, part: b.main }, evidence);
}

/** How two names are compared. */
type Mode = "organisation" | "person" | "joint";

const BUSINESS = Flag.Trade | Flag.Group | Flag.Branch | Flag.Country | Flag.Purpose | Flag.State;

/** Does a name without a legal form or second part still show that it is an organisation's? */
function looksOrganised({ reading, main }: Name): boolean {
  if ((reading.marks & Mark.Digit) !== 0) return true;
  if ((reading.union & (BUSINESS | Flag.Link)) === 0) return false;
  return main.core.some((word, k) => {
    if (isAny(word, Flag.Personal)) return false;
    return isAny(word, BUSINESS) || (isAny(word, Flag.Link) && k > 0 && word.text.length > 1);
  });
}

/** A name with a legal form, trust, fund or trading name is never a person's, whatever the hint says. */
const isIncorporated = ({ main, trading, beneficiary }: Name) =>
  main.form !== "" || main.holder !== "plain" || trading !== undefined || beneficiary !== undefined;

const MAX_SURNAME = 2;
const MAX_GIVEN = 3;

function isPersonal(name: Name): boolean {
  const { title, main, beforeComma } = name;
  if (looksOrganised(name)) return false;
  if (title?.index === 0) return true;
  if (beforeComma > 0 && beforeComma <= MAX_SURNAME && main.core.length - beforeComma <= MAX_GIVEN) return true;
  return looksPersonal(listPerson(name));
}

/** A capital letter within a word: two names written as one. */
const INNER_CAPITAL = /\p{Ll}\p{Lu}/u;

/**
 * Is one name a single word and the other a person's name with the same letters in several words ("PolPot", "Pol Pot")?
 * A capital letter within the word, or a known name, shows that it is a person's; "Bartercard" has neither.
 */
function areWrittenApart(a: Name, b: Name): boolean {
  const x = a.reading;
  const y = b.reading;
  if (x.size !== y.size || Math.min(x.words.length, y.words.length) !== 1) return false;
  if (x.words.length === y.words.length || lettersOf(x) !== lettersOf(y)) return false;
  const [single, several] = x.words.length === 1 ? [x, y] : [y, x];
  if (!INNER_CAPITAL.test(single.text) && (several.union & Flag.Personal) === 0) return false;
  return !looksOrganised(a) && !looksOrganised(b);
}

const MAX_INITIALS = 2;

/** Are the words around an "and" people's names, in a name without signs of an organisation? */
const holdsPeople = ({ title, main }: Name) =>
  title !== undefined || main.core.some((word) => word.text.length <= MAX_INITIALS || isAny(word, Flag.Given));

/** Decides how to compare two names: the names themselves outweigh the hint. */
function chooseMode(a: Name, b: Name, kind: NameKind | undefined): Mode {
  if (isIncorporated(a) || isIncorporated(b)) return "organisation";
  if (a.and !== undefined || b.and !== undefined) {
    if (kind === "person") return "joint";
    if (looksOrganised(a) || looksOrganised(b)) return "organisation";
    if (kind === "joint") return "joint";
    const arePeople = (name: Name) => (name.and === undefined ? isPersonal(name) : holdsPeople(name));
    return arePeople(a) && arePeople(b) ? "joint" : "organisation";
  }
  if (kind === "person" || kind === "joint") return "person";
  const isPersonalA = isPersonal(a);
  if (!isPersonalA && kind === "org") return "organisation";
  const isPersonalB = isPersonal(b);
  if (isPersonalA && isPersonalB) return "person";
  if (kind === "org") return "organisation";
  if (kind === undefined && areWrittenApart(a, b)) return "person";
  const isOne = (isPersonalA && !looksOrganised(b)) || (isPersonalB && !looksOrganised(a));
  return isOne ? "person" : "organisation";
}

/** "Junior" and "Senior" are two people. */
function compareGenerations({ generation: a }: Name, { generation: b }: Name, evidence: Evidence): void {
  if (a === undefined || b === undefined) {
    if (a !== b) evidence.note("title", Severity.Close, 5, a, b);
    return;
  }
  const isSame = a.text.startsWith("j") === b.text.startsWith("j");
  evidence.tie(isSame ? Link.Same : Link.Letters, a, b);
  if (!isSame) evidence.note("title", Severity.Conflict, 0, a, b);
}

/** "Acme Club Junior": in an organisation's name the word distinguishes it; in brackets it is a description. */
function compareJuniors({ generation: a }: Name, { generation: b }: Name, evidence: Evidence): void {
  if (a !== undefined && b !== undefined) {
    const isSame = isSameName(a, b);
    evidence.tie(isSame ? Link.Same : Link.Letters, a, b);
    if (!isSame) evidence.note("different_token", Severity.Conflict, 0, a, b);
    return;
  }
  const only = a ?? b;
  if (only === undefined) return;
  const severity = (only.gap & Gap.Open) !== 0 ? Severity.Close : Severity.Conflict;
  evidence.note(a === undefined ? "missing_token" : "extra_token", severity, 10, a, b);
}

/** "aft" for "ATF": the part is the same, but its connector has a typing error. */
function compareConnectorSlips(a: Name, b: Name, evidence: Evidence): void {
  const slip = a.connectorSlip ?? b.connectorSlip;
  if (slip === undefined || (a.connectorSlip !== undefined && b.connectorSlip !== undefined)) return;
  /** The word of a name that introduces the same part. */
  const like = ({ reading }: Name) =>
    reading.words.find(({ role, entry }) => role === Role.Connector && entry.connector === slip.entry.connector);
  const x = like(a);
  const y = like(b);
  if (x !== undefined && y !== undefined) evidence.note("typo", Severity.Close, 4, x, y);
}

/** Compares what accompanies a name: title, reference, "the trustee for", a former name after "née". */
function compareBeside(a: Name, b: Name, mode: Mode, evidence: Evidence): void {
  if (mode !== "organisation") {
    comparePurposes(a.main, b.main, evidence);
    compareTitles(a, b, evidence);
  } else compareJuniors(a, b, evidence);
  compareReferences(a, b, evidence);
  compareConnectorSlips(a, b, evidence);
  const isOfTrustee = a.beneficiary !== undefined || b.beneficiary !== undefined;
  if ((a.style === undefined) !== (b.style === undefined) && !isOfTrustee) {
    evidence.note("trustee", Severity.Close, 3, a.style, b.style);
  }
  compareAliases(a, b, evidence);
}

function compareTitles({ title: a }: Name, { title: b }: Name, evidence: Evidence): void {
  if (a !== undefined && b !== undefined) evidence.tie(Link.Same, a, b);
  if (a?.entry !== b?.entry) evidence.note("title", Severity.Format, 1, a, b);
}

function compareReferences(a: Name, b: Name, evidence: Evidence): void {
  const x = a.reference;
  const y = b.reference;
  if ((x === undefined && y === undefined) || sameStretch(a, x, b, y)) return;
  const isRegistered = (a.isRegistered || x === undefined) && (b.isRegistered || y === undefined);
  const severity = isRegistered ? Severity.Format : Severity.Close;
  evidence.note("reference", severity, isRegistered ? 2 : 8, x?.first, y?.first, x?.last, y?.last);
}

/** "Formerly Quince", "née Quince": the same former name, whatever introduces it. */
function compareAliases(a: Name, b: Name, evidence: Evidence): void {
  const wordsOf = ({ alias, reading }: Name) => (alias ? reading.words.slice(alias.from - 1, alias.end) : []);
  const x = wordsOf(a);
  const y = wordsOf(b);
  if (x.length === y.length && areSameFrom(x, 1, y, 1, x.length - 1)) return;
  evidence.note("extra_token", Severity.Close, 7, x[0], y[0], x.at(-1), y.at(-1));
}

/**
 * Widths of fields that cut off names: 18 (direct entry lodgement reference) and 32 (account title), from the
 * Australian Payments Network's direct entry specification; 16 (name of remitter) and 35 and 140 in other schemes.
 */
const WIDTHS = new Set([16, 18, 32, 35, 140]);
const LEAST_LETTERS = 8;
/** A name at least this long that ends within a word was cut off, whatever the field's width. */
const MIN_CUT_WORD = 28;

/**
 * Is one name the other cut off at the width of a field, or in the middle of its last word?
 * @param onlyWithin whether a name that ends with a whole word counts as complete: "Acme Developments" beside "Acme
 * Developments Pty Ltd"
 */
export function isCutOff(a: Reading, b: Reading, onlyWithin = false): boolean {
  const [short, long] = a.size < b.size ? [a, b] : [b, a];
  const { size } = short;
  if (size >= long.size || size < LEAST_LETTERS || short.words.length < 2) return false;
  const isWidth = WIDTHS.has(short.text.length);
  if (!isWidth && short.text.length < MIN_CUT_WORD) return false;
  if (!beginsWith(long, short)) return false;
  return (isWidth && !onlyWithin) || !endsWordAt(long, size);
}

/** Does a name begin with all letters of another, ignoring spaces? */
function beginsWith({ words: long }: Reading, { words: short }: Reading): boolean {
  let k = 0;
  let at = 0;
  for (const { text } of short) {
    for (let i = 0; i < text.length; i++) {
      if (at === long[k]?.text.length) {
        k++;
        at = 0;
      }
      if (long[k]?.text.charCodeAt(at++) !== text.charCodeAt(i)) return false;
    }
  }
  return true;
}

/** Does a word of the name end after this many letters? */
function endsWordAt({ words }: Reading, size: number): boolean {
  let end = 0;
  for (const { text } of words) if (end < size) end += text.length;
  return end === size;
}

/** Records that one name is the other, cut short, which replaces all other differences. */
function noteCutOff({ words: a }: Reading, { words: b }: Reading, evidence: Evidence): void {
  evidence.goBack(0, 0);
  const last = Math.min(a.length, b.length) - 1;
  for (const [k, word] of a.slice(0, last).entries()) tie(Link.Same, word, b[k], evidence);
  tie(Link.Letters, a[last], b[last], evidence, a.at(-1), b.at(-1));
  evidence.note("truncation", Severity.Close, 8, a[0], b[0], a.at(-1), b.at(-1));
}

function tie(link: Link, a: Word | undefined, b: Word | undefined, evidence: Evidence, aLast = a, bLast = b): void {
  if (a !== undefined && b !== undefined) evidence.tie(link, a, b, aLast, bLast);
}

/** Is the first "and" of a name written as a sign? Undefined without an "and". */
function writesSign({ text, words }: Reading): boolean | undefined {
  const and = words.find((word) => isAny(word, Flag.And));
  return and && text.charAt(and.from) < "A";
}

/** Marks of names that contain only ASCII letters, digits and punctuation. */
const PLAIN = Mark.Comma | Mark.Bracket | Mark.Digit | Mark.InitialRun | Mark.Latin | Mark.Letter;

/** Records differences in the characters: "&" for "and", look-alike letters, accents, invisible characters. */
export function compareCharacters(a: Reading, b: Reading, evidence: Evidence): void {
  if ((a.union & b.union & Flag.And) !== 0 && writesSign(a) !== writesSign(b)) {
    evidence.note("and_symbol", Severity.Format, 1);
  }
  const marks = a.marks | b.marks;
  if ((marks & ~PLAIN) === 0) return;
  const ofWhole = (type: "homoglyph" | "diacritic" | "formatting", severity: Severity, weight: number) =>
    evidence.note(type, severity, weight, a.words[0], b.words[0], a.words.at(-1), b.words.at(-1));
  if ((marks & Mark.Homoglyph) !== 0) ofWhole("homoglyph", Severity.Close, 18);
  if (((a.marks ^ b.marks) & Mark.Diacritic) !== 0) ofWhole("diacritic", Severity.Format, 1);
  if ((marks & (Mark.Invisible | Mark.Compatibility | Mark.Symbol)) !== 0) ofWhole("formatting", Severity.Format, 2);
}

/** The letters and digits of a text of any length, in lower case; "&" becomes "and". */
const plainLetters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/[^a-z0-9\u00c0-\u02ff\u0370-\u1fff\u2c00-\ufefe\uff10-\uffdc]+/g, "");

/** Longer texts are not parsed: only identical ones count as the same. */
export const MAX_READ = 4096;
const LETTER = /[\p{L}\p{N}]/u;

/** Texts longer than any name are only compared letter by letter. The work is bounded, however long they are. */
export function isSameText(submitted: string, held: string): boolean {
  if (submitted.length > MAX_READ || held.length > MAX_READ) {
    return submitted === held && LETTER.test(submitted.slice(0, MAX_READ));
  }
  const letters = plainLetters(submitted);
  return letters !== "" && letters === plainLetters(held);
}
