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

/** A stretch of words on each side; a side can have none. */
export interface Span {
  aFirst: Word | undefined;
  aLast: Word | undefined;
  bFirst: Word | undefined;
  bLast: Word | undefined;
}

/** Something that differs, and its weight within its class. */
export interface Finding extends Span {
  type: NameDifferenceType;
  severity: Severity;
  weight: number;
}

/** Words that belong together. */
export interface Tie extends Span {
  link: Link;
}

/**
 * What a comparison found: differences with their weight, and which words belong together. Steps add to it; a step
 * that tries several readings goes back to where it began.
 */
export class Evidence {
  readonly findings: Finding[] = [];
  readonly ties: Tie[] = [];

  /** Notes what differs: a word on each side, or the words up to a last one. */
  note(
    type: NameDifferenceType,
    severity: Severity,
    weight: number,
    aFirst?: Word,
    bFirst?: Word,
    aLast: Word | undefined = aFirst,
    bLast: Word | undefined = bFirst,
  ): void {
    this.findings.push({ type, severity, weight, aFirst, aLast, bFirst, bLast });
  }

  tie(
    link: Link,
    aFirst: Word,
    bFirst: Word,
    aLast: Word | undefined = aFirst,
    bLast: Word | undefined = bFirst,
  ): void {
    this.ties.push({ link, aFirst, aLast, bFirst, bLast });
  }

  /** The heaviest difference noted since `from`. */
  worst(from = 0): Severity {
    let worst = Severity.Format;
    for (let k = from; k < this.findings.length; k++) {
      const severity = this.findings[k]?.severity;
      if (severity !== undefined && severity > worst) worst = severity;
    }
    return worst;
  }

  /** Weights of the differences noted since `from` that are at least that severe. */
  cost(from: number, severity: Severity): number {
    let cost = 0;
    for (let k = from; k < this.findings.length; k++) {
      const finding = this.findings[k];
      if (finding !== undefined && finding.severity >= severity) cost += finding.weight;
    }
    return cost;
  }

  /** Forgets everything found since there were as many findings and ties. */
  goBack(findings: number, ties: number): void {
    this.findings.length = findings;
    this.ties.length = ties;
  }

  /** Tries a comparison; keeps what it found only when it does not end in another payee. */
  keepIfAgreeing(compare: () => void): boolean {
    const { length: findings } = this.findings;
    const { length: ties } = this.ties;
    compare();
    if (this.worst(findings) !== Severity.Conflict) return true;
    this.goBack(findings, ties);
    return false;
  }
}
