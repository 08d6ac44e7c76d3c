import { Link } from "../comparing/evidence";
import { Flag } from "../vocabulary";
import { type Comparison, isAny, type Side, type Tie, toRuns, type WordList } from "./comparison";

/** Words of both names that belong together: one word, a related spelling, or two in the same position. */
export type WordPair = Tie;

export type WordsOfBoth = Pick<WordPair, "submitted" | "held">;

const sorted = (words: WordList): number[] => [...new Set(words)].sort((a, b) => a - b);

/** The words, and all words that are written together with them. */
function unitsOf(side: Side, words: WordList): number[] {
  const units = new Set(words.map((word) => side.words[word]?.unit));
  return side.words.flatMap(({ unit }, word) => (units.has(unit) ? [word] : []));
}

/** The pair of every word of both names; a word without one is in one name only. */
export class WordPairs {
  readonly pairs: WordPair[] = [];
  private readonly ofSubmitted = new Map<number, WordPair>();
  private readonly ofHeld = new Map<number, WordPair>();

  constructor(
    private readonly submitted: Side,
    private readonly held: Side,
  ) {}

  pairOfSubmitted(word: number): WordPair | undefined {
    return this.ofSubmitted.get(word);
  }

  pairOfHeld(word: number): WordPair | undefined {
    return this.ofHeld.get(word);
  }

  /** Do both names have this word, letter for letter? */
  isShared(side: "submitted" | "held", word: number): boolean {
    const pair = side === "submitted" ? this.ofSubmitted.get(word) : this.ofHeld.get(word);
    return pair !== undefined && pair.link === Link.Same && this.sameLetters(pair.submitted, pair.held);
  }

  /** Pairs words, unless one of them already has a partner. */
  add(link: Link, submitted: WordList, held: WordList): void {
    if (submitted.length === 0 || held.length === 0) return;
    if (submitted.some((word) => this.ofSubmitted.has(word)) || held.some((word) => this.ofHeld.has(word))) return;
    const pair = { link, submitted, held };
    this.pairs.push(pair);
    for (const word of submitted) this.ofSubmitted.set(word, pair);
    for (const word of held) this.ofHeld.set(word, pair);
  }

  /** Are the letters the same, as the comparison folded them or as a reader sees them? */
  sameLetters(submitted: WordList, held: WordList): boolean {
    return (
      joined(this.submitted, submitted, "letters") === joined(this.held, held, "letters") ||
      joined(this.submitted, submitted, "written") === joined(this.held, held, "written")
    );
  }

  /** Pairs equal words: first those next to paired words, then the others from left to right. */
  addEqual(): void {
    for (const pair of [...this.pairs]) this.extend(pair);
    this.submitted.words.forEach((_, word) => {
      if (this.ofSubmitted.has(word)) return;
      const other = this.held.words.findIndex((_, candidate) => this.areEqualAndFree(word, candidate));
      if (other < 0) return;
      this.add(Link.Same, [word], [other]);
      this.extend({ submitted: [word], held: [other] });
    });
  }

  private areEqualAndFree(word: number, other: number): boolean {
    const [a, b] = [this.submitted.words[word], this.held.words[other]];
    if (a === undefined || b === undefined || this.ofSubmitted.has(word) || this.ofHeld.has(other)) return false;
    return a.letters === b.letters || a.written === b.written;
  }

  /** Pairs the equal words after and before a pair. */
  private extend({ submitted, held }: WordsOfBoth): void {
    const [first, last] = [submitted[0] ?? 0, submitted.at(-1) ?? 0];
    const [otherFirst, otherLast] = [held[0] ?? 0, held.at(-1) ?? 0];
    for (let k = 1; this.areEqualAndFree(last + k, otherLast + k); k++) {
      this.add(Link.Same, [last + k], [otherLast + k]);
    }
    for (let k = 1; this.areEqualAndFree(first - k, otherFirst - k); k++) {
      this.add(Link.Same, [first - k], [otherFirst - k]);
    }
  }

  /** The words that must be shown so that no word is cut: those written together with them, and their counterparts. */
  wholeWords(words: WordsOfBoth): WordsOfBoth {
    let whole = words;
    for (;;) {
      const submitted = unitsOf(this.submitted, whole.submitted);
      const held = unitsOf(this.held, whole.held);
      const added = submitted.length > whole.submitted.length || held.length > whole.held.length;
      if (!added) return whole;
      whole = {
        submitted: sorted([...submitted, ...held.flatMap((word) => this.ofHeld.get(word)?.submitted ?? [])]),
        held: sorted([...held, ...submitted.flatMap((word) => this.ofSubmitted.get(word)?.held ?? [])]),
      };
    }
  }

  isFree(side: "submitted" | "held", word: number): boolean {
    return side === "submitted" ? !this.ofSubmitted.has(word) : !this.ofHeld.has(word);
  }
}

/** Joins words with a mark between them, because "a b" is not "ab". */
function joined(side: Side, words: WordList, what: "letters" | "written"): string {
  const [first] = words;
  if (words.length === 1 && first !== undefined) return side.words[first]?.[what] ?? "";
  return words.map((word) => side.words[word]?.[what] ?? "").join(" ");
}

/** Is a tie explained as a whole: a phrase read as one word that means the same ("T/A"), or two such ("T/S")? */
function isOneThing({ link, submitted, held }: Tie, { submitted: a, held: b }: Comparison): boolean {
  const isPhrase = submitted.every((word) => a.words[word]?.isPiece);
  const isPhraseToo = held.every((word) => b.words[word]?.isPiece);
  if (link === Link.Same) return isPhrase || isPhraseToo;
  if (link === Link.Different || !isPhrase || !isPhraseToo) return false;
  const others = new Set(held.map((word) => b.words[word]?.letters));
  return !submitted.some((word) => (a.words[word]?.letters.length ?? 0) > 1 && others.has(a.words[word]?.letters));
}

/** Pairs words that the comparison found equal and that have the same letters. */
function addEqualTie(pairs: WordPairs, { submitted, held }: Tie): void {
  submitted.forEach((word, k) => {
    const other = held.slice(k, k + 1);
    if (pairs.sameLetters([word], other)) pairs.add(Link.Same, [word], other);
  });
}

/** Pairs the rest of a tie after removing its equal words, if it is one stretch on each side. */
function addTie(pairs: WordPairs, { link, submitted, held }: Tie): void {
  const freeSubmitted = toRuns(submitted.filter((word) => pairs.isFree("submitted", word)));
  const freeHeld = toRuns(held.filter((word) => pairs.isFree("held", word)));
  const [a, ...moreSubmitted] = freeSubmitted;
  const [b, ...moreHeld] = freeHeld;
  if (a === undefined || b === undefined || moreSubmitted.length + moreHeld.length > 0) return;
  if (link === Link.Same && a.length === b.length) {
    a.forEach((word, k) => {
      pairs.add(link, [word], b.slice(k, k + 1));
    });
  } else pairs.add(link, a, b);
}

/**
 * Decides for every word which word of the other name it belongs to: first those that the comparison found equal, then
 * equal words that it did not use ("The", "Pty Ltd" of a different payee), finally related words.
 */
export function pairWords(comparison: Comparison): WordPairs {
  const { submitted, held, ties } = comparison;
  const pairs = new WordPairs(submitted, held);
  const joins = ({ submitted: [word] }: Tie) => isAny(submitted, word, Flag.And | Flag.Article);
  for (const tie of ties) {
    if (isOneThing(tie, comparison)) pairs.add(tie.link, tie.submitted, tie.held);
    else if (tie.link === Link.Same && !joins(tie)) addEqualTie(pairs, tie);
  }
  pairs.addEqual();
  for (const tie of ties) addTie(pairs, tie);
  return pairs;
}
