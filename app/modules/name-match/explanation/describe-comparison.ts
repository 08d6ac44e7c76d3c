import { type Evidence, Link } from "../evidence";
import { connectorOf } from "../lexicon";
import { type Reading, Role } from "../reading";
import type { NameScore } from "../types";
import { type Comparison, type Side, type Word, type WordList, wordRange, writtenWords } from "./comparison";

/** What separates words for a reader: anything but letters, digits, apostrophes and dots (ASCII). */
const SEPARATORS = /[\s!-&(-\-/:-@[-`{-~]+/;
/** What may stand within a word for a reader. */
const WITHIN = /^['\u2019.]*$/;

interface DescribedSide extends Side {
  /** For each word that the comparison read, the words of this side. */
  places: WordList[];
}

/** One word of the comparison can be several to a reader ("as trustee for", "P/L", "A B"). */
function describeWord(reading: Reading, token: number): Omit<Word, "unit">[] {
  const from = reading.from[token] ?? 0;
  const slice = reading.text.slice(from, reading.to[token]);
  const flags = reading.flags[token] ?? 0;
  const role: Role = reading.role[token] ?? Role.Core;
  const start = reading.start[token] ?? 0;
  const letters = String.fromCharCode(...reading.codes.subarray(start, start + (reading.length[token] ?? 0)));
  const pieces = slice.split(SEPARATORS).filter((piece) => piece !== "");
  if (pieces.length === 0 || pieces[0] === slice) return [{ letters, from, to: from + slice.length, flags, role }];
  let at = 0;
  return pieces.map((piece) => {
    const offset = slice.indexOf(piece, at);
    at = offset + piece.length;
    return { letters: writtenWords(piece).join(""), from: from + offset, to: from + at, flags, role };
  });
}

function describeSide(reading: Reading): DescribedSide {
  const { text } = reading;
  const words: Word[] = [];
  const places: WordList[] = [];
  for (let token = 0; token < reading.count; token++) {
    const first = words.length;
    for (const word of describeWord(reading, token)) {
      const before = words.at(-1);
      const joined = before !== undefined && isJoined(text, before, word);
      words.push({ ...word, unit: joined ? before.unit : words.length });
    }
    places.push(wordRange(first, words.length - 1));
  }
  return { text, words, places };
}

/** Does a reader see the two words as one ("www.acme", "No.1")? A sign stands by itself. */
function isJoined(text: string, before: Range, after: Range): boolean {
  if (!WITHIN.test(text.slice(before.to, after.from))) return false;
  return !SEPARATORS.test(text.slice(before.from, before.to)) && !SEPARATORS.test(text.slice(after.from, after.to));
}

type Range = Pick<Word, "from" | "to">;

const WORDS = /[\p{L}\p{N}\p{M}'\u2019.]+/gu;

/** The words of a text that was compared as a whole. */
function describeText(text: string): Side {
  const words = Array.from(text.matchAll(WORDS), (match, unit) => {
    const letters = writtenWords(match[0]).join("");
    return { letters, from: match.index, to: match.index + match[0].length, flags: 0, role: Role.Core, unit };
  });
  return { text, words };
}

/** Two names of which nothing is known but their words: other scripts, nothing that could be a name. */
export function describeTexts(submitted: string, held: string, verdict: NameScore): Comparison {
  const { score, matchType } = verdict;
  return {
    score,
    matchType,
    submitted: describeText(submitted),
    held: describeText(held),
    findings: [],
    ties: [],
  };
}

const connectors = (reading: Reading) =>
  Array.from({ length: reading.count }, (_, token) => token).filter((token) => reading.role[token] === Role.Connector);

/** "ATF" and "as trustee for": connectors of one kind belong together however they are written. */
function sameConnectors(a: Reading, b: Reading): Array<readonly [number, number]> {
  const kindOf = (reading: Reading, token: number) => connectorOf[reading.word[token] ?? 0];
  const free = connectors(b);
  return connectors(a).flatMap((token) => {
    const at = free.findIndex((other) => kindOf(a, token) === kindOf(b, other));
    const [other] = at < 0 ? [] : free.splice(at, 1);
    return other === undefined ? [] : [[token, other] as const];
  });
}

/** Everything that is known of two names after their comparison, in words that explanations can quote. */
export function describeComparison(a: Reading, b: Reading, evidence: Evidence, verdict: NameScore): Comparison {
  const submitted = describeSide(a);
  const held = describeSide(b);
  const place = (side: DescribedSide, first: number, last: number) =>
    wordRange(first, last).flatMap((token) => side.places[token] ?? []);
  return {
    score: verdict.score,
    matchType: verdict.matchType,
    submitted,
    held,
    findings: Array.from({ length: evidence.count }, (_, k) => ({
      type: evidence.type[k] ?? "different_token",
      severity: evidence.severity[k] ?? 0,
      weight: evidence.penalty[k] ?? 0,
      submitted: place(submitted, evidence.aFirst[k] ?? -1, evidence.aLast[k] ?? -1),
      held: place(held, evidence.bFirst[k] ?? -1, evidence.bLast[k] ?? -1),
    })),
    ties: [
      ...Array.from({ length: evidence.links }, (_, k) => ({
        link: evidence.linkKind[k] ?? 0,
        submitted: place(submitted, evidence.linkAFirst[k] ?? -1, evidence.linkALast[k] ?? -1),
        held: place(held, evidence.linkBFirst[k] ?? -1, evidence.linkBLast[k] ?? -1),
      })),
      ...sameConnectors(a, b).map(([x, y]) => ({
        link: Link.Same,
        submitted: submitted.places[x] ?? [],
        held: held.places[y] ?? [],
      })),
    ],
  };
}
