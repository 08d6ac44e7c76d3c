import type { Evidence } from "./evidence";
import { MAX_TOKENS, type Reading } from "./reading";
import type { NamePart, NamePartStatus } from "./types";

const order = new Int32Array(160);
const usedA = new Uint8Array(MAX_TOKENS + 1);
const usedB = new Uint8Array(MAX_TOKENS + 1);

function push(parts: NamePart[], status: NamePartStatus, a: number, aEnd: number, b: number, bEnd: number): void {
  parts.push({ status, submittedStart: a, submittedEnd: aEnd, heldStart: b, heldEnd: bEnd });
}

function sameText(a: string, aFrom: number, aTo: number, b: string, bFrom: number, bTo: number): boolean {
  if (aTo - aFrom !== bTo - bFrom) return false;
  for (let k = 0; k < aTo - aFrom; k++) if (a.charCodeAt(aFrom + k) !== b.charCodeAt(bFrom + k)) return false;
  return true;
}

const lower = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);

/** Splits a pair of unequal words into what they share at both ends and what differs between. */
function pushDifferent(
  parts: NamePart[],
  a: string,
  aFrom: number,
  aTo: number,
  b: string,
  bFrom: number,
  bTo: number,
) {
  let head = 0;
  const limit = Math.min(aTo - aFrom, bTo - bFrom);
  while (head < limit && lower(a.charCodeAt(aFrom + head)) === lower(b.charCodeAt(bFrom + head))) head++;
  let tail = 0;
  while (tail < limit - head && lower(a.charCodeAt(aTo - 1 - tail)) === lower(b.charCodeAt(bTo - 1 - tail))) tail++;
  if (head > 0) {
    const same = sameText(a, aFrom, aFrom + head, b, bFrom, bFrom + head);
    push(parts, same ? "same" : "formatting", aFrom, aFrom + head, bFrom, bFrom + head);
  }
  push(parts, "different", aFrom + head, aTo - tail, bFrom + head, bTo - tail);
  if (tail > 0) {
    const same = sameText(a, aTo - tail, aTo, b, bTo - tail, bTo);
    push(parts, same ? "same" : "formatting", aTo - tail, aTo, bTo - tail, bTo);
  }
}

/** Lays two names side by side from the links the comparison made; words without a link stand alone. */
export function drawParts(a: Reading, b: Reading, evidence: Evidence): NamePart[] {
  const parts: NamePart[] = [];
  const { links } = evidence;
  usedA.fill(0, 0, a.count);
  usedB.fill(0, 0, b.count);
  let size = 0;
  for (let k = 0; k < links; k++) {
    const first = evidence.linkAFirst[k]!;
    const heldFirst = evidence.linkBFirst[k]!;
    if (first < 0 || heldFirst < 0 || usedA[first] !== 0 || usedB[heldFirst] !== 0) continue;
    for (let i = first; i <= evidence.linkALast[k]!; i++) usedA[i] = 1;
    for (let j = heldFirst; j <= evidence.linkBLast[k]!; j++) usedB[j] = 1;
    let at = size++;
    while (at > 0 && evidence.linkAFirst[order[at - 1]!]! > first) {
      order[at] = order[at - 1]!;
      at--;
    }
    order[at] = k;
  }
  let next = 0;
  let i = 0;
  let j = 0;
  while (i < a.count || next < size) {
    if (next < size && evidence.linkAFirst[order[next]!] === i) {
      const k = order[next++]!;
      const bFirst = evidence.linkBFirst[k]!;
      while (j < bFirst && usedB[j] === 0) pushHeld(parts, a, i, b, j++);
      const aFrom = a.from[i]!;
      const aTo = a.to[evidence.linkALast[k]!]!;
      const bFrom = b.from[bFirst]!;
      const bTo = b.to[evidence.linkBLast[k]!]!;
      const same = sameText(a.text, aFrom, aTo, b.text, bFrom, bTo);
      if (same) push(parts, "same", aFrom, aTo, bFrom, bTo);
      else if (evidence.linkStatus[k] === "different") pushDifferent(parts, a.text, aFrom, aTo, b.text, bFrom, bTo);
      else push(parts, "formatting", aFrom, aTo, bFrom, bTo);
      i = evidence.linkALast[k]! + 1;
      if (bFirst === j) j = evidence.linkBLast[k]! + 1;
      continue;
    }
    if (i >= a.count) break;
    if (usedA[i] === 0) {
      const at = j < b.count ? b.from[j]! : b.text.length;
      push(parts, "only_submitted", a.from[i]!, a.to[i]!, at, at);
    }
    i++;
  }
  for (j = 0; j < b.count; j++) if (usedB[j] === 0) pushHeld(parts, a, a.count, b, j);
  return parts;
}

function pushHeld(parts: NamePart[], a: Reading, i: number, b: Reading, j: number): void {
  const at = i < a.count ? a.from[i]! : a.text.length;
  usedB[j] = 1;
  push(parts, "only_held", at, at, b.from[j]!, b.to[j]!);
}
