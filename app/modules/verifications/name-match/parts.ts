import { type Evidence, Link } from "./evidence";
import { MAX_TOKENS, type Reading } from "./reading";
import type { NamePart, NamePartStatus } from "./types";

/** Link that each word belongs to, or -1; one more than there are words. */
const linkOfA = new Int32Array(MAX_TOKENS + 1);
const linkOfB = new Int32Array(MAX_TOKENS + 1);

const part = (status: NamePartStatus, a: number, aEnd: number, b: number, bEnd: number): NamePart => ({
  status,
  submittedStart: a,
  submittedEnd: aEnd,
  heldStart: b,
  heldEnd: bEnd,
});

function sameText(a: string, aFrom: number, aTo: number, b: string, bFrom: number, bTo: number): boolean {
  const length = aTo - aFrom;
  if (length !== bTo - bFrom) return false;
  for (let k = 0; k < length; k++) if (a.charCodeAt(aFrom + k) !== b.charCodeAt(bFrom + k)) return false;
  return true;
}

const lower = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);

const textPart = (a: string, aFrom: number, aTo: number, b: string, bFrom: number, bTo: number): NamePart =>
  part(sameText(a, aFrom, aTo, b, bFrom, bTo) ? "same" : "formatting", aFrom, aTo, bFrom, bTo);

/** Splits a pair of unequal words into what they share at both ends and what differs between. */
function pushDifferent(
  parts: NamePart[],
  a: string,
  aFrom: number,
  aTo: number,
  b: string,
  bFrom: number,
  bTo: number,
): void {
  let head = 0;
  const limit = Math.min(aTo - aFrom, bTo - bFrom);
  while (head < limit && lower(a.charCodeAt(aFrom + head)) === lower(b.charCodeAt(bFrom + head))) head++;
  let tail = 0;
  while (tail < limit - head && lower(a.charCodeAt(aTo - 1 - tail)) === lower(b.charCodeAt(bTo - 1 - tail))) tail++;
  if (head > 0) parts.push(textPart(a, aFrom, aFrom + head, b, bFrom, bFrom + head));
  parts.push(part("different", aFrom + head, aTo - tail, bFrom + head, bTo - tail));
  if (tail > 0) parts.push(textPart(a, aTo - tail, aTo, b, bTo - tail, bTo));
}

function claim(links: Int32Array, first: number, last: number, link: number): void {
  for (let i = first; i <= last; i++) links[i] = link;
}

function isFree(links: Int32Array, first: number, last: number): boolean {
  for (let i = first; i <= last; i++) if (links[i]! >= 0) return false;
  return true;
}

/** Notes for every word which link it belongs to; a word belongs to the first link that has it. */
function spread(a: Reading, b: Reading, evidence: Evidence): void {
  for (let i = 0; i <= a.count; i++) linkOfA[i] = -1;
  for (let j = 0; j <= b.count; j++) linkOfB[j] = -1;
  for (let k = 0; k < evidence.links; k++) {
    const aFirst = evidence.linkAFirst[k]!;
    const bFirst = evidence.linkBFirst[k]!;
    const aLast = evidence.linkALast[k]!;
    const bLast = evidence.linkBLast[k]!;
    if (aFirst < 0 || bFirst < 0 || !isFree(linkOfA, aFirst, aLast) || !isFree(linkOfB, bFirst, bLast)) continue;
    claim(linkOfA, aFirst, aLast, k);
    claim(linkOfB, bFirst, bLast, k);
  }
}

/** Lays two names side by side from the links the comparison made; words without a link stand alone. */
export function drawParts(a: Reading, b: Reading, evidence: Evidence): NamePart[] {
  const parts: NamePart[] = [];
  spread(a, b, evidence);
  let i = 0;
  let j = 0;
  while (i < a.count) {
    const k = linkOfA[i]!;
    if (k < 0) {
      const at = j < b.count ? b.from[j]! : b.text.length;
      const first = i;
      while (linkOfA[i + 1] === -1 && i + 1 < a.count) i++;
      parts.push(part("only_submitted", a.from[first]!, a.to[i]!, at, at));
      i++;
      continue;
    }
    if (j < b.count && linkOfB[j]! < 0) j = pushHeld(parts, a.from[i]!, b, j);
    const bFirst = evidence.linkBFirst[k]!;
    let aLast = evidence.linkALast[k]!;
    let bLast = evidence.linkBLast[k]!;
    const aFrom = a.from[i]!;
    const bFrom = b.from[bFirst]!;
    if (evidence.linkKind[k] === Link.Letters) {
      pushDifferent(parts, a.text, aFrom, a.to[aLast]!, b.text, bFrom, b.to[bLast]!);
    } else if (evidence.linkKind[k] === Link.Different) {
      parts.push(part("different", aFrom, a.to[aLast]!, bFrom, b.to[bLast]!));
    } else {
      while (continues(aLast, bLast, evidence)) {
        const next = linkOfA[aLast + 1]!;
        aLast = evidence.linkALast[next]!;
        bLast = evidence.linkBLast[next]!;
      }
      parts.push(textPart(a.text, aFrom, a.to[aLast]!, b.text, bFrom, b.to[bLast]!));
    }
    i = aLast + 1;
    if (bFirst === j) j = bLast + 1;
  }
  const end = a.text.length;
  while (j < b.count) {
    if (linkOfB[j]! < 0) j = pushHeld(parts, end, b, j);
    else j++;
  }
  return parts;
}

/** Are the next words on both sides linked to each other and not different? Then they join the same part. */
function continues(aLast: number, bLast: number, evidence: Evidence): boolean {
  const next = linkOfA[aLast + 1]!;
  return (
    next >= 0 &&
    evidence.linkAFirst[next] === aLast + 1 &&
    evidence.linkBFirst[next] === bLast + 1 &&
    evidence.linkKind[next] === Link.Same
  );
}

/** Draws the run of unlinked words from `first` on. @returns the word after it */
function pushHeld(parts: NamePart[], at: number, b: Reading, first: number): number {
  let last = first;
  while (last + 1 < b.count && linkOfB[last + 1] === -1) last++;
  parts.push(part("only_held", at, at, b.from[first]!, b.to[last]!));
  return last + 1;
}
