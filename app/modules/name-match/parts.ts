import { type Evidence, Link } from "./evidence";
import { MAX_TOKENS, type Reading } from "./reading";
import type { NamePart, NamePartStatus } from "./types";

/** Link that each word belongs to, or -1; one more than there are words. */
const linkOfA = new Int32Array(MAX_TOKENS + 1);
const linkOfB = new Int32Array(MAX_TOKENS + 1);

const STATUSES: readonly NamePartStatus[] = ["same", "formatting", "different", "only_submitted", "only_held"];
const SAME = 0;
const FORMATTING = 1;
const DIFFERENT = 2;
const ONLY_SUBMITTED = 3;
const ONLY_HELD = 4;

/** Parts drawn so far, five numbers each: they become objects in an array of exactly their number at the end. */
const FIELDS = 5;
const drawn = new Int32Array((MAX_TOKENS + 1) * 4 * FIELDS);
let size = 0;

function draw(status: number, a: number, aEnd: number, b: number, bEnd: number): void {
  drawn[size] = status;
  drawn[size + 1] = a;
  drawn[size + 2] = aEnd;
  drawn[size + 3] = b;
  drawn[size + 4] = bEnd;
  size += FIELDS;
}

const made = (at: number): NamePart => ({
  status: STATUSES[drawn[at]!]!,
  submittedStart: drawn[at + 1]!,
  submittedEnd: drawn[at + 2]!,
  heldStart: drawn[at + 3]!,
  heldEnd: drawn[at + 4]!,
});

/** Short lists, which nearly all are, at their exact size: growing an array takes four times its memory. */
function makeParts(): NamePart[] {
  switch (size) {
    case FIELDS:
      return [made(0)];
    case FIELDS * 2:
      return [made(0), made(FIELDS)];
    case FIELDS * 3:
      return [made(0), made(FIELDS), made(FIELDS * 2)];
    case FIELDS * 4:
      return [made(0), made(FIELDS), made(FIELDS * 2), made(FIELDS * 3)];
  }
  const parts: NamePart[] = [];
  for (let at = 0; at < size; at += FIELDS) parts.push(made(at));
  return parts;
}

function sameText(a: string, aFrom: number, aTo: number, b: string, bFrom: number, bTo: number): boolean {
  const length = aTo - aFrom;
  if (length !== bTo - bFrom) return false;
  for (let k = 0; k < length; k++) if (a.charCodeAt(aFrom + k) !== b.charCodeAt(bFrom + k)) return false;
  return true;
}

const lower = (code: number) => (code >= 65 && code <= 90 ? code + 32 : code);

function drawText(a: string, aFrom: number, aTo: number, b: string, bFrom: number, bTo: number): void {
  draw(sameText(a, aFrom, aTo, b, bFrom, bTo) ? SAME : FORMATTING, aFrom, aTo, bFrom, bTo);
}

/** Splits a pair of unequal words into what they share at both ends and what differs between. */
function drawDifferent(a: string, aFrom: number, aTo: number, b: string, bFrom: number, bTo: number): void {
  let head = 0;
  const limit = Math.min(aTo - aFrom, bTo - bFrom);
  while (head < limit && lower(a.charCodeAt(aFrom + head)) === lower(b.charCodeAt(bFrom + head))) head++;
  let tail = 0;
  while (tail < limit - head && lower(a.charCodeAt(aTo - 1 - tail)) === lower(b.charCodeAt(bTo - 1 - tail))) tail++;
  if (head > 0) drawText(a, aFrom, aFrom + head, b, bFrom, bFrom + head);
  draw(DIFFERENT, aFrom + head, aTo - tail, bFrom + head, bTo - tail);
  if (tail > 0) drawText(a, aTo - tail, aTo, b, bTo - tail, bTo);
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
  size = 0;
  spread(a, b, evidence);
  let i = 0;
  let j = 0;
  while (i < a.count) {
    const k = linkOfA[i]!;
    if (k < 0) {
      const at = j < b.count ? b.from[j]! : b.text.length;
      const first = i;
      while (linkOfA[i + 1] === -1 && i + 1 < a.count) i++;
      draw(ONLY_SUBMITTED, a.from[first]!, a.to[i]!, at, at);
      i++;
      continue;
    }
    if (j < b.count && linkOfB[j]! < 0) j = drawHeld(a.from[i]!, b, j);
    const bFirst = evidence.linkBFirst[k]!;
    let aLast = evidence.linkALast[k]!;
    let bLast = evidence.linkBLast[k]!;
    const aFrom = a.from[i]!;
    const bFrom = b.from[bFirst]!;
    if (evidence.linkKind[k] === Link.Letters) {
      drawDifferent(a.text, aFrom, a.to[aLast]!, b.text, bFrom, b.to[bLast]!);
    } else if (evidence.linkKind[k] === Link.Different) {
      draw(DIFFERENT, aFrom, a.to[aLast]!, bFrom, b.to[bLast]!);
    } else {
      while (continues(aLast, bLast, evidence)) {
        const next = linkOfA[aLast + 1]!;
        aLast = evidence.linkALast[next]!;
        bLast = evidence.linkBLast[next]!;
      }
      drawText(a.text, aFrom, a.to[aLast]!, b.text, bFrom, b.to[bLast]!);
    }
    i = aLast + 1;
    if (bFirst === j) j = bLast + 1;
  }
  const end = a.text.length;
  while (j < b.count) {
    if (linkOfB[j]! < 0) j = drawHeld(end, b, j);
    else j++;
  }
  return makeParts();
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
function drawHeld(at: number, b: Reading, first: number): number {
  let last = first;
  while (last + 1 < b.count && linkOfB[last + 1] === -1) last++;
  draw(ONLY_HELD, at, at, b.from[first]!, b.to[last]!);
  return last + 1;
}
