import type { Word } from "../reading/word";
import type { NameDifferenceType } from "../types";

/** What a difference means for the answer: it can be ignored, somebody has to look, or it is another payee. */
export enum Severity {
  Format = 0,
  Close = 1,
  Conflict = 2,
}

/** How words that belong together are related: as one word, as two spellings, or as two different words. */
export enum Link {
  Same = 0,
  Letters = 1,
  Different = 2,
}

/** No word. */
export const NOWHERE = -1;
const INDEX_BITS = 6;

/** Where a word stands in its name, and for an initial which letter of the word it is, as one number. */
const placeOf = (word: Word | undefined): number =>
  word === undefined ? NOWHERE : word.index | ((word.offset + 1) << INDEX_BITS);

/** The place of the word among the words of its name. */
export const indexAt = (place: number): number => place & ((1 << INDEX_BITS) - 1);
/** The place of an initial among the letters of its word; -1 for a whole word. */
export const offsetAt = (place: number): number => (place >> INDEX_BITS) - 1;

/** A stretch of words on each side, by their places; a side can have none. */
export class Span {
  aFirst = NOWHERE;
  aLast = NOWHERE;
  bFirst = NOWHERE;
  bLast = NOWHERE;

  /** Sets one word on each side. */
  about(a: Word | undefined, b: Word | undefined): this {
    this.aFirst = this.aLast = placeOf(a);
    this.bFirst = this.bLast = placeOf(b);
    return this;
  }

  /** Lengthens the stretches to these words. */
  through(a: Word | undefined, b: Word | undefined): this {
    this.aLast = placeOf(a);
    this.bLast = placeOf(b);
    return this;
  }
}

/** Something that differs, and its weight within its class. */
export class Finding extends Span {
  type: NameDifferenceType = "formatting";
  severity: Severity = Severity.Format;
  weight = 0;
}

/** Words that belong together. */
export class Tie extends Span {
  link: Link = Link.Same;
}

/** More than two names of the greatest length can give. */
const LIMIT = 160;

/** Where a step began, to go back to. */
interface Bookmark {
  findings: number;
  ties: number;
}

/**
 * What a comparison found: differences with their weight, and which words belong together. Steps add to it; a step
 * that tries several readings goes back to where it began.
 */
export class Evidence {
  findingCount = 0;
  tieCount = 0;
  private readonly findings: Finding[] = [];
  private readonly ties: Tie[] = [];

  clear(): void {
    this.findingCount = 0;
    this.tieCount = 0;
  }

  note(type: NameDifferenceType, severity: Severity, weight: number): Finding {
    if (this.findings.length <= this.findingCount) this.findings.push(new Finding());
    const finding = this.finding(this.findingCount);
    if (this.findingCount < LIMIT) this.findingCount++;
    finding.type = type;
    finding.severity = severity;
    finding.weight = weight;
    return finding.about(undefined, undefined);
  }

  tie(link: Link, a: Word, b: Word): Tie {
    if (this.ties.length <= this.tieCount) this.ties.push(new Tie());
    const tie = this.tieAt(this.tieCount);
    if (this.tieCount < LIMIT) this.tieCount++;
    tie.link = link;
    return tie.about(a, b);
  }

  finding(index: number): Finding {
    const finding = this.findings[index];
    if (finding === undefined) throw new RangeError(`There is no finding ${index}.`);
    return finding;
  }

  tieAt(index: number): Tie {
    const tie = this.ties[index];
    if (tie === undefined) throw new RangeError(`There is no tie ${index}.`);
    return tie;
  }

  /** The heaviest difference noted since `from`. */
  worst(from = 0): Severity {
    let worst = Severity.Format;
    for (let k = from; k < this.findingCount; k++) {
      const { severity } = this.finding(k);
      if (severity > worst) worst = severity;
    }
    return worst;
  }

  /** Weights of the differences noted since `from` that are at least that severe. */
  cost(from: number, severity: Severity): number {
    let cost = 0;
    for (let k = from; k < this.findingCount; k++) {
      const finding = this.finding(k);
      if (finding.severity >= severity) cost += finding.weight;
    }
    return cost;
  }

  bookmark(): Bookmark {
    return { findings: this.findingCount, ties: this.tieCount };
  }

  /** Forgets everything found since. */
  goBack({ findings, ties }: Bookmark): void {
    this.findingCount = findings;
    this.tieCount = ties;
  }

  /** Tries a comparison; keeps what it found only when it does not end in another payee. */
  keepIfAgreeing(compare: () => void): boolean {
    const begun = this.bookmark();
    compare();
    if (this.worst(begun.findings) !== Severity.Conflict) return true;
    this.goBack(begun);
    return false;
  }
}
