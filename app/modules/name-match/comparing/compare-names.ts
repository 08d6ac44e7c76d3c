import { type Name, PartKind } from "../parsing/name";
import { Mark, type Reading } from "../reading/reading";
import { Gap, Role, type Word } from "../reading/word";
import type { NameKind } from "../types";
import { Flag } from "../vocabulary/flags";
import { chooseMode, Mode } from "./choose-mode";
import { comparePurposes, sameStretch } from "./compare-forms";
import { compareHolders } from "./compare-holders";
import { compareByParts } from "./compare-parts";
import { comparePeople } from "./compare-people";
import type { Context } from "./context";
import { type Evidence, Link, Severity } from "./evidence";
import { listPerson } from "./list-person";
import { isCutOff } from "./truncation";

/** Words of what stands beside a name. */
const BESIDE =
  Flag.Title | Flag.Postnominal | Flag.Generation | Flag.Reference | Flag.Number | Flag.Connector | Flag.Purpose;

/** Compares two parsed names and gathers everything that differs. */
export function compareNames(a: Name, b: Name, kind: NameKind | undefined, context: Context): void {
  const { evidence } = context;
  const mode = chooseMode(a, b, kind, context);
  if (mode === Mode.Joint) compareHolders(a, b, context);
  else if (mode === Mode.Person) compareTwoPeople(a, b, context);
  else compareByParts(a, b, context);
  if (((a.reading.union | b.reading.union) & BESIDE) !== 0) compareBeside(a, b, mode, evidence);
  const worst = evidence.worst();
  if (worst !== Severity.Format && isCutOff(a.reading, b.reading, worst === Severity.Close)) {
    noteCutOff(a.reading, b.reading, evidence);
  }
}

function compareTwoPeople(a: Name, b: Name, context: Context): void {
  comparePeople(listPerson(a, context.personA), listPerson(b, context.personB), context);
  compareGenerations(a, b, context.evidence);
}

const LETTER_J = 106;

/** "Junior" and "Senior" are two people. */
function compareGenerations({ generation: a }: Name, { generation: b }: Name, evidence: Evidence): void {
  if (a === undefined && b === undefined) return;
  if (a === undefined || b === undefined) {
    evidence.note("title", Severity.Close, 5).about(a, b);
    return;
  }
  const isSame = (a.at(0) === LETTER_J) === (b.at(0) === LETTER_J);
  evidence.tie(isSame ? Link.Same : Link.Letters, a, b);
  if (!isSame) evidence.note("title", Severity.Conflict, 0).about(a, b);
}

/** "Acme Club Junior": in an organisation's name the word tells who it is; in brackets it is a description. */
function compareJuniors({ generation: a }: Name, { generation: b }: Name, evidence: Evidence): void {
  if (a === undefined && b === undefined) return;
  if (a !== undefined && b !== undefined) {
    evidence.tie(a.key === b.key ? Link.Same : Link.Letters, a, b);
    if (a.key !== b.key) evidence.note("different_token", Severity.Conflict, 0).about(a, b);
    return;
  }
  const isDescription = (((a ?? b)?.gap ?? 0) & Gap.Open) !== 0;
  const type = a === undefined ? "missing_token" : "extra_token";
  evidence.note(type, isDescription ? Severity.Close : Severity.Conflict, 10).about(a, b);
}

/** "aft" for "ATF": the same part, but the word that begins it has a typing error. */
function compareConnectorSlips(a: Name, b: Name, evidence: Evidence): void {
  const word = a.connectorSlip ?? b.connectorSlip;
  if (word === undefined || (a.connectorSlip !== undefined && b.connectorSlip !== undefined)) return;
  const [x, y] = [connectorLike(a, word), connectorLike(b, word)];
  if (x !== undefined && y !== undefined) evidence.note("typo", Severity.Close, 4).about(x, y);
}

/** The word of a name that begins the same part. */
function connectorLike({ reading }: Name, word: Word): Word | undefined {
  for (let k = 0; k < reading.count; k++) {
    const other = reading.word(k);
    if (other.role === Role.Connector && other.entry.connector === word.entry.connector) return other;
  }
  return undefined;
}

/** Things that stand beside a name: title, reference, "the trustee for", another name after "née". */
function compareBeside(a: Name, b: Name, mode: Mode, evidence: Evidence): void {
  if (mode !== Mode.Organisation) {
    comparePurposes(a.main, b.main, evidence);
    compareTitles(a, b, evidence);
  } else compareJuniors(a, b, evidence);
  compareReferences(a, b, evidence);
  compareConnectorSlips(a, b, evidence);
  const isOfTrustee = a.has(PartKind.Beneficiary) || b.has(PartKind.Beneficiary);
  if ((a.style === undefined) !== (b.style === undefined) && !isOfTrustee) {
    evidence.note("trustee", Severity.Close, 3).about(a.style, b.style);
  }
  compareAliases(a, b, evidence);
}

function compareTitles({ title: a }: Name, { title: b }: Name, evidence: Evidence): void {
  if (a === undefined && b === undefined) return;
  if (a !== undefined && b !== undefined) evidence.tie(Link.Same, a, b);
  if (a?.id !== b?.id) evidence.note("title", Severity.Format, 1).about(a, b);
}

function compareReferences(a: Name, b: Name, evidence: Evidence): void {
  const x = a.reference;
  const y = b.reference;
  if (x.isEmpty && y.isEmpty) return;
  if (sameStretch(a, x, b, y)) return;
  const isRegistered = (a.isRegistered || x.isEmpty) && (b.isRegistered || y.isEmpty);
  const finding = isRegistered
    ? evidence.note("reference", Severity.Format, 2)
    : evidence.note("reference", Severity.Close, 8);
  finding.about(x.first, y.first).through(x.last, y.last);
}

function compareAliases(a: Name, b: Name, evidence: Evidence): void {
  if (!a.has(PartKind.Alias) && !b.has(PartKind.Alias)) return;
  if (haveSameAlias(a, b)) return;
  const finding = evidence.note("extra_token", Severity.Close, 7);
  finding.about(aliasWord(a, "connector"), aliasWord(b, "connector"));
  finding.through(aliasWord(a, "last"), aliasWord(b, "last"));
}

/** "Formerly Quince", "née Quince": the same other name, whatever begins it. */
function haveSameAlias(a: Name, b: Name): boolean {
  if (!a.has(PartKind.Alias) || !b.has(PartKind.Alias)) return false;
  const [x, y] = [a.part(PartKind.Alias), b.part(PartKind.Alias)];
  if (x.end - x.from !== y.end - y.from) return false;
  for (let k = 0; k < x.end - x.from; k++) {
    if (a.reading.word(x.from + k).key !== b.reading.word(y.from + k).key) return false;
  }
  return true;
}

/** The word that begins another name ("née"), or the last word of it. */
function aliasWord(name: Name, which: "connector" | "last"): Word | undefined {
  if (!name.has(PartKind.Alias)) return undefined;
  const { from, end } = name.part(PartKind.Alias);
  return name.reading.word(which === "connector" ? from - 1 : end - 1);
}

/** One name is the other cut off: nothing else that differs counts. */
function noteCutOff(a: Reading, b: Reading, evidence: Evidence): void {
  evidence.clear();
  const [endA, endB] = [a.word(a.count - 1), b.word(b.count - 1)];
  const last = Math.min(a.count, b.count) - 1;
  for (let k = 0; k < last; k++) evidence.tie(Link.Same, a.word(k), b.word(k));
  evidence.tie(Link.Letters, a.word(last), b.word(last)).through(endA, endB);
  evidence.note("truncation", Severity.Close, 8).about(a.word(0), b.word(0)).through(endA, endB);
}

const LETTERS_FROM = 65;

/** Is the first "and" of a name a sign? Undefined without an "and". */
function writesSign(reading: Reading): boolean | undefined {
  for (let k = 0; k < reading.count; k++) {
    const word = reading.word(k);
    if (word.has(Flag.And)) return reading.text.charCodeAt(word.from) < LETTERS_FROM;
  }
  return undefined;
}

/** Marks of names with nothing but ASCII letters, digits and punctuation. */
const PLAIN = Mark.Comma | Mark.Bracket | Mark.Digit | Mark.InitialRun | Mark.Latin | Mark.Letter;

/** What the characters themselves give away: "&" for "and", look-alike letters, accents, invisible characters. */
export function compareCharacters(a: Reading, b: Reading, evidence: Evidence): void {
  if ((a.union & b.union & Flag.And) !== 0 && writesSign(a) !== writesSign(b)) {
    evidence.note("and_symbol", Severity.Format, 1);
  }
  const marks = a.marks | b.marks;
  if ((marks & ~PLAIN) !== 0) compareRareCharacters(a, b, evidence);
}

function compareRareCharacters(a: Reading, b: Reading, evidence: Evidence): void {
  const marks = a.marks | b.marks;
  const ofWhole = (type: "homoglyph" | "diacritic" | "formatting", severity: Severity, weight: number) =>
    evidence
      .note(type, severity, weight)
      .about(a.word(0), b.word(0))
      .through(a.word(a.count - 1), b.word(b.count - 1));
  if ((marks & Mark.Homoglyph) !== 0) ofWhole("homoglyph", Severity.Close, 18);
  if (((a.marks ^ b.marks) & Mark.Diacritic) !== 0) ofWhole("diacritic", Severity.Format, 1);
  if ((marks & (Mark.Invisible | Mark.Compatibility | Mark.Symbol)) !== 0) ofWhole("formatting", Severity.Format, 2);
}
