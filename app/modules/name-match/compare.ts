import { type Evidence, Link, Severity } from "./evidence";
import { comparePurposes } from "./forms";
import { compareHolders } from "./joint";
import { chooseMode, Mode } from "./kind";
import { Entity, type Name, Part, type Segment } from "./name";
import { compareOrganisations } from "./organisations";
import { collect } from "./parse";
import { comparePeople, listPerson } from "./persons";
import { Gap } from "./reading";
import { isCutOff } from "./truncation";
import type { NameKind } from "./types";
import { Words } from "./words";

const personA = new Words();
const personB = new Words();

const hasPart = (name: Name, part: Part) => (name.has & (1 << part)) !== 0;

function noteSegment(
  type: "trading_as" | "trustee" | "different_token",
  severity: Severity,
  penalty: number,
  sa: Segment | undefined,
  sb: Segment | undefined,
  evidence: Evidence,
): void {
  evidence.note(
    type,
    severity,
    penalty,
    sa ? sa.first : -1,
    sa ? sa.end - 1 : -1,
    sb ? sb.first : -1,
    sb ? sb.end - 1 : -1,
  );
}

/** Tries one comparison; keeps its evidence only when it does not end in another payee. */
function holds(evidence: Evidence, compare: () => void): boolean {
  const { count, links } = evidence;
  compare();
  if (evidence.worst(count) !== Severity.Conflict) return true;
  evidence.rewind(count, links);
  return false;
}

/** "Bolt Electrical (Acme Pty Ltd)": a bracket holds the other name when the other side says "trading as". */
function openBracket(name: Name, part: Part): void {
  const { reading, segments } = name;
  const main = segments[Part.Main];
  for (let i = main.first + 1; i < main.end; i++) {
    if ((reading.gap[i]! & Gap.Open) === 0) continue;
    const other = segments[part];
    other.first = i;
    other.end = main.end;
    other.form = 0;
    other.entity = Entity.None;
    other.entityKind = 0;
    other.purpose = 0;
    main.end = i;
    name.has |= 1 << part;
    collect(name, main);
    collect(name, other);
    return;
  }
}

/** Names with a second part (trading name, beneficiary of a trustee) on one side or both. */
function compareParts(a: Name, b: Name, part: Part, type: "trading_as" | "trustee", evidence: Evidence): void {
  const sa = a.segments;
  const sb = b.segments;
  const inA = hasPart(a, part);
  const inB = hasPart(b, part);
  if (inA && inB) {
    const main = holds(evidence, () => compareOrganisations(a, sa[0], b, sb[0], evidence));
    const second = holds(evidence, () => compareOrganisations(a, sa[part]!, b, sb[part]!, evidence));
    if (main && second) return;
    const keep = type === "trading_as" ? main : second;
    const quoted = main ? part : Part.Main;
    const reason = main || type === "trustee" ? type : "different_token";
    noteSegment(reason, keep ? Severity.Close : Severity.Conflict, 22, sa[quoted], sb[quoted], evidence);
    return;
  }
  const whole = inA ? b : a;
  const parted = inA ? a : b;
  const second = parted.segments[part]!;
  const firstHolds = holds(evidence, () => compareOrganisations(a, sa[0], b, sb[0], evidence));
  if (!firstHolds) {
    const secondHolds = holds(evidence, () =>
      inA
        ? compareOrganisations(a, second, whole, whole.segments[0], evidence)
        : compareOrganisations(whole, whole.segments[0], b, second, evidence),
    );
    if (!secondHolds) {
      noteSegment(type, Severity.Conflict, 0, inA ? second : undefined, inB ? second : undefined, evidence);
      return;
    }
  }
  noteSegment(type, Severity.Close, firstHolds ? 10 : 12, inA ? second : undefined, inB ? second : undefined, evidence);
}

function compareMain(a: Name, b: Name, mode: Mode, evidence: Evidence): void {
  if (mode === Mode.Joint) {
    compareHolders(a, b, evidence);
    return;
  }
  if (mode === Mode.Person) {
    listPerson(a, personA);
    listPerson(b, personB);
    comparePeople(personA, personB, evidence);
    compareGenerations(a, b, evidence);
    return;
  }
  if (hasPart(a, Part.Trading) !== hasPart(b, Part.Trading)) {
    openBracket(hasPart(a, Part.Trading) ? b : a, Part.Trading);
  }
  if (hasPart(a, Part.Trading) || hasPart(b, Part.Trading)) compareParts(a, b, Part.Trading, "trading_as", evidence);
  else if (hasPart(a, Part.Beneficiary) || hasPart(b, Part.Beneficiary)) {
    compareParts(a, b, Part.Beneficiary, "trustee", evidence);
  } else compareOrganisations(a, a.segments[0], b, b.segments[0], evidence);
}

function compareGenerations(a: Name, b: Name, evidence: Evidence): void {
  const x = a.generation;
  const y = b.generation;
  if (x < 0 && y < 0) return;
  if (x >= 0 && y >= 0) {
    const juniorA = a.reading.codes[a.reading.start[x]!] === 106;
    const juniorB = b.reading.codes[b.reading.start[y]!] === 106;
    evidence.link(juniorA === juniorB ? Link.Same : Link.Letters, x, x, y, y);
    if (juniorA !== juniorB) evidence.note("title", Severity.Conflict, 0, x, x, y, y);
    return;
  }
  evidence.note("title", Severity.Close, 5, x, x, y, y);
}

/** Things that stand beside a name: title, reference, "the trustee for", another name after "née". */
function compareRest(a: Name, b: Name, mode: Mode, evidence: Evidence): void {
  if (mode !== Mode.Organisation) comparePurposes(a.segments[0], b.segments[0], evidence);
  if ((a.title >= 0 || b.title >= 0) && mode !== Mode.Organisation) {
    const x = a.title;
    const y = b.title;
    if (x >= 0 && y >= 0) evidence.link(Link.Same, x, x, y, y);
    if (x < 0 || y < 0 || a.reading.word[x] !== b.reading.word[y])
      evidence.note("title", Severity.Format, 1, x, x, y, y);
  }
  if (a.referenceFirst >= 0 || b.referenceFirst >= 0) {
    const registered = (a.registered || a.referenceFirst < 0) && (b.registered || b.referenceFirst < 0);
    evidence.note(
      "reference",
      registered ? Severity.Format : Severity.Close,
      registered ? 2 : 8,
      a.referenceFirst,
      a.referenceLast,
      b.referenceFirst,
      b.referenceLast,
    );
  }
  if (a.style >= 0 !== b.style >= 0 && !hasPart(a, Part.Beneficiary) && !hasPart(b, Part.Beneficiary)) {
    evidence.note("trustee", Severity.Close, 3, a.style, a.style, b.style, b.style);
  }
  const aliasA = hasPart(a, Part.Alias);
  const aliasB = hasPart(b, Part.Alias);
  if (aliasA || aliasB) {
    const sa = a.segments[Part.Alias];
    const sb = b.segments[Part.Alias];
    evidence.note(
      "extra_token",
      Severity.Close,
      7,
      aliasA ? sa.first - 1 : -1,
      aliasA ? sa.end - 1 : -1,
      aliasB ? sb.first - 1 : -1,
      aliasB ? sb.end - 1 : -1,
    );
  }
}

/** Compares two parsed names and gathers everything that differs. */
export function compareNames(a: Name, b: Name, kind: NameKind | undefined, evidence: Evidence): void {
  const cut = isCutOff(a.reading, b.reading) || isCutOff(b.reading, a.reading);
  const mode = chooseMode(a, b, kind);
  compareMain(a, b, mode, evidence);
  compareRest(a, b, mode, evidence);
  if (cut && evidence.worst(0) !== Severity.Format) {
    evidence.clear();
    const words = Math.min(a.reading.count, b.reading.count);
    for (let i = 0; i < words - 1; i++) evidence.link(Link.Same, i, i, i, i);
    const last = words - 1;
    evidence.link(Link.Letters, last, a.reading.count - 1, last, b.reading.count - 1);
    evidence.note("truncation", Severity.Close, 8, 0, a.reading.count - 1, 0, b.reading.count - 1);
  }
}
