import { type Reading, type Word as ReadWord, Role } from "~/modules/name-match/name";
import { type Evidence, Link, type Severity, type Span } from "../comparing/evidence";
import type { MatchType, NameDifferenceType, NameScore } from "../types";
import { Flag } from "../vocabulary";

/** A word of a name as the comparison read it. */
export interface Word {
  /** Folded letters: lower case, without accents. */
  letters: string;
  /** The parts of it that a reader sees as words. */
  written: string;
  /** Half-open range in the name as given. */
  from: number;
  to: number;
  flags: number;
  role: Role;
  /** Equal for words that a reader sees as one: "www.acme.au", "No.1". */
  unit: number;
  /** Is it one of several words that the comparison read as one ("T" of "T/A", "trading" of "trading as")? */
  isPiece: boolean;
}

export interface Side {
  text: string;
  words: readonly Word[];
}

/** Positions of words in the name, in order. */
export type WordList = readonly number[];

/** A difference recorded by a step of the comparison. */
export interface Finding {
  type: NameDifferenceType;
  severity: Severity;
  /** What it costs within its class. */
  weight: number;
  submitted: WordList;
  held: WordList;
}

export interface Tie {
  link: Link;
  submitted: WordList;
  held: WordList;
}

/** Everything known about two names, for the explanation. */
export interface Comparison {
  score: number;
  matchType: MatchType;
  submitted: Side;
  held: Side;
  findings: readonly Finding[];
  ties: readonly Tie[];
}

/** The words from `first` to `last`; empty when `last` comes before `first`. */
const wordRange = (first: number, last: number): WordList =>
  Array.from({ length: last - first + 1 }, (_, k) => first + k);

/** Does a word have any of these flags (`Flag`)? */
export const isAny = (side: Side, word: number | undefined, flags: number): boolean =>
  ((wordAt(side, word)?.flags ?? 0) & flags) !== 0;

/** The word at a position, if there is one. */
export const wordAt = (side: Side, place: number | undefined): Word | undefined =>
  side.words[place ?? side.words.length];

/** Groups words into runs of adjacent ones. */
export function toRuns(words: WordList): number[][] {
  const runs: number[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1) === word - 1) run.push(word);
    else runs.push([word]);
  }
  return runs;
}

/** The original text from the first to the last of these words, with a bracket that would otherwise be cut off. */
function sliceOf(side: Side, run: WordList): string {
  const first = wordAt(side, run[0]);
  const last = wordAt(side, run.at(-1));
  if (first === undefined || last === undefined) return "";
  const text = side.text.slice(first.from, last.to);
  const more = text.split("(").length - text.split(")").length;
  if (more > 0 && side.text[last.to] === ")") return `${text})`;
  return more < 0 && side.text[first.from - 1] === "(" ? `(${text}` : text;
}

/** Words as the name writes them; "…" marks what is left out between them. */
export function quote(side: Side, words: WordList): string {
  return toRuns(words)
    .map((run) => sliceOf(side, run))
    .join(" … ");
}

const NON_ASCII = /[^\p{ASCII}]/u;
const ASCII_WORDS = /[a-z0-9]+/g;

/** The words of a text as a reader sees them, ignoring case, accents and punctuation. */
export function writtenWords(text: string): string[] {
  const lower = text.toLowerCase().replace(/['.]/g, "");
  if (!NON_ASCII.test(lower)) return lower.match(ASCII_WORDS) ?? [];
  return lower
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u2019\p{Cf}]/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Characters that separate words for a reader: anything but letters, digits, apostrophes and dots (ASCII). */
const SEPARATORS = /[\s!-&(-\-/:-@[-`{-~]+/;
/** Characters that may occur within a word for a reader. */
const WITHIN = /^['\u2019.]*$/;
const LETTER = /[\p{L}\p{N}]/u;

type Described = Omit<Word, "unit" | "written">;

/** The words of a side, and the position of each word (and each of its letters) that the comparison read. */
class DescribedSide implements Side {
  readonly words: Word[] = [];
  private readonly places: WordList[] = [];

  constructor(
    private readonly reading: Reading,
    /** Positions of words that were compared initial by initial. */
    private readonly split: ReadonlySet<number>,
  ) {
    for (const read of reading.words) {
      const first = this.words.length;
      for (const word of this.describe(read)) this.add(word);
      this.places.push(wordRange(first, this.words.length - 1));
    }
  }

  get text(): string {
    return this.reading.text;
  }

  private add(word: Described): void {
    const before = this.words.at(-1);
    const isJoined = before !== undefined && areJoined(this.text, before, word);
    const written = writtenWords(this.text.slice(word.from, word.to)).join(" ");
    this.words.push({ ...word, written, unit: isJoined ? before.unit : this.words.length });
  }

  /** One word of the comparison may be several to a reader ("as trustee for", "P/L", the initials "JR"). */
  private describe(word: ReadWord): Described[] {
    const slice = this.text.slice(word.from, word.to);
    const { from, to, flags, role } = word;
    if (this.split.has(word.index)) return this.describeInitials(word);
    const isSign = (flags & Flag.And) !== 0;
    const pieces = isSign ? [slice] : slice.split(SEPARATORS).filter((piece) => piece !== "");
    if (pieces.length === 0 || pieces[0] === slice)
      return [{ letters: word.text, from, to, flags, role, isPiece: false }];
    let at = 0;
    return pieces.map((piece) => {
      const offset = slice.indexOf(piece, at);
      at = offset + piece.length;
      return { letters: writtenWords(piece).join(""), from: from + offset, to: from + at, flags, role, isPiece: true };
    });
  }

  private describeInitials({ from, to, role, flags }: ReadWord): Described[] {
    const initials: Described[] = [];
    for (let k = from; k < to; k++) {
      const letter = this.text.charAt(k);
      if (LETTER.test(letter))
        initials.push({ letters: letter.toLowerCase(), from: k, to: k + 1, flags, role, isPiece: false });
    }
    return initials;
  }

  /** The words from one place of the comparison to another. */
  between(first: ReadWord | undefined, last: ReadWord | undefined): WordList {
    if (first === undefined || last === undefined) return [];
    const [from, to] = [first.index, last.index];
    if (from === to && first.offset >= 0 && first.offset === last.offset) {
      return this.of(first).slice(first.offset, first.offset + 1);
    }
    return wordRange(Math.min(from, to), Math.max(from, to)).flatMap((k) => this.places[k] ?? []);
  }

  /** The positions of one word of the comparison. */
  of({ index }: ReadWord): WordList {
    return this.places[index] ?? [];
  }
}

/** Does a reader see the two words as one ("www.acme", "No.1")? A sign is a word; "P/LT/A" is "P/L" and "T/A". */
function areJoined(text: string, before: Described, after: Described): boolean {
  if (before.to === after.from && (before.isPiece || after.isPiece)) return false;
  if (!WITHIN.test(text.slice(before.to, after.from))) return false;
  return !SEPARATORS.test(text.slice(before.from, before.to)) && !SEPARATORS.test(text.slice(after.from, after.to));
}

const WORDS = /[\p{L}\p{N}\p{M}'\u2019.]+/gu;

/** The words of a text that was compared as a whole. */
function describeText(text: string): Side {
  const words = Array.from(text.matchAll(WORDS), (match, unit) => {
    const letters = writtenWords(match[0]).join("");
    const range = { from: match.index, to: match.index + match[0].length };
    return { letters, written: letters, ...range, flags: 0, role: Role.Core, unit, isPiece: false };
  });
  return { text, words };
}

/** Two names of which only the words are known: in other scripts, or nothing that could be a name. */
export function describeTexts(submitted: string, held: string, verdict: NameScore): Comparison {
  return describeSides(describeText(submitted), describeText(held), verdict);
}

/** Two texts of which at least one is longer than any name: their words are not listed. */
export function describeLongTexts(submitted: string, held: string, verdict: NameScore): Comparison {
  return describeSides({ text: submitted, words: [] }, { text: held, words: [] }, verdict);
}

function describeSides(submitted: Side, held: Side, { score, matchType }: NameScore): Comparison {
  return {
    score,
    matchType,
    submitted,
    held,
    findings: [],
    ties: [],
  };
}

const connectors = ({ words }: Reading) => words.filter(({ role }) => role === Role.Connector);

/** "ATF" and "as trustee for": connectors of one kind belong together, however they are written. */
function tieConnectors(a: Reading, b: Reading, sides: readonly [DescribedSide, DescribedSide]): Tie[] {
  const free = connectors(b);
  return connectors(a).flatMap((word) => {
    const at = free.findIndex((other) => word.entry.connector === other.entry.connector);
    const [other] = at < 0 ? [] : free.splice(at, 1);
    if (other === undefined) return [];
    const link = word.entry.isSlip === other.entry.isSlip ? Link.Same : Link.Letters;
    return [{ link, submitted: sides[0].of(word), held: sides[1].of(other) }];
  });
}

/** Names with identical words, which the comparison did not examine further. */
function tieSameWords(a: Reading, b: Reading, sides: readonly [DescribedSide, DescribedSide]): Tie[] {
  if (a.words.length !== b.words.length || !a.words.every(({ text }, k) => text === b.words[k]?.text)) return [];
  return a.words.map((word) => ({ link: Link.Same, submitted: sides[0].of(word), held: sides[1].of(word) }));
}

/** The words that findings and ties describe letter by letter. */
function splitWords(spans: readonly Span[], side: "a" | "b", { words }: Reading): ReadWord[] {
  const ends = spans.flatMap((span) => [span[`${side}First`], span[`${side}Last`]]);
  return ends.flatMap((end) => {
    const word = end !== undefined && end.offset >= 0 ? words[end.index] : undefined;
    return word !== undefined && word.text.length > 1 ? [word] : [];
  });
}

const isJoinedInitials = ({ from, to, text }: ReadWord) => to - from >= 2 * text.length - 1;

/** Words of a name that must be split because the other's are: the same letters, and initials written apart. */
function splitLikewise({ words }: Reading, split: readonly ReadWord[]): Set<number> {
  if (split.length === 0) return new Set();
  const alike = words.filter((word) => isJoinedInitials(word) || split.some(({ text }) => text === word.text));
  return new Set(alike.map(({ index }) => index));
}

/** Describes two compared names in words that explanations can quote. */
export function describeComparison(a: Reading, b: Reading, evidence: Evidence, verdict: NameScore): Comparison {
  const { findings, ties } = evidence;
  const spans = [...findings, ...ties];
  const split = [...splitWords(spans, "a", a), ...splitWords(spans, "b", b)];
  const submitted = new DescribedSide(a, splitLikewise(a, split));
  const held = new DescribedSide(b, splitLikewise(b, split));
  const quotes = ({ aFirst, aLast, bFirst, bLast }: Span) => ({
    submitted: submitted.between(aFirst, aLast),
    held: held.between(bFirst, bLast),
  });
  const isJoint = (word: number, side: Side) => !isAny(side, word, Flag.And);
  return {
    score: verdict.score,
    matchType: verdict.matchType,
    submitted,
    held,
    findings: findings.map((finding) => {
      const { type, severity, weight } = finding;
      const words = quotes(finding);
      if (type !== "joint_holder") return { type, severity, weight, ...words };
      return {
        type,
        severity,
        weight,
        submitted: words.submitted.filter((word) => isJoint(word, submitted)),
        held: words.held.filter((word) => isJoint(word, held)),
      };
    }),
    ties: [
      ...ties.map((tie) => ({ link: tie.link, ...quotes(tie) })),
      ...tieSameWords(a, b, [submitted, held]),
      ...tieConnectors(a, b, [submitted, held]),
    ],
  };
}
