import type { Link, Severity } from "../comparing/evidence";
import type { Role } from "../reading/word";
import type { MatchType, NameDifferenceType } from "../types";

/** A word of a name as the comparison read it. */
export interface Word {
  /** Folded letters: lower case, without accents. */
  letters: string;
  /** The words that a reader sees in it. */
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

/** Words by their place in the name, in order. */
export type WordList = readonly number[];

/** Something that differs, as a step of the comparison noted it. */
export interface Finding {
  type: NameDifferenceType;
  severity: Severity;
  /** What it costs within its class. */
  weight: number;
  submitted: WordList;
  held: WordList;
}

/** Words that the comparison laid beside each other. */
export interface Tie {
  link: Link;
  submitted: WordList;
  held: WordList;
}

/** All that is known of two names when reasons are asked for. */
export interface Comparison {
  score: number;
  matchType: MatchType;
  submitted: Side;
  held: Side;
  findings: readonly Finding[];
  ties: readonly Tie[];
}

/** The words from `first` to `last`; none when `last` comes before `first`. */
export const wordRange = (first: number, last: number): WordList =>
  Array.from({ length: last - first + 1 }, (_, k) => first + k);

/** Is a word one of these kinds (`Flag`)? */
export const isAny = (side: Side, word: number | undefined, flags: number): boolean =>
  ((wordAt(side, word)?.flags ?? 0) & flags) !== 0;

/** The word in a place, if there is one. */
export const wordAt = (side: Side, place: number | undefined): Word | undefined =>
  side.words[place ?? side.words.length];

/** Runs of words that stand next to each other. */
export function toRuns(words: WordList): number[][] {
  const runs: number[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1) === word - 1) run.push(word);
    else runs.push([word]);
  }
  return runs;
}

/** The text from the first to the last of these words as the name writes it, with a bracket that it would cut off. */
function sliceOf(side: Side, run: WordList): string {
  const first = wordAt(side, run[0]);
  const last = wordAt(side, run.at(-1));
  if (first === undefined || last === undefined) return "";
  const text = side.text.slice(first.from, last.to);
  const more = text.split("(").length - text.split(")").length;
  if (more > 0 && side.text[last.to] === ")") return `${text})`;
  return more < 0 && side.text[first.from - 1] === "(" ? `(${text}` : text;
}

/** Words as the name writes them; "…" stands for what is left out between them. */
export function quote(side: Side, words: WordList): string {
  return toRuns(words)
    .map((run) => sliceOf(side, run))
    .join(" … ");
}

const NON_ASCII = /[^\p{ASCII}]/u;
const ASCII_WORDS = /[a-z0-9]+/g;

/** The words of a text as a reader sees them: without case, accents and punctuation. */
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
