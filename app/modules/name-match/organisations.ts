import { Alignment, align } from "./align";
import { type Evidence, Link, Severity } from "./evidence";
import { compareEntities, compareForms, comparePurposes, isCompany, isPersonOnly } from "./forms";
import type { Name, Segment } from "./name";
import { Relation } from "./relation";
import { isLink, Rest, severityOfRest, typeOf } from "./rest";
import type { NameDifferenceType } from "./types";
import { GIVEN, LINK, NUMBER, SURNAME, WEAK } from "./vocabulary/flags";
import { sameLettersAt, Words } from "./words";

const alignment = new Alignment();
const left = new Words();
const right = new Words();

function list(name: Name, segment: Segment, words: Words): void {
  words.clear(name.reading);
  for (let k = 0; k < segment.count; k++) words.add(segment.core[k]!, false);
}

function notePair(i: number, evidence: Evidence): number {
  const j = alignment.pairA[i]!;
  const relation: Relation = alignment.relationA[i]!;
  const aFirst = left.token[i]!;
  const aLast = left.token[alignment.endA[i]!]!;
  const bFirst = right.token[j]!;
  const bLast = right.token[alignment.endB[j]!]!;
  const changed = relation !== Relation.Equal && relation !== Relation.Joined && relation !== Relation.Reading;
  evidence.link(changed ? Link.Letters : Link.Same, aFirst, aLast, bFirst, bLast);
  const note = (type: NameDifferenceType, severity: Severity, penalty: number) =>
    evidence.note(type, severity, penalty, aFirst, aLast, bFirst, bLast);
  switch (relation) {
    case Relation.Equal:
      if (left.length[i] !== right.length[j] || !sameLettersAt(left, i, right, j)) {
        const numeric = ((left.flags[i]! | right.flags[j]!) & NUMBER) !== 0;
        note(numeric ? "number" : "abbreviation", Severity.Format, 1);
      }
      return 0;
    case Relation.Reading:
      note("abbreviation", Severity.Format, 1);
      return 0;
    case Relation.Joined:
      note("spacing", Severity.Format, 2);
      return 0;
    case Relation.Plural:
      note("plural", Severity.Close, 4);
      return 0;
    case Relation.Homoglyph:
      note("homoglyph", Severity.Close, 18);
      return 0;
    case Relation.Spelling:
      note("typo", Severity.Close, 7);
      return 1;
    case Relation.Nickname:
      note("nickname", Severity.Close, 8);
      return 1;
    case Relation.Initial:
      note("initial", Severity.Close, 9);
      return 1;
    case Relation.Roman:
      note("number", Severity.Close, 5);
      return 0;
    case Relation.Stem:
      note("typo", Severity.Close, 12);
      return 1;
    default:
      note("typo", Severity.Close, relation === Relation.Typo ? 6 : 10);
      return 1;
  }
}

const restA = new Rest();
const restB = new Rest();

function linksOf(words: Words): number {
  let links = 0;
  for (let k = 0; k < words.count; k++) if ((words.flags[k]! & LINK) !== 0) links++;
  return links;
}

/** Is one word made of the first letters of the other side's words ("NPC", "Northern Paddlers Club")? */
function isAcronym(short: Words, at: number, long: Words): boolean {
  const length = short.length[at]!;
  if (length < 2 || length > 6 || length > long.count) return false;
  let k = 0;
  for (let j = 0; j < long.count && k < length; j++) {
    if (long.reading.codes[long.start[j]!] === short.reading.codes[short.start[at]! + k]) k++;
    else if ((long.flags[j]! & LINK) === 0) return false;
  }
  return k === length && length + linksOf(long) >= long.count;
}

/** First and last word without a partner, small joining words aside; their flags in common. */
class Run {
  first = -1;
  last = -1;
  flags = -1;
  whole = true;

  find(words: Words, pairs: Int32Array): void {
    this.first = -1;
    this.flags = -1;
    this.whole = true;
    for (let k = 0; k < words.count; k++) {
      if (pairs[k]! >= 0 || isLink(words, k)) continue;
      if (this.first < 0) this.first = k;
      else if (words.token[k]! !== words.token[this.last]! + 1) this.whole = false;
      this.last = k;
      this.flags &= words.flags[k]!;
    }
  }
}

const runA = new Run();
const runB = new Run();

/** Notes what makes two names different payees: one stretch of words on each side where that is what they are. */
function noteConflict(evidence: Evidence): void {
  runA.find(left, alignment.pairA);
  runB.find(right, alignment.pairB);
  const hasA = runA.first >= 0;
  const hasB = runB.first >= 0;
  if (hasA && hasB && runA.whole && runB.whole) {
    const aFirst = left.token[runA.first]!;
    const aLast = left.token[runA.last]!;
    const bFirst = right.token[runB.first]!;
    const bLast = right.token[runB.last]!;
    const type = typeOf(runA.flags & runB.flags, "different_token");
    evidence.note(type, Severity.Conflict, 0, aFirst, aLast, bFirst, bLast);
    evidence.link(Link.Different, aFirst, aLast, bFirst, bLast);
    return;
  }
  noteEach(left, alignment.pairA, true, hasB ? "different_token" : "extra_token", evidence);
  noteEach(right, alignment.pairB, false, hasA ? "different_token" : "missing_token", evidence);
}

function noteEach(
  words: Words,
  pairs: Int32Array,
  submitted: boolean,
  fallback: NameDifferenceType,
  evidence: Evidence,
): void {
  for (let k = 0; k < words.count; k++) {
    if (pairs[k]! >= 0 || isLink(words, k)) continue;
    const token = words.token[k]!;
    const type = typeOf(words.flags[k]!, fallback);
    if (submitted) evidence.note(type, Severity.Conflict, 0, token, token, -1, -1);
    else evidence.note(type, Severity.Conflict, 0, -1, -1, token, token);
  }
}

function noteRest(
  words: Words,
  pairs: Int32Array,
  extra: boolean,
  severity: Severity,
  penalty: number,
  evidence: Evidence,
) {
  for (let k = 0; k < words.count; k++) {
    if (pairs[k]! >= 0) continue;
    const token = words.token[k]!;
    const link = isLink(words, k);
    const type = typeOf(words.flags[k]!, extra ? "extra_token" : "missing_token");
    const weight = link ? 3 : penalty;
    if (extra) evidence.note(type, link ? Severity.Close : severity, weight, token, token, -1, -1);
    else evidence.note(type, link ? Severity.Close : severity, weight, -1, -1, token, token);
  }
}

/** Does a word tell who it is by itself: an unknown word or a person's name? */
const tellsApart = (flags: number) => (flags & WEAK) === 0 || (flags & (GIVEN | SURNAME)) !== 0;

/** Compares the words that tell two organisations apart. */
function compareWords(a: Name, sa: Segment, b: Name, sb: Segment, evidence: Evidence): void {
  list(a, sa, left);
  list(b, sb, right);
  if (left.count === 0 || right.count === 0) {
    if (left.count !== right.count || sa.form !== sb.form) {
      evidence.note("different_token", Severity.Conflict, 0, -1, -1, -1, -1);
    }
    return;
  }
  align(left, right, false, alignment);
  let typos = 0;
  let matched = 0;
  let distinct = 0;
  let previous = -1;
  for (let i = 0; i < left.count; i++) {
    const j = alignment.pairA[i]!;
    if (j < 0) continue;
    matched++;
    if (tellsApart(left.flags[i]!) && tellsApart(right.flags[j]!)) distinct++;
    if (j === previous && alignment.relationA[i] === Relation.Joined) continue;
    previous = j;
    typos += notePair(i, evidence);
  }
  restA.gather(left, alignment.pairA);
  restB.gather(right, alignment.pairB);
  if (typos > 2) {
    evidence.note("different_token", Severity.Conflict, 0, -1, -1, -1, -1);
  }
  if (restA.count > 0 && restB.count > 0) {
    if (left.count === 1 && isAcronym(left, 0, right)) {
      evidence.note(
        "acronym",
        Severity.Close,
        22,
        left.token[restA.first]!,
        left.token[restA.first]!,
        right.token[0]!,
        right.token[right.count - 1]!,
      );
      return;
    }
    if (right.count === 1 && isAcronym(right, 0, left)) {
      evidence.note(
        "acronym",
        Severity.Close,
        22,
        left.token[0]!,
        left.token[left.count - 1]!,
        right.token[restB.first]!,
        right.token[restB.first]!,
      );
      return;
    }
    noteConflict(evidence);
    return;
  }
  if (matched === 0) {
    noteConflict(evidence);
    return;
  }
  if (!alignment.inOrder) {
    evidence.note(
      "order",
      Severity.Close,
      8,
      left.token[0]!,
      left.token[left.count - 1]!,
      right.token[0]!,
      right.token[right.count - 1]!,
    );
  }
  if (alignment.leftA === 0 && alignment.leftB === 0) return;
  const extra = alignment.leftA > 0;
  const rest = extra ? restA : restB;
  const words = extra ? left : right;
  const pairs = extra ? alignment.pairA : alignment.pairB;
  const both = sa.form !== 0 && sb.form !== 0;
  const severity = rest.count === 0 ? Severity.Close : severityOfRest(rest, both, matched, distinct);
  const penalty = rest.distinct > 0 ? 13 : 10;
  noteRest(words, pairs, extra, severity, penalty, evidence);
  if (alignment.leftA > 0 && alignment.leftB > 0) {
    noteRest(right, alignment.pairB, false, Severity.Close, 3, evidence);
  }
}

/** Compares "and" between the same words: spelled, signed or left out. */
function compareAnds(a: Name, b: Name, evidence: Evidence): void {
  if (a.and < 0 && b.and < 0) return;
  if (a.and >= 0 && b.and >= 0) {
    evidence.link(Link.Same, a.and, a.and, b.and, b.and);
    return;
  }
  evidence.note("and_symbol", Severity.Close, 3, a.and, a.and, b.and, b.and);
}

/** Compares one part of two organisations' names. Adds what differs to the evidence. */
export function compareOrganisations(a: Name, sa: Segment, b: Name, sb: Segment, evidence: Evidence): void {
  compareWords(a, sa, b, sb, evidence);
  compareForms(a, sa, b, sb, evidence);
  compareEntities(a, sa, b, sb, evidence);
  comparePurposes(sa, sb, evidence);
  compareAnds(a, b, evidence);
  if (isCompany(sa.form) !== isCompany(sb.form)) {
    const person = isCompany(sa.form) ? isPersonOnly(b, sb) : isPersonOnly(a, sa);
    if (person) {
      evidence.note("entity_kind", Severity.Conflict, 0, sa.formFirst, sa.formLast, sb.formFirst, sb.formLast);
    }
  }
}
