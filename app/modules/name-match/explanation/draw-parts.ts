import { Link } from "../comparing/evidence";
import type { NamePart, NamePartStatus } from "../types";
import { type Comparison, type Side, wordAt, writtenWords } from "./comparison";
import type { WordPair, WordPairs } from "./pair-words";

type Range = { from: number; to: number };

const rangeOf = (side: Side, words: readonly number[]): Range => ({
  from: wordAt(side, words[0])?.from ?? side.text.length,
  to: wordAt(side, words.at(-1))?.to ?? side.text.length,
});

const partOf = (status: NamePartStatus, submitted: Range, held: Range): NamePart => ({
  status,
  submittedStart: submitted.from,
  submittedEnd: submitted.to,
  heldStart: held.from,
  heldEnd: held.to,
});

/** Both names as a single part each. */
export const wholeParts = (submitted: string, held: string, status: NamePartStatus): NamePart[] => [
  partOf(status, { from: 0, to: submitted.length }, { from: 0, to: held.length }),
];

/** Builds the parts of two names side by side, word by word. */
class Drawing {
  readonly parts: NamePart[] = [];

  constructor(
    private readonly comparison: Comparison,
    private readonly pairs: WordPairs,
    private readonly byLetters: boolean,
  ) {}

  /** Adds every word of the submitted name in order, and words that only the held name has at their positions. */
  draw(): NamePart[] {
    const { submitted, held } = this.comparison;
    let j = 0;
    for (let i = 0; i < submitted.words.length; ) {
      const pair = this.pairs.pairOfSubmitted(i);
      if (pair === undefined) {
        i = this.drawOnlySubmitted(i, j);
        continue;
      }
      j = this.drawOnlyHeld(j, submitted.words[i]?.from ?? 0);
      const last = this.drawPair(pair);
      if (pair.held[0] === j) j = last.held + 1;
      i = last.submitted + 1;
    }
    while (j < held.words.length) {
      const next = this.drawOnlyHeld(j, submitted.text.length);
      j = next > j ? next : j + 1;
    }
    return this.parts;
  }

  private drawOnlySubmitted(first: number, heldWord: number): number {
    const { submitted, held } = this.comparison;
    let end = first + 1;
    while (end < submitted.words.length && this.pairs.isFree("submitted", end)) end++;
    const at = held.words[heldWord]?.from ?? held.text.length;
    this.parts.push(partOf("only_submitted", rangeOf(submitted, [first, end - 1]), { from: at, to: at }));
    return end;
  }

  /** @returns the word after the run of words that only the held name has; `first` when there is none */
  private drawOnlyHeld(first: number, at: number): number {
    const { held } = this.comparison;
    let end = first;
    while (end < held.words.length && this.pairs.isFree("held", end)) end++;
    if (end > first) this.parts.push(partOf("only_held", { from: at, to: at }, rangeOf(held, [first, end - 1])));
    return end;
  }

  /** @returns the last words on both sides that the part covers */
  private drawPair(pair: WordPair): { submitted: number; held: number } {
    const { submitted, held } = this.comparison;
    if (pair.link !== Link.Same) {
      const ranges = [rangeOf(submitted, pair.submitted), rangeOf(held, pair.held)] as const;
      if (pair.link === Link.Letters && this.byLetters) this.drawByLetters(...ranges);
      else this.parts.push(partOf("different", ...ranges));
      return { submitted: pair.submitted.at(-1) ?? 0, held: pair.held.at(-1) ?? 0 };
    }
    let last = pair;
    for (let next = this.follower(last); next !== undefined; next = this.follower(last)) last = next;
    const to = { submitted: last.submitted.at(-1) ?? 0, held: last.held.at(-1) ?? 0 };
    this.drawEqual(
      rangeOf(submitted, [pair.submitted[0] ?? 0, to.submitted]),
      rangeOf(held, [pair.held[0] ?? 0, to.held]),
    );
    return to;
  }

  /** The equal pair that directly follows a pair on both sides, if there is one. */
  private follower(pair: WordPair): WordPair | undefined {
    const next = this.pairs.pairOfSubmitted((pair.submitted.at(-1) ?? 0) + 1);
    if (next === undefined || next.link !== Link.Same) return undefined;
    return next.held[0] === (pair.held.at(-1) ?? 0) + 1 ? next : undefined;
  }

  private drawEqual(a: Range, b: Range): void {
    const { submitted, held } = this.comparison;
    const same = submitted.text.slice(a.from, a.to) === held.text.slice(b.from, b.to);
    this.parts.push(partOf(same ? "same" : "formatting", a, b));
  }

  /** Splits two related spellings into what they share at both ends and what differs in between. */
  private drawByLetters(a: Range, b: Range): void {
    const x = this.comparison.submitted.text.slice(a.from, a.to).toLowerCase();
    const y = this.comparison.held.text.slice(b.from, b.to).toLowerCase();
    if (x.length !== a.to - a.from || y.length !== b.to - b.from) {
      this.parts.push(partOf("different", a, b));
      return;
    }
    const limit = Math.min(x.length, y.length);
    let head = 0;
    while (head < limit && x[head] === y[head]) head++;
    let tail = 0;
    while (tail < limit - head && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail++;
    if (head > 0) this.drawEqual({ from: a.from, to: a.from + head }, { from: b.from, to: b.from + head });
    this.parts.push(
      partOf("different", { from: a.from + head, to: a.to - tail }, { from: b.from + head, to: b.to - tail }),
    );
    if (tail > 0) this.drawEqual({ from: a.to - tail, to: a.to }, { from: b.to - tail, to: b.to });
  }
}

/** Marked words of one side: those in a part that the other name lacks. */
function markedWords(parts: readonly NamePart[], side: "submitted" | "held", text: string): string[] {
  return parts.flatMap((part) => {
    if (part.status === "same" || part.status === "formatting") return [];
    const start = side === "submitted" ? part.submittedStart : part.heldStart;
    const end = side === "submitted" ? part.submittedEnd : part.heldEnd;
    return writtenWords(text.slice(start, end)).filter((word) => word.length > 1);
  });
}

/** Would marks within words leave the same letters marked in both names? Then whole words are clearer. */
function marksTheSameTwice(parts: readonly NamePart[], { submitted, held }: Comparison): boolean {
  const marked = new Set(markedWords(parts, "submitted", submitted.text));
  return markedWords(parts, "held", held.text).some((word) => marked.has(word));
}

/**
 * Builds the parts of two names, in the order of the submitted name; words without a counterpart are separate parts.
 * Related spellings are split into letters, except for different payees, where that would mean nothing.
 */
export function drawParts(comparison: Comparison, pairs: WordPairs): NamePart[] {
  if (comparison.matchType === "none") return new Drawing(comparison, pairs, false).draw();
  const parts = new Drawing(comparison, pairs, true).draw();
  return marksTheSameTwice(parts, comparison) ? new Drawing(comparison, pairs, false).draw() : parts;
}
