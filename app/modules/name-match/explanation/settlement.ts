import { Severity } from "../comparing/evidence";
import type { NameDifferenceType } from "../types";
import type { Comparison, Finding, Side, WordList } from "./comparison";
import type { WordPairs, WordsOfBoth } from "./pair-words";

/** One fact about two names: the words it is about on each side, and how much it weighs. */
export interface Fact {
  type: NameDifferenceType;
  severity: Severity;
  weight: number;
  submitted: WordList;
  held: WordList;
}

/** What a fact of two different payees weighs. */
export const CONFLICT_WEIGHT = 20;

export type SideName = "submitted" | "held";

/** Facts about the names as wholes: they quote what they quote, and leave the words to other facts. */
const ABOUT_THE_WHOLE: ReadonlySet<NameDifferenceType> = new Set([
  "order",
  "truncation",
  "script",
  "blank",
  "formatting",
]);

/** What characters give away is worked out again here, word by word. */
const OF_CHARACTERS: ReadonlySet<NameDifferenceType> = new Set(["diacritic", "formatting", "homoglyph"]);

export const isAboutWhole = ({ type }: Pick<Fact, "type">) => ABOUT_THE_WHOLE.has(type);

/** Reasons for another payee that are no more than "these words differ": the words themselves say it best. */
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

/** Facts about a second name come after those about the words of the first. */
const isSecondName = (finding: Finding) =>
  (finding.type === "trading_as" || finding.type === "trustee") && isOneSided(finding);
const rankOf = (finding: Finding) => (isSecondName(finding) ? 2 : Number(isOneSided(finding)));

const everyWord = (side: Side): number[] => side.words.map((_, word) => word);
export const wholeOf = ({ submitted, held }: Comparison): WordsOfBoth => ({
  submitted: everyWord(submitted),
  held: everyWord(held),
});
export const isOfWhole = (finding: Finding, { submitted, held }: Comparison) =>
  finding.submitted.length === submitted.words.length && finding.held.length === held.words.length;

export const isEmpty = ({ submitted, held }: WordsOfBoth) => submitted.length === 0 && held.length === 0;
export const isOneSided = ({ submitted, held }: WordsOfBoth) => submitted.length === 0 || held.length === 0;

/** Collects facts so that every word that differs is told once. */
export class Settlement {
  facts: Fact[] = [];
  private readonly claimed = { submitted: new Set<number>(), held: new Set<number>() };

  constructor(
    private readonly comparison: Comparison,
    private readonly pairs: WordPairs,
  ) {}

  /** Takes over what the comparison noted, heaviest first; what it says of words that both names have is dropped. */
  addFindings(): void {
    const kept = this.comparison.findings.filter((finding) => !this.isReplaced(finding));
    const bySeverity = kept.sort((a, b) => b.severity - a.severity || rankOf(a) - rankOf(b));
    for (const finding of bySeverity) this.addFinding(finding);
  }

  /** Does a later step say the same, and better? */
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

  /** A second name with what joins it to the first, whichever of the two the other side has. */
  private secondName({ submitted }: Finding): WordsOfBoth {
    const side = submitted.length > 0 ? "submitted" : "held";
    return { submitted: [], held: [], [side]: this.untold(side) };
  }

  add(fact: Fact): void {
    this.facts.push({ ...fact, type: typeBySides(fact) });
    for (const word of fact.submitted) this.claimed.submitted.add(word);
    for (const word of fact.held) this.claimed.held.add(word);
  }

  /** Is this a word that differs and that no fact tells yet? */
  private isUntold(side: SideName, word: number): boolean {
    return !this.claimed[side].has(word) && !this.pairs.isShared(side, word);
  }

  /** Words without a counterpart that no fact tells yet; "and" alone tells nothing. */
  untold(side: SideName): number[] {
    return this.comparison[side].words.flatMap((_, word) =>
      this.isUntold(side, word) && this.pairs.isFree(side, word) ? [word] : [],
    );
  }

  /** Words that differ and that no fact tells yet, related ones included: in names of different payees. */
  unequal(side: SideName): number[] {
    return this.comparison[side].words.flatMap((_, word) => (this.isUntold(side, word) ? [word] : []));
  }
}

/** Relations of one word to another: without the other they say nothing. */
const OF_TWO_WORDS: ReadonlySet<NameDifferenceType> = new Set([
  "typo",
  "initial",
  "nickname",
  "plural",
  "homoglyph",
  "spacing",
  "abbreviation",
]);

/** "Extra", "missing" and "different" say which sides have words. */
export function typeBySides({ type, submitted, held }: Pick<Fact, "type" | "submitted" | "held">): NameDifferenceType {
  const both = submitted.length > 0 && held.length > 0;
  if (type !== "extra_token" && type !== "missing_token" && type !== "different_token") {
    if (both || !OF_TWO_WORDS.has(type)) return type;
  }
  if (both) return "different_token";
  return submitted.length > 0 ? "extra_token" : "missing_token";
}
