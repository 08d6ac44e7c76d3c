import { Role } from "~/modules/name-match/name";
import { Link, Severity } from "../comparing/evidence";
import type { NameDifferenceType } from "../types";
import { Flag } from "../vocabulary";
import {
  type Comparison,
  type Finding,
  isAny,
  quote,
  type Side,
  toRuns,
  type WordList,
  wordAt,
  writtenWords,
} from "./comparison";
import type { WordPairs, WordsOfBoth } from "./pair-words";

/** One fact about two names: its words on each side, and its weight. */
export interface Fact {
  type: NameDifferenceType;
  severity: Severity;
  weight: number;
  submitted: WordList;
  held: WordList;
}

/** The weight of a fact about two different payees. */
const CONFLICT_WEIGHT = 20;

type SideName = "submitted" | "held";

/** Facts about the names as a whole: they quote words without claiming them. */
const ABOUT_THE_WHOLE: ReadonlySet<NameDifferenceType> = new Set([
  "order",
  "truncation",
  "script",
  "blank",
  "formatting",
]);

/** Differences of characters are determined here again, word by word. */
const OF_CHARACTERS: ReadonlySet<NameDifferenceType> = new Set(["diacritic", "formatting", "homoglyph"]);

const isAboutWhole = ({ type }: Pick<Fact, "type">) => ABOUT_THE_WHOLE.has(type);

/** Reasons for a different payee that say only "these words differ": quoting the words says it best. */
const PLAIN: ReadonlySet<NameDifferenceType> = new Set([
  "extra_token",
  "missing_token",
  "different_token",
  "joint_holder",
  "trading_as",
  "trustee",
  "place",
  "number",
]);

/** Facts about a second name come after those about the first. */
const isSecondName = (finding: Finding) =>
  (finding.type === "trading_as" || finding.type === "trustee") && isOneSided(finding);
const rankOf = (finding: Finding) => (isSecondName(finding) ? 2 : Number(isOneSided(finding)));

const everyWord = (side: Side): number[] => side.words.map((_, word) => word);
const wholeOf = ({ submitted, held }: Comparison): WordsOfBoth => ({
  submitted: everyWord(submitted),
  held: everyWord(held),
});
const isOfWhole = (finding: Finding, { submitted, held }: Comparison) =>
  finding.submitted.length === submitted.words.length && finding.held.length === held.words.length;

const isEmpty = ({ submitted, held }: WordsOfBoth) => submitted.length === 0 && held.length === 0;
const isOneSided = ({ submitted, held }: WordsOfBoth) => submitted.length === 0 || held.length === 0;

/** All differences of two names: each fact once, and every word that only one name has in exactly one fact. */
export function settleDifferences(comparison: Comparison, pairs: WordPairs): Fact[] {
  if (sharesNothing(comparison, pairs)) {
    const weight = CONFLICT_WEIGHT;
    return [{ type: "different_token", severity: Severity.Conflict, weight, ...wholeOf(comparison) }];
  }
  const settlement = new Settlement(comparison, pairs);
  settlement.addFindings();
  if (settlement.facts.some(({ type }) => type === "truncation")) return settlement.facts;
  addTitles(settlement, comparison);
  if (comparison.matchType === "none") addUnequalRuns(settlement, comparison, pairs);
  addUntold(settlement, comparison);
  addCharacters(settlement, comparison, pairs);
  addSpellings(settlement, comparison, pairs);
  if (comparison.matchType !== "none") addOrder(settlement, comparison, pairs);
  leaveOutOrder(settlement, comparison, pairs);
  keepReason(settlement, comparison);
  return joinNeighbours(settlement.facts);
}

/** Merges two facts of one kind about adjacent words of one side. */
function joinNeighbours(facts: readonly Fact[]): Fact[] {
  const joined: Fact[] = [];
  for (const fact of facts) {
    const at = joined.findIndex((other) => continues(other, fact));
    const other = joined[at];
    if (other === undefined) joined.push(fact);
    else {
      const words = (side: SideName) => [...new Set([...other[side], ...fact[side]])].sort((a, b) => a - b);
      const weight = other.weight + fact.weight;
      joined[at] = { ...other, weight, submitted: words("submitted"), held: words("held") };
    }
  }
  return joined;
}

function continues(a: Fact, b: Fact): boolean {
  if (a.type !== b.type || a.severity !== b.severity || !isOneSided(a) || !isOneSided(b)) return false;
  if (a.type === "joint_holder" || a.type === "title") return false;
  const side = a.submitted.length > 0 ? "submitted" : "held";
  const first = b[side][0];
  return first !== undefined && first === (a[side].at(-1) ?? -2) + 1;
}

/** If nothing is left that decided the class, the names as a whole become the reason. */
function keepReason(settlement: Settlement, comparison: Comparison): void {
  const { findings } = comparison;
  const deciding = findings.reduce<Severity>((worst, { severity }) => (severity > worst ? severity : worst), 0);
  if (deciding === Severity.Format || settlement.facts.some(({ severity }) => severity === deciding)) return;
  const type = findings.find(({ severity }) => severity === deciding)?.type ?? "different_token";
  settlement.facts.push({
    type: type === "order" || type === "joint_holder" ? type : "different_token",
    severity: deciding,
    weight: CONFLICT_WEIGHT,
    ...wholeOf(comparison),
  });
}

/** The order of words is reported only if it differs, unless nothing else explains the class. */
function leaveOutOrder(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  if (isReordered(comparison, pairs)) return;
  const others = settlement.facts.filter(({ type }) => type !== "order");
  const worst = settlement.facts.reduce<Severity>((most, { severity }) => Math.max(most, severity), Severity.Format);
  if (others.some(({ severity }) => severity === worst)) settlement.facts = others;
}

/** The names share no word at all, which a single fact says. */
function sharesNothing({ matchType, submitted }: Comparison, pairs: WordPairs): boolean {
  if (matchType !== "none") return false;
  return !submitted.words.some(
    (word, k) =>
      word.letters.length > 1 && (word.flags & (Flag.And | Flag.Article)) === 0 && pairs.isShared("submitted", k),
  );
}

/** Collects facts so that every differing word is reported once. */
class Settlement {
  facts: Fact[] = [];
  private readonly claimed = { submitted: new Set<number>(), held: new Set<number>() };

  constructor(
    private readonly comparison: Comparison,
    private readonly pairs: WordPairs,
  ) {}

  /** Adds what the comparison recorded, heaviest first, without findings about words that both names have. */
  addFindings(): void {
    const kept = this.comparison.findings.filter((finding) => !this.isReplaced(finding));
    const bySeverity = kept.sort((a, b) => b.severity - a.severity || rankOf(a) - rankOf(b));
    for (const finding of bySeverity) this.addFinding(finding);
  }

  /** Will a later step say the same in a better way? */
  private isReplaced(finding: Finding): boolean {
    if (finding.severity === Severity.Format && (finding.type === "title" || OF_CHARACTERS.has(finding.type)))
      return true;
    if (finding.type === "homoglyph" && isOfWhole(finding, this.comparison)) return true;
    const plain = PLAIN.has(finding.type) || (finding.type === "and_symbol" && isOneSided(finding));
    return this.comparison.matchType === "none" && plain;
  }

  private addFinding(finding: Finding): void {
    if (isAboutWhole(finding)) {
      this.facts.push({ ...finding, ...wholeOf(this.comparison) });
      return;
    }
    const named = isSecondName(finding) ? this.secondName(finding) : finding;
    const fact = {
      ...finding,
      submitted: named.submitted.filter((word) => this.isUntold("submitted", word)),
      held: named.held.filter((word) => this.isUntold("held", word)),
    };
    if (!isEmpty(fact)) this.add(fact);
  }

  /** A second name with its connector, whichever of the two the other side has. */
  private secondName({ submitted }: Finding): WordsOfBoth {
    const side = submitted.length > 0 ? "submitted" : "held";
    return { submitted: [], held: [], [side]: this.untold(side) };
  }

  add(fact: Fact): void {
    this.facts.push({ ...fact, type: typeBySides(fact) });
    for (const word of fact.submitted) this.claimed.submitted.add(word);
    for (const word of fact.held) this.claimed.held.add(word);
  }

  /** Does this word differ, and does no fact cover it yet? */
  private isUntold(side: SideName, word: number): boolean {
    return !this.claimed[side].has(word) && !this.pairs.isShared(side, word);
  }

  /** Words without a counterpart that no fact covers yet, except "and" alone. */
  untold(side: SideName): number[] {
    return this.comparison[side].words.flatMap((_, word) =>
      this.isUntold(side, word) && this.pairs.isFree(side, word) ? [word] : [],
    );
  }

  /** Differing words that no fact covers yet, including related ones, for names of different payees. */
  unequal(side: SideName): number[] {
    return this.comparison[side].words.flatMap((_, word) => (this.isUntold(side, word) ? [word] : []));
  }
}

/** Relations between two words, which make no sense with one of them missing. */
const OF_TWO_WORDS: ReadonlySet<NameDifferenceType> = new Set([
  "typo",
  "initial",
  "nickname",
  "plural",
  "homoglyph",
  "spacing",
  "abbreviation",
]);

/** Chooses "extra", "missing" or "different" by which sides have words. */
export function typeBySides({ type, submitted, held }: Pick<Fact, "type" | "submitted" | "held">): NameDifferenceType {
  const both = submitted.length > 0 && held.length > 0;
  if (type !== "extra_token" && type !== "missing_token" && type !== "different_token") {
    if (both || !OF_TWO_WORDS.has(type)) return type;
  }
  if (both) return "different_token";
  return submitted.length > 0 ? "extra_token" : "missing_token";
}

const LOCAL = Flag.Country | Flag.State | Flag.Place | Flag.Compass;

const allAre = (side: Side, words: WordList, flags: number) => words.every((word) => isAny(side, word, flags));

/** Numbers and places have their own types; everything else is words. */
function typeOfWords({ submitted, held }: Comparison, a: WordList, b: WordList): NameDifferenceType {
  if (allAre(submitted, a, Flag.Number) && allAre(held, b, Flag.Number)) return "number";
  if (allAre(submitted, a, LOCAL) && allAre(held, b, LOCAL)) return "place";
  return "different_token";
}

/** Runs of words without "and" at their ends; a run of only "and" is dropped. */
function tellingRuns(side: Side, words: WordList): number[][] {
  const joins = (word: number | undefined) => isAny(side, word, Flag.And);
  return toRuns(words).flatMap((run) => {
    const first = run.findIndex((word) => !joins(word));
    if (first < 0) return [];
    let end = run.length;
    while (joins(run[end - 1])) end--;
    return [run.slice(first, end)];
  });
}

type Run = readonly number[];

/** Are two runs of words next to the same shared word? */
function areInOnePlace(a: Run, b: Run, pairs: WordPairs): boolean {
  const [first = 0, last = 0] = [a[0], a.at(-1)];
  const [otherFirst = 0, otherLast = 0] = [b[0], b.at(-1)];
  const meet = (word: number, other: number) => {
    const pair = pairs.pairOfSubmitted(word);
    return pair !== undefined && pair === pairs.pairOfHeld(other);
  };
  return meet(first - 1, otherFirst - 1) || meet(last + 1, otherLast + 1);
}

/** Pairs runs of words at the same position in both names, then the remaining ones in order. */
function pairRuns(submitted: readonly Run[], held: readonly Run[], pairs: WordPairs): [Run, Run][] {
  const free = [...held];
  const placed = submitted.map((run): [Run, Run] => {
    const at = free.findIndex((other) => areInOnePlace(run, other, pairs));
    return [run, at < 0 ? [] : (free.splice(at, 1)[0] ?? [])];
  });
  const told = placed.map(([run, other]): [Run, Run] => [run, other.length > 0 ? other : (free.shift() ?? [])]);
  return [...told, ...free.map((run): [Run, Run] => [[], run])];
}

/** Adds the words of different payees, stretch by stretch. */
function addUnequalRuns(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  const a = tellingRuns(comparison.submitted, settlement.unequal("submitted"));
  const b = tellingRuns(comparison.held, settlement.unequal("held"));
  for (const [submitted, held] of pairRuns(a, b, pairs)) {
    const type = typeOfWords(comparison, submitted, held);
    const joining = allAre(comparison.submitted, submitted, Flag.Link) && allAre(comparison.held, held, Flag.Link);
    const weight = joining ? 1 : CONFLICT_WEIGHT;
    settlement.add({ type, severity: Severity.Conflict, weight, submitted, held });
  }
}

/** Adds differing forms of address as one fact. */
function addTitles(settlement: Settlement, { submitted, held }: Comparison): void {
  const areTitles = (side: Side) => (word: number) => {
    const role = wordAt(side, word)?.role;
    return role === Role.Title || role === Role.Postnominal;
  };
  const titles = {
    submitted: settlement.unequal("submitted").filter(areTitles(submitted)),
    held: settlement.unequal("held").filter(areTitles(held)),
  };
  if (!isEmpty(titles)) settlement.add({ type: "title", severity: Severity.Format, weight: 1, ...titles });
}

/** Adds words that only one name has and that no step recorded. */
function addUntold(settlement: Settlement, comparison: Comparison): void {
  for (const side of ["submitted", "held"] as const) {
    for (const words of tellingRuns(comparison[side], settlement.untold(side))) {
      const severity = allAre(comparison[side], words, Flag.Article) ? Severity.Format : Severity.Close;
      settlement.add({ type: "extra_token", severity, weight: 1, submitted: [], held: [], [side]: words });
    }
  }
}

const plainText = (side: Side, words: WordList) => quote(side, words).normalize("NFC").toLowerCase();
const NON_ASCII = /[^\p{ASCII}]/u;
const ACCENT = /\p{M}/u;
const CHARACTERS = /[\p{L}\p{N}\p{M}\s]/gu;

/** Adds equal words with different characters: accents, letters of other scripts, invisible characters. */
function addCharacters(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  const { submitted, held, findings } = comparison;
  const unlike = pairs.pairs.filter((pair) => {
    const texts = [plainText(submitted, pair.submitted), plainText(held, pair.held)] as const;
    return pair.link === Link.Same && texts[0] !== texts[1] && NON_ASCII.test(texts.join(""));
  });
  const lookAlike = findings.find((finding) => finding.type === "homoglyph" && isOfWhole(finding, comparison));
  const accented = unlike.filter((pair) =>
    ACCENT.test(`${plainText(submitted, pair.submitted)}${plainText(held, pair.held)}`.normalize("NFD")),
  );
  const imitated = lookAlike ? unlike.filter((pair) => !accented.includes(pair)) : [];
  if (accented.length > 0) {
    settlement.add({ type: "diacritic", severity: Severity.Format, weight: 1, ...wordsOf(accented) });
  }
  if (lookAlike) settlement.add(imitated.length > 0 ? { ...lookAlike, ...wordsOf(imitated) } : lookAlike);
  const signs = (side: Side) => side.text.normalize("NFC").replace(CHARACTERS, "");
  const formatting = findings.find(({ type }) => type === "formatting");
  if (formatting && signs(submitted) !== signs(held)) settlement.facts.push({ ...formatting, ...wholeOf(comparison) });
}

const wordsOf = (pairs: readonly WordsOfBoth[]): WordsOfBoth => ({
  submitted: pairs.flatMap(({ submitted }) => submitted).sort((a, b) => a - b),
  held: pairs.flatMap(({ held }) => held).sort((a, b) => a - b),
});

const isWritten = (side: Side, words: WordList) => writtenWords(quote(side, words)).join(" ");

/** Adds words that count as equal but are written differently, unless they are already reported. */
function addSpellings(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  const { submitted, held } = comparison;
  for (const pair of pairs.pairs) {
    if (pair.link !== Link.Same) continue;
    const whole = pairs.wholeWords(pair);
    const written = [isWritten(submitted, whole.submitted), isWritten(held, whole.held)] as const;
    if (written[0] === written[1] || isTold(settlement.facts, pair)) continue;
    const apart = written[0].replaceAll(" ", "") === written[1].replaceAll(" ", "");
    const type = apart ? "spacing" : spellingType(submitted, pair.submitted);
    settlement.add({ type, severity: Severity.Format, weight: 1, ...(apart ? whole : pair) });
  }
}

function isTold(facts: readonly Fact[], { submitted, held }: WordsOfBoth): boolean {
  return facts.some(
    (fact) =>
      !isAboutWhole(fact) &&
      submitted.every((word) => fact.submitted.includes(word)) &&
      held.every((word) => fact.held.includes(word)),
  );
}

function spellingType(side: Side, words: WordList): NameDifferenceType {
  if (isAny(side, words[0], Flag.And)) return "and_symbol";
  const role = wordAt(side, words[0])?.role;
  if (role === Role.Legal) return "legal_form";
  return role === Role.Title || role === Role.Postnominal ? "title" : "abbreviation";
}

/** Are the words that both names have in a different order? Titles, legal forms and "and" are ignored. */
function isReordered({ submitted, held }: Comparison, pairs: WordPairs): boolean {
  const counts = (side: Side, word: number) =>
    wordAt(side, word)?.role === Role.Core && !isAny(side, word, Flag.And | Flag.Article);
  const places = pairs.pairs
    .map((pair) => [pair.submitted[0] ?? 0, pair.held[0] ?? 0] as const)
    .filter(([a, b]) => counts(submitted, a) && counts(held, b))
    .sort(([a], [b]) => a - b);
  return places.some(([, place], k) => k > 0 && place < (places[k - 1]?.[1] ?? 0));
}

function addOrder(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  if (settlement.facts.some((fact) => isAboutWhole(fact)) || !isReordered(comparison, pairs)) return;
  settlement.facts.push({ type: "order", severity: Severity.Format, weight: 1, ...wholeOf(comparison) });
}
