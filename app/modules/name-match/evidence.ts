import type { Reading } from "./reading";
import type { NameDifferenceType } from "./types";

/** What a difference means for the answer: it can be ignored, somebody has to look, or it is another payee. */
export enum Severity {
  Format = 0,
  Close = 1,
  Conflict = 2,
}

/** How two linked words are drawn: as one word, letter by letter, or as two different words. */
export enum Link {
  Same = 0,
  Letters = 1,
  Different = 2,
}

const LIMIT = 160;

/**
 * What a comparison found: differences with their weight, and which words belong together. Steps add to it; a step
 * that tries several readings goes back to a mark. One instance is reused for all comparisons.
 */
export class Evidence {
  count = 0;
  readonly type: NameDifferenceType[] = new Array(LIMIT).fill("formatting");
  readonly severity = new Uint8Array(LIMIT);
  readonly penalty = new Uint8Array(LIMIT);
  /** First and last word on each side, or -1. */
  readonly aFirst = new Int32Array(LIMIT);
  readonly aLast = new Int32Array(LIMIT);
  readonly bFirst = new Int32Array(LIMIT);
  readonly bLast = new Int32Array(LIMIT);

  links = 0;
  readonly linkKind = new Uint8Array(LIMIT);
  readonly linkAFirst = new Int32Array(LIMIT);
  readonly linkALast = new Int32Array(LIMIT);
  readonly linkBFirst = new Int32Array(LIMIT);
  readonly linkBLast = new Int32Array(LIMIT);

  clear(): void {
    this.count = 0;
    this.links = 0;
  }

  note(
    type: NameDifferenceType,
    severity: Severity,
    penalty: number,
    aFirst: number,
    aLast: number,
    bFirst: number,
    bLast: number,
  ): void {
    const at = this.count;
    if (at === LIMIT) return;
    this.type[at] = type;
    this.severity[at] = severity;
    this.penalty[at] = penalty;
    this.aFirst[at] = aFirst;
    this.aLast[at] = aLast;
    this.bFirst[at] = bFirst;
    this.bLast[at] = bLast;
    this.count = at + 1;
  }

  link(kind: Link, aFirst: number, aLast: number, bFirst: number, bLast: number): void {
    const at = this.links;
    if (at === LIMIT) return;
    this.linkKind[at] = kind;
    this.linkAFirst[at] = aFirst;
    this.linkALast[at] = aLast;
    this.linkBFirst[at] = bFirst;
    this.linkBLast[at] = bLast;
    this.links = at + 1;
  }

  /** The heaviest difference noted since `from`. */
  worst(from: number): Severity {
    let worst = Severity.Format;
    for (let i = from; i < this.count; i++) if (this.severity[i]! > worst) worst = this.severity[i]!;
    return worst;
  }

  /** Penalties noted since `from`, of differences of at least the given weight. */
  cost(from: number, severity: Severity): number {
    let cost = 0;
    for (let i = from; i < this.count; i++) if (this.severity[i]! >= severity) cost += this.penalty[i]!;
    return cost;
  }

  /** Forgets everything noted and linked after the marks. */
  rewind(count: number, links: number): void {
    this.count = count;
    this.links = links;
  }
}

/** The words `first`..`last` as the name has them. */
export function slice(reading: Reading, first: number, last: number): string {
  if (first < 0) return "";
  return reading.text.slice(reading.from[first]!, reading.to[last]!);
}
