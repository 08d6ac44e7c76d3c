import { lastEdits, Relation, relateNames, relateWords } from "./relation";
import { equalAt, type Words } from "./words";

const LIMIT = 64;
/** Beyond this many words without an equal on both sides there is nothing to save by looking at spellings. */
const FUZZY_LIMIT = 8;

/** Which words of two lists belong together, and how. Reused from call to call. */
export class Alignment {
  readonly pairA = new Int32Array(LIMIT);
  readonly pairB = new Int32Array(LIMIT);
  readonly relationA = new Uint8Array(LIMIT);
  readonly edits = new Int32Array(LIMIT);
  /** A joined run is linked from its first word; this is its last. */
  readonly endA = new Int32Array(LIMIT);
  readonly endB = new Int32Array(LIMIT);
  leftA = 0;
  leftB = 0;
  inOrder = true;

  pair(i: number, j: number, relation: Relation, edits: number): void {
    this.pairA[i] = j;
    this.pairB[j] = i;
    this.relationA[i] = relation;
    this.edits[i] = edits;
    this.endA[i] = i;
    this.endB[j] = j;
    this.leftA--;
    this.leftB--;
  }
}

/** Keys are compared before anything is called: fifty words against fifty others must stay cheap in a new process. */
function pairEqual(a: Words, b: Words, into: Alignment): void {
  const { count, key: keys } = b;
  const { pairB } = into;
  let expected = 0;
  for (let i = 0; i < a.count; i++) {
    const key = a.key[i]!;
    if (expected < count && keys[expected] === key && pairB[expected]! < 0 && equalAt(a, i, b, expected)) {
      into.pair(i, expected, Relation.Equal, 0);
      expected++;
      continue;
    }
    for (let j = 0; j < count; j++) {
      if (keys[j] !== key || pairB[j]! >= 0 || !equalAt(a, i, b, j)) continue;
      into.pair(i, j, Relation.Equal, 0);
      expected = j + 1;
      break;
    }
  }
}

/** How many words from `from` on make up the one word `whole` when written together; 0 if they do not. */
function joinedRun(parts: Words, from: number, taken: Int32Array, whole: Words, at: number): number {
  const target = whole.length[at]!;
  const codes = whole.reading.codes;
  const start = whole.start[at]!;
  let done = 0;
  for (let i = from; i < parts.count && taken[i]! < 0 && i - from < 4; i++) {
    const length = parts.length[i]!;
    if (done + length > target) return 0;
    const offset = parts.start[i]!;
    for (let k = 0; k < length; k++) if (parts.reading.codes[offset + k] !== codes[start + done + k]) return 0;
    done += length;
    if (done === target) return i - from + 1;
  }
  return 0;
}

function pairJoined(a: Words, b: Words, into: Alignment): void {
  for (let j = 0; j < b.count && into.leftA > 1; j++) {
    if (into.pairB[j]! >= 0) continue;
    for (let i = 0; i < a.count; i++) {
      if (into.pairA[i]! >= 0) continue;
      const run = joinedRun(a, i, into.pairA, b, j);
      if (run < 2) continue;
      into.pair(i, j, Relation.Joined, 0);
      into.endA[i] = i + run - 1;
      for (let k = 1; k < run; k++) {
        into.pairA[i + k] = j;
        into.relationA[i + k] = Relation.Joined;
        into.leftA--;
      }
      break;
    }
  }
  for (let i = 0; i < a.count && into.leftB > 1; i++) {
    if (into.pairA[i]! >= 0) continue;
    for (let j = 0; j < b.count; j++) {
      if (into.pairB[j]! >= 0) continue;
      const run = joinedRun(b, j, into.pairB, a, i);
      if (run < 2) continue;
      into.pair(i, j, Relation.Joined, 0);
      into.endB[j] = j + run - 1;
      for (let k = 1; k < run; k++) {
        into.pairB[j + k] = i;
        into.leftB--;
      }
      break;
    }
  }
}

function pairRelated(a: Words, b: Words, personal: boolean, into: Alignment): void {
  for (let i = 0; i < a.count && into.leftB > 0; i++) {
    if (into.pairA[i]! >= 0) continue;
    let best: Relation = Relation.None;
    let bestAt = -1;
    let bestEdits = 0;
    for (let j = 0; j < b.count; j++) {
      if (into.pairB[j]! >= 0) continue;
      const relation = personal ? relateNames(a, i, b, j) : relateWords(a, i, b, j);
      if (relation < best) {
        best = relation;
        bestAt = j;
        bestEdits = relation === Relation.Typo || relation === Relation.Typos ? lastEdits : 0;
      }
    }
    if (bestAt >= 0) into.pair(i, bestAt, best, bestEdits);
  }
}

/** Pairs the words of two lists: equal ones, then ones written apart, then the nearest related ones. */
export function align(a: Words, b: Words, personal: boolean, into: Alignment): void {
  into.leftA = a.count;
  into.leftB = b.count;
  into.inOrder = true;
  for (let i = 0; i < a.count; i++) into.pairA[i] = -1;
  for (let j = 0; j < b.count; j++) into.pairB[j] = -1;
  pairEqual(a, b, into);
  if (into.leftA > 0 && into.leftB > 0) {
    if (into.leftA <= FUZZY_LIMIT && into.leftB <= FUZZY_LIMIT) {
      if (into.leftA > 1 || into.leftB > 1) pairJoined(a, b, into);
      if (into.leftA > 0 && into.leftB > 0) pairRelated(a, b, personal, into);
    }
  }
  let previous = -1;
  for (let i = 0; i < a.count; i++) {
    const j = into.pairA[i]!;
    if (j < 0) continue;
    if (j < previous) into.inOrder = false;
    else previous = j;
  }
}
