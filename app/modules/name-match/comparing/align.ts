import { Relation, sameLetters, type Word } from "../reading/word";
import type { WordList } from "../reading/word-list";
import { relateNames, relateWords } from "./relate-words";
import type { Speller } from "./spelling";

/** Beyond this many words without an equal on both sides there is nothing to save by looking at spellings. */
const MAX_UNEQUAL = 8;
const LONGEST_RUN = 4;

const keyOf = (word: Word, personal: boolean) => (personal ? word.key : word.meaning);

/** Are two words the same word (in organisations' names an abbreviation is the word it stands for)? */
function areEqual(a: Word, b: Word, personal: boolean): boolean {
  const key = keyOf(a, personal);
  return key === keyOf(b, personal) && (key > 0 || sameLetters(a, b));
}

/** Finds which words of two lists belong together, and how; the words themselves keep what was found. */
export class Aligner {
  /** Words without a partner on each side. */
  leftA = 0;
  leftB = 0;
  /** Do partners come in the same order on both sides? */
  inOrder = true;

  constructor(private readonly speller: Speller) {}

  /** Pairs the words of two lists: equal ones, then ones written apart, then the nearest related ones. */
  align(a: WordList, b: WordList, personal: boolean): void {
    this.begin(a, b);
    this.pairEqual(a, b, personal);
    if (this.leftA > 0 && this.leftB > 0 && this.leftA <= MAX_UNEQUAL && this.leftB <= MAX_UNEQUAL) {
      this.pairJoined(a, b);
      this.pairRelated(a, b, personal);
    }
    this.checkOrder(a);
  }

  private begin(a: WordList, b: WordList): void {
    this.leftA = a.count;
    this.leftB = b.count;
    for (let i = 0; i < a.count; i++) {
      const word = a.at(i);
      word.partner = undefined;
      word.place = i;
    }
    for (let j = 0; j < b.count; j++) {
      const word = b.at(j);
      word.partner = undefined;
      word.place = j;
    }
  }

  private pair(a: Word, b: Word, relation: Relation): void {
    a.partner = b;
    a.relation = relation;
    a.runEnd = a;
    b.partner = a;
    b.relation = relation;
    b.runEnd = b;
    this.leftA--;
    this.leftB--;
  }

  private pairEqual(a: WordList, b: WordList, personal: boolean): void {
    let expected = 0;
    for (let i = 0; i < a.count; i++) {
      const word = a.at(i);
      const found = this.findEqual(word, b, expected, personal);
      if (found === undefined) continue;
      this.pair(word, found, Relation.Equal);
      expected = found.place + 1;
    }
  }

  /** The next word in order, else the first that is equal. */
  private findEqual(word: Word, list: WordList, expected: number, personal: boolean): Word | undefined {
    if (expected < list.count) {
      const next = list.at(expected);
      if (next.partner === undefined && areEqual(word, next, personal)) return next;
    }
    for (let j = 0; j < list.count; j++) {
      const other = list.at(j);
      if (other.partner === undefined && areEqual(word, other, personal)) return other;
    }
    return undefined;
  }

  private pairJoined(a: WordList, b: WordList): void {
    for (let j = 0; j < b.count && this.leftA > 1; j++) {
      const taken = pairRun(a, b.at(j));
      this.leftA -= taken;
      if (taken > 0) this.leftB--;
    }
    for (let i = 0; i < a.count && this.leftB > 1; i++) {
      const taken = pairRun(b, a.at(i));
      this.leftB -= taken;
      if (taken > 0) this.leftA--;
    }
  }

  private pairRelated(a: WordList, b: WordList, personal: boolean): void {
    for (let i = 0; i < a.count && this.leftB > 0; i++) {
      const word = a.at(i);
      if (word.partner !== undefined) continue;
      let best = Relation.None;
      let bestWord: Word | undefined;
      for (let j = 0; j < b.count; j++) {
        const other = b.at(j);
        if (other.partner !== undefined) continue;
        const relation = personal ? relateNames(word, other, this.speller) : relateWords(word, other, this.speller);
        if (relation >= best) continue;
        best = relation;
        bestWord = other;
      }
      if (bestWord !== undefined) this.pair(word, bestWord, best);
    }
  }

  private checkOrder(a: WordList): void {
    this.inOrder = true;
    let previous = -1;
    for (let i = 0; i < a.count; i++) {
      const { partner } = a.at(i);
      if (partner === undefined) continue;
      if (partner.place < previous) this.inOrder = false;
      else previous = partner.place;
    }
  }
}

/** How many words from `from` on make up the one word `whole` when written together; 0 if they do not. */
function runLength(parts: WordList, from: number, whole: Word): number {
  let done = 0;
  for (let k = from; k < parts.count && k - from < LONGEST_RUN; k++) {
    const part = parts.at(k);
    if (part.partner !== undefined || done + part.length > whole.length) return 0;
    for (let i = 0; i < part.length; i++) {
      if (part.letters[part.start + i] !== whole.letters[whole.start + done + i]) return 0;
    }
    done += part.length;
    if (done === whole.length) return k - from + 1;
  }
  return 0;
}

/** Pairs a word with the words that it is written apart as. @returns how many, 0 when there are none */
function pairRun(parts: WordList, whole: Word): number {
  if (whole.partner !== undefined) return 0;
  for (let from = 0; from < parts.count; from++) {
    const first = parts.at(from);
    if ((first.mask & ~whole.mask) !== 0 || first.length >= whole.length) continue;
    const run = runLength(parts, from, whole);
    if (run === 0) continue;
    for (let k = 0; k < run; k++) {
      const part = parts.at(from + k);
      part.partner = whole;
      part.relation = Relation.Joined;
      part.runEnd = part;
    }
    first.runEnd = parts.at(from + run - 1);
    whole.partner = first;
    whole.relation = Relation.Joined;
    whole.runEnd = whole;
    return run;
  }
  return 0;
}
