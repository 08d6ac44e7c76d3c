import { compareNames } from "./compare";
import { readLookAlikes } from "./confusables";
import { Evidence, Link, Severity, slice } from "./evidence";
import { compareLong, MAX_TEXT } from "./long";
import { Name } from "./name";
import { parse } from "./parse";
import { drawParts } from "./parts";
import { readName } from "./read";
import { Mark, type Reading } from "./reading";
import { scoreOf } from "./score";
import { couldBeRomanised, crossesScripts } from "./scripts";
import { sameLetters } from "./token-edits";
import type { NameDifference, NameDifferenceType, NameKind, NameMatch, NamePart } from "./types";
import { AND, PLACEHOLDER } from "./vocabulary/flags";

const nameA = new Name();
const nameB = new Name();
const evidence = new Evidence();

const wholeParts = (submitted: string, held: string, status: NamePart["status"]): NamePart[] => [
  { status, submittedStart: 0, submittedEnd: submitted.length, heldStart: 0, heldEnd: held.length },
];

/** Nothing that could be a name: blank, digits only, "test", "N/A", one letter over and over. */
function isBlank(reading: Reading): boolean {
  if (reading.count === 0) return true;
  if ((reading.marks & Mark.Letter) === 0) return true;
  if ((reading.union & PLACEHOLDER) === 0) return false;
  for (let i = 0; i < reading.count; i++) if ((reading.flags[i]! & PLACEHOLDER) === 0) return false;
  return true;
}

function sameWords(a: Reading, b: Reading): boolean {
  if (a.count !== b.count || a.size !== b.size) return false;
  for (let i = 0; i < a.count; i++) if (!sameLetters(a, i, b, i)) return false;
  return true;
}

const difference = (a: Reading, b: Reading, k: number): NameDifference => ({
  type: evidence.type[k]!,
  submitted: slice(a, evidence.aFirst[k]!, evidence.aLast[k]!),
  held: slice(b, evidence.bFirst[k]!, evidence.bLast[k]!),
});

function differences(a: Reading, b: Reading): NameDifference[] {
  switch (evidence.count) {
    case 1:
      return [difference(a, b, 0)];
    case 2:
      return [difference(a, b, 0), difference(a, b, 1)];
    case 3:
      return [difference(a, b, 0), difference(a, b, 1), difference(a, b, 2)];
  }
  const list: NameDifference[] = [];
  for (let k = 0; k < evidence.count; k++) list.push(difference(a, b, k));
  return list;
}

const FOREIGN = Mark.Cyrillic | Mark.Greek;

function firstAnd(reading: Reading): number {
  let i = 0;
  while ((reading.flags[i]! & AND) === 0 && i < reading.count) i++;
  return i < reading.count ? i : -1;
}

const isSign = (reading: Reading, i: number) => reading.text.charCodeAt(reading.from[i]!) < LETTERS_FROM;
const LETTERS_FROM = 65;

/** "&" for "and" is the same word, and said. */
function compareSigns(a: Reading, b: Reading): void {
  const i = firstAnd(a);
  const j = firstAnd(b);
  if (i < 0 || j < 0 || isSign(a, i) === isSign(b, j)) return;
  evidence.note("and_symbol", Severity.Format, 1, i, i, j, j);
}

/** What the characters themselves give away: look-alike letters, accents, invisible characters. */
function compareCharacters(a: Reading, b: Reading): void {
  if ((a.union & b.union & AND) !== 0) compareSigns(a, b);
  const marks = a.marks | b.marks;
  if ((marks & ~(Mark.Comma | Mark.Digit | Mark.InitialRun | Mark.Latin | Mark.Letter)) === 0) return;
  if ((a.marks & Mark.Homoglyph) !== (b.marks & Mark.Homoglyph) || (marks & Mark.Homoglyph) !== 0) {
    evidence.note("homoglyph", Severity.Close, 18, 0, a.count - 1, 0, b.count - 1);
  }
  if (((a.marks ^ b.marks) & Mark.Diacritic) !== 0) {
    evidence.note("diacritic", Severity.Format, 1, 0, a.count - 1, 0, b.count - 1);
  }
  if ((marks & (Mark.Invisible | Mark.Compatibility | Mark.Symbol)) !== 0) {
    evidence.note("formatting", Severity.Format, 2, 0, a.count - 1, 0, b.count - 1);
  }
}

function answer(submitted: string, held: string): NameMatch {
  const a = nameA.reading;
  const b = nameB.reading;
  const worst = evidence.worst(0);
  const score = scoreOf(worst, a, b, evidence);
  if (worst === Severity.Format && evidence.count === 0) {
    evidence.note("formatting", Severity.Format, 0, -1, -1, -1, -1);
    return {
      score: 99,
      matchType: "exact",
      differences: [{ type: "formatting", submitted, held }],
      parts: drawParts(a, b, evidence),
    };
  }
  return {
    score,
    matchType: worst === Severity.Format ? "exact" : worst === Severity.Close ? "fuzzy" : "none",
    differences: differences(a, b),
    parts: drawParts(a, b, evidence),
  };
}

const single = (
  score: number,
  matchType: NameMatch["matchType"],
  type: NameDifferenceType,
  submitted: string,
  held: string,
): NameMatch => ({
  score,
  matchType,
  differences: [{ type, submitted, held }],
  parts: wholeParts(submitted, held, matchType === "exact" ? "formatting" : "different"),
});

function compareRead(submitted: string, held: string, kind: NameKind | undefined): NameMatch {
  const a = nameA.reading;
  const b = nameB.reading;
  if (((a.marks | b.marks) & FOREIGN) !== 0) {
    readLookAlikes(a, false);
    readLookAlikes(b, false);
  }
  if (isBlank(a) || isBlank(b)) return single(0, "none", "blank", submitted, held);
  evidence.clear();
  if (sameWords(a, b)) {
    for (let i = 0; i < a.count; i++) evidence.link(Link.Same, i, i, i, i);
    compareCharacters(a, b);
    return answer(submitted, held);
  }
  if (crossesScripts(a, b)) {
    readLookAlikes(a, true);
    readLookAlikes(b, true);
    if (sameWords(a, b)) return single(76, "fuzzy", "homoglyph", submitted, held);
    readName(nameA.reading, submitted);
    readName(nameB.reading, held);
    const possible = couldBeRomanised(a, b);
    return single(possible ? 72 : 5, possible ? "fuzzy" : "none", "script", submitted, held);
  }
  parse(nameA);
  parse(nameB);
  compareNames(nameA, nameB, kind, evidence);
  compareCharacters(a, b);
  return answer(submitted, held);
}

/**
 * Compares the name somebody typed with the name the bank holds.
 *
 * The class is decided from evidence, step by step, and the score is then placed inside its band. Deterministic,
 * never throws, and takes time in proportion to the length of the names whatever they contain.
 * @param kind what the account holder is believed to be; optional, and outweighed by the names themselves
 */
export function matchNames(submitted: string, held: string, kind?: NameKind): NameMatch {
  if (submitted.length > MAX_TEXT || held.length > MAX_TEXT) return compareLong(submitted, held);
  readName(nameA.reading, submitted);
  if (submitted === held) {
    if (isBlank(nameA.reading)) return single(0, "none", "blank", submitted, held);
    return { score: 100, matchType: "exact", differences: [], parts: wholeParts(submitted, held, "same") };
  }
  readName(nameB.reading, held);
  if (((nameA.reading.marks | nameB.reading.marks) & Mark.TooLong) !== 0) return compareLong(submitted, held);
  return compareRead(submitted, held, kind);
}
