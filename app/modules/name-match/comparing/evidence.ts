import type { Word } from "~/modules/name-match/name";
import type { NameDifferenceType } from "../types";

/** What a difference leads to: it is ignored, a person should look, or it is a different payee. */
export enum Severity {
  Format = 0,
  Close = 1,
  Conflict = 2,
}

/** How words that belong together are related: as one word, two spellings, or two different words. */
export enum Link {
  Same = 0,
  Letters = 1,
  Different = 2,
}

/** A stretch of words on each side; either may be empty. */
export interface Span {
  aFirst: Word | undefined;
  aLast: Word | undefined;
  bFirst: Word | undefined;
  bLast: Word | undefined;
}

/** A difference, and its weight within its class. */
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
 * The results of a comparison: differences with their weights, and which words belong together. Steps add to it; a step
 * that tries several readings can return to its starting point.
 */
export class Evidence {
  readonly findings: Finding[] = [];
  readonly ties: Tie[] = [];

  /** Records a difference: a word on each side, or the words up to a last one. */
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

  /** The most serious difference recorded since `from`. */
  worst(from = 0): Severity {
    let worst = Severity.Format;
    for (let k = from; k < this.findings.length; k++) {
      const severity = this.findings[k]?.severity;
      if (severity !== undefined && severity > worst) worst = severity;
    }
    return worst;
  }

  /** The total weight of differences since `from` that are at least this serious. */
  cost(from: number, severity: Severity): number {
    let cost = 0;
    for (let k = from; k < this.findings.length; k++) {
      const finding = this.findings[k];
      if (finding !== undefined && finding.severity >= severity) cost += finding.weight;
    }
    return cost;
  }

  /** Discards everything recorded after this many findings and ties. */
  goBack(findings: number, ties: number): void {
    this.findings.length = findings;
    this.ties.length = ties;
  }

  /** Tries a comparison; keeps its results only if it does not find a different payee. */
  keepIfAgreeing(compare: () => void): boolean {
    const { length: findings } = this.findings;
    const { length: ties } = this.ties;
    compare();
    if (this.worst(findings) !== Severity.Conflict) return true;
    this.goBack(findings, ties);
    return false;
  }
}
