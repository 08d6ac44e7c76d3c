import { compareCharacters, compareNames } from "./comparing/compare-names";
import { Context } from "./comparing/context";
import { Severity } from "./comparing/evidence";
import { couldBeRomanised, crossesScripts } from "./comparing/other-scripts";
import { isRuledOut } from "./comparing/rule-out";
import { hasLetters } from "./comparing/rule-out-exact";
import { scoreOf } from "./comparing/score";

import { isSameText } from "./comparing/whole-texts";
import { describeComparison, describeLongTexts, describeTexts } from "./explanation/describe-comparison";
import { wholeParts } from "./explanation/draw-parts";
import { type Explanation, explainComparison, explainWhole } from "./explanation/explain-comparison";
import { MAX_TEXT, PreparedName } from "./prepared-name";
import { CharacterFolder } from "./reading/fold-characters";
import { readLookAlikes } from "./reading/look-alikes";
import { readName } from "./reading/read-name";
import { Limit, Mark, Reading } from "./reading/reading";
import { Room } from "./reading/room";
import { sameLetters } from "./reading/word";
import type { MatchType, NameDifferenceType, NameKind } from "./types";

/** Where the reasons for an answer are. */
enum Basis {
  /** In the evidence, word by word. */
  Words = 0,
  /** The names differ as wholes, in one way. */
  Whole = 1,
  /** The texts are identical. */
  Identical = 2,
}

const CLASSES: Record<Severity, MatchType> = {
  [Severity.Format]: "exact",
  [Severity.Close]: "fuzzy",
  [Severity.Conflict]: "none",
};

const NON_ASCII = /[^\p{ASCII}]/u;
/** "&" is read as "and". */
const MOST_LETTERS_FOR_ONE = 3;

/** How many letters a text can have when it is read. */
const lettersFor = (text: string): number =>
  NON_ASCII.test(text) ? Limit.Letters : Math.min(MOST_LETTERS_FOR_ONE * text.length, Limit.Letters);

function sameWords(a: Reading, b: Reading): boolean {
  if (a.count !== b.count || a.size !== b.size) return false;
  for (let k = 0; k < a.count; k++) {
    const word = a.word(k);
    const other = b.word(k);
    if (word.hash !== other.hash || !sameLetters(word, other)) return false;
  }
  return true;
}

/**
 * Made-up pairs that go through most steps: joint holders, two parts and a slipped form, another script. Compared once
 * when a matcher is made, so that no step is compiled while the first hostile name waits.
 */
const REHEARSAL: ReadonlyArray<readonly [submitted: string, held: string]> = [
  ["J & Ann Belamy-Roe or Kit Quince", "Mr John Bellamy Roe & Mrs Anne Bellamy and Kitt M Quinse"],
  ["The Acme Plumbng Pty Lt T/A Bolt No 1 (Vic)", "ACME PLUMBERS P/L ATF Bolt Family Trust invoice 12"],
  ["\u0418\u0432\u0430\u043d \u0420\u043e\u0443", "Ivan Rou"],
  ["\u0410cme \u2122 Zo\u00eb", "Acm3 Zoe"],
];

/**
 * Compares names, one pair at a time. It keeps what it works with and what it found on the last pair, so that the
 * reasons can be written down afterwards without a second comparison.
 */
export class Matcher {
  score = 0;
  matchType: MatchType = "none";
  /** Comparisons made so far: an answer knows by its number whether the evidence is still its own. */
  comparisons = 0;
  private basis = Basis.Whole;
  /** How the names differ when they differ as wholes. */
  private type: NameDifferenceType = "blank";
  private readonly folder = new CharacterFolder();
  private readonly room = new Room();
  private readonly context = new Context();
  private readonly scratchA = new PreparedName(this.folder);
  private readonly scratchB = new PreparedName(this.folder);
  private readonly imitationA = new Reading();
  private readonly imitationB = new Reading();
  private a = this.scratchA;
  private b = this.scratchB;

  constructor() {
    for (const [submitted, held] of REHEARSAL) {
      this.compare(submitted, held, undefined);
      this.compareIfAlike(this.a, held, undefined);
    }
    this.comparisons = 0;
  }

  prepare(text: string): PreparedName {
    const prepared = new PreparedName(this.folder, { in: this.room, letters: lettersFor(text) });
    prepared.read(text);
    return prepared;
  }

  /** Compares two names, each as text or prepared; the answer is in `score` and `matchType`. */
  compare(submitted: string | PreparedName, held: string | PreparedName, kind: NameKind | undefined): void {
    this.comparisons++;
    this.a = this.take(submitted, this.scratchA);
    this.b = this.take(held, this.scratchB);
    if (this.a.text === this.b.text) this.decideIdentical();
    else if (this.a.isLong || this.b.isLong) this.decideLong();
    else if (this.a.isBlank || this.b.isBlank) this.decideWhole(0, "none", "blank");
    else this.decide(kind);
  }

  /**
   * Compares a name with one of many, most of which are other people's.
   * @returns false when the answer is "none": most names of other people are only read
   */
  compareIfAlike(own: PreparedName, other: string | PreparedName, kind: NameKind | undefined): boolean {
    if (typeof other !== "string" || other !== own.text) {
      const b = this.take(other, this.scratchB);
      if (isRuledOut(own, b, this.context)) return false;
      this.compare(own, b, kind);
    } else this.compare(own, own, kind);
    return this.matchType !== "none";
  }

  /** Is one of many an exact match of a name? Most of the many are not even read. */
  isExact(own: PreparedName, other: string): boolean {
    if (!hasLetters(other, own.certainLetters(), MAX_TEXT)) return false;
    return this.compareIfAlike(own, other, undefined) && this.matchType === "exact";
  }

  private take(name: string | PreparedName, scratch: PreparedName): PreparedName {
    if (typeof name !== "string") return name;
    scratch.read(name);
    return scratch;
  }

  private decideIdentical(): void {
    if (!this.a.isLong && this.a.isBlank) this.decideWhole(0, "none", "blank");
    else if (this.a.isLong) this.decideLong();
    else this.answer(100, "exact", Basis.Identical);
  }

  private decideLong(): void {
    if (isSameText(this.a.text, this.b.text)) this.decideWhole(97, "exact", "formatting");
    else this.decideWhole(0, "none", "different_token");
  }

  private decide(kind: NameKind | undefined): void {
    const x = this.a.name.reading;
    const y = this.b.name.reading;
    const { evidence } = this.context;
    evidence.clear();
    if (!sameWords(x, y)) {
      if (crossesScripts(x, y)) {
        this.decideAcrossScripts();
        return;
      }
      compareNames(this.a.parse(), this.b.parse(), kind, this.context);
    }
    compareCharacters(x, y, evidence);
    const worst = evidence.worst();
    this.answer(scoreOf(worst, this.a.name, this.b.name, evidence), CLASSES[worst], Basis.Words);
  }

  /** A name in another script: letters that only imitate Latin ones, or the same name spelled by its sounds. */
  private decideAcrossScripts(): void {
    if (
      this.mayImitate() &&
      sameWords(this.imitate(this.imitationA, this.a.text), this.imitate(this.imitationB, this.b.text))
    ) {
      this.decideWhole(76, "fuzzy", "homoglyph");
    } else if (this.couldBeRomanised()) this.decideWhole(72, "fuzzy", "script");
    else this.decideWhole(5, "none", "script");
  }

  /** Are there letters that can look like Latin ones, and as many letters in both names? */
  private mayImitate(): boolean {
    const x = this.a.name.reading;
    const y = this.b.name.reading;
    return ((x.marks | y.marks) & (Mark.Cyrillic | Mark.Greek)) !== 0 && x.size === y.size && x.count === y.count;
  }

  private couldBeRomanised(): boolean {
    const a = this.a.sounds();
    const isUnknown = a === undefined;
    const marks = this.a.name.reading.marks | this.b.name.reading.marks;
    return isUnknown || couldBeRomanised(a, this.b.sounds(), (marks & Mark.OtherScript) === 0);
  }

  private imitate(reading: Reading, text: string): Reading {
    readName(reading, text, this.folder);
    readLookAlikes(reading, true);
    return reading;
  }

  private decideWhole(score: number, matchType: MatchType, type: NameDifferenceType): void {
    this.type = type;
    this.answer(score, matchType, Basis.Whole);
  }

  private answer(score: number, matchType: MatchType, basis: Basis): void {
    this.score = score;
    this.matchType = matchType;
    this.basis = basis;
  }

  /** The reasons for the last answer. */
  explain(): Explanation {
    const { a, b } = this;
    switch (this.basis) {
      case Basis.Identical:
        return { differences: [], parts: wholeParts(a.text, b.text, "same") };
      case Basis.Whole:
        return explainWhole(
          a.isLong || b.isLong ? describeLongTexts(a.text, b.text, this) : describeTexts(a.text, b.text, this),
          this.type,
        );
      case Basis.Words:
        return explainComparison(describeComparison(a.name.reading, b.name.reading, this.context.evidence, this));
    }
  }
}
