import { isSameMeaning, isSameName, Relation, type Word } from "../reading/word";
import { relateNames, relateWords } from "./relate-words";

/** Beyond this many words without an equal on both sides there is nothing to save by looking at spellings. */
const MAX_UNEQUAL = 8;
const LONGEST_RUN = 4;

/** What pairing the words of two lists came to; the words themselves keep their partners. */
export interface Alignment {
  /** Words without a partner on each side. */
  leftA: number;
  leftB: number;
  /** Do partners come in the same order on both sides? */
  inOrder: boolean;
}

/**
 * Finds which words of two lists belong together, and how: equal ones, then ones written apart, then the nearest related
 * ones.
 * @param personal whether the words are of people's names
 */
export function alignWords(a: readonly Word[], b: readonly Word[], personal: boolean): Alignment {
  begin(a);
  begin(b);
  const equal = pairEqual(a, b, personal);
  let leftA = a.length - equal;
  let leftB = b.length - equal;
  if (leftA > 0 && leftB > 0 && leftA <= MAX_UNEQUAL && leftB <= MAX_UNEQUAL) {
    for (const whole of b) {
      if (leftA < 2) break;
      const taken = pairRun(a, whole);
      leftA -= taken;
      if (taken > 0) leftB--;
    }
    for (const whole of a) {
      if (leftB < 2) break;
      const taken = pairRun(b, whole);
      leftB -= taken;
      if (taken > 0) leftA--;
    }
    const related = leftB > 0 ? pairRelated(a, b, personal) : 0;
    leftA -= related;
    leftB -= related;
  }
  return { leftA, leftB, inOrder: areInOrder(a) };
}

function begin(list: readonly Word[]): void {
  let place = 0;
  for (const word of list) {
    word.partner = undefined;
    word.place = place++;
  }
}

function pair(a: Word, b: Word, relation: Relation): void {
  a.partner = b;
  a.relation = relation;
  a.runEnd = a;
  b.partner = a;
  b.relation = relation;
  b.runEnd = b;
}

/** Pairs equal words: each with the next one in order, else with the first that is equal. @returns how many */
function pairEqual(a: readonly Word[], b: readonly Word[], personal: boolean): number {
  let pairs = 0;
  let expected = 0;
  for (const word of a) {
    const next = b[expected];
    const isNext = next !== undefined && isFreeAndSame(word, next, personal);
    const found = isNext ? next : findEqual(word, b, personal);
    if (found === undefined) continue;
    pair(word, found, Relation.Equal);
    expected = found.place + 1;
    pairs++;
  }
  return pairs;
}

const isFreeAndSame = (word: Word, other: Word, personal: boolean): boolean =>
  other.partner === undefined && (personal ? isSameName(word, other) : isSameMeaning(word, other));

function findEqual(word: Word, list: readonly Word[], personal: boolean): Word | undefined {
  for (const other of list) if (isFreeAndSame(word, other, personal)) return other;
  return undefined;
}

/** Pairs a word with the words that it is written apart as. @returns how many, 0 when there are none */
function pairRun(parts: readonly Word[], whole: Word): number {
  if (whole.partner !== undefined) return 0;
  for (const first of parts) {
    if (first.text.length >= whole.text.length || !whole.text.startsWith(first.text)) continue;
    const run = runFrom(parts, first.place, whole.text);
    if (run.length === 0) continue;
    for (const part of run) {
      part.partner = whole;
      part.relation = Relation.Joined;
      part.runEnd = part;
    }
    first.runEnd = run.at(-1);
    whole.partner = first;
    whole.relation = Relation.Joined;
    whole.runEnd = whole;
    return run.length;
  }
  return 0;
}

/** The free words from a place on that make up the one word `whole` when written together; none if they do not. */
function runFrom(parts: readonly Word[], from: number, whole: string): Word[] {
  let done = 0;
  for (let k = from; k < from + LONGEST_RUN; k++) {
    const part = parts[k];
    if (part === undefined || part.partner !== undefined || !whole.startsWith(part.text, done)) return [];
    done += part.text.length;
    if (done === whole.length) return parts.slice(from, k + 1);
  }
  return [];
}

/** Pairs every word that is left with the nearest word of the other list that is left. @returns how many */
function pairRelated(a: readonly Word[], b: readonly Word[], personal: boolean): number {
  let pairs = 0;
  for (const word of a) {
    if (word.partner !== undefined) continue;
    let nearest = Relation.None;
    let partner: Word | undefined;
    for (const other of b) {
      if (other.partner !== undefined) continue;
      const relation = personal ? relateNames(word, other) : relateWords(word, other);
      if (relation >= nearest) continue;
      nearest = relation;
      partner = other;
    }
    if (partner === undefined) continue;
    pair(word, partner, nearest);
    pairs++;
  }
  return pairs;
}

function areInOrder(a: readonly Word[]): boolean {
  let previous = -1;
  for (const { partner } of a) {
    if (partner === undefined) continue;
    if (partner.place < previous) return false;
    previous = partner.place;
  }
  return true;
}
