import { type Evidence, Severity } from "./evidence";
import type { Name } from "./name";
import { addName, comparePeople } from "./persons";
import { Role } from "./reading";
import { ARTICLE, GIVEN, PERSONAL, SURNAME } from "./vocabulary/flags";
import { Words } from "./words";

const MAX_HOLDERS = 4;

/** The holders of one account. */
class Holders {
  readonly people = [new Words(), new Words(), new Words(), new Words()];
  readonly from = new Int32Array(MAX_HOLDERS);
  count = 0;
  /** "Mr & Mrs": holders of whom only the title is given. */
  unnamed = 0;
  /** Written with "or": either may sign. */
  either = false;
}

const holdersA = new Holders();
const holdersB = new Holders();

/** Does the word at `i` separate two holders ("&", "and", "or")? */
function separates(name: Name, i: number): boolean {
  return name.reading.role[i] === Role.And || name.reading.canon[i] === OR;
}

import { wordId } from "./lexicon";

const OR = wordId("or");

function firstSeparator(name: Name): number {
  for (let i = 0; i < name.reading.count; i++) if (separates(name, i)) return i;
  return -1;
}

/** "Mr and Mrs Tobias and Odette Farley": the first "and" joins titles, not holders. */
function pairsTitles(name: Name, i: number): boolean {
  const { role, count } = name.reading;
  if (i === 0 || i + 1 >= count || role[i - 1] !== Role.Title || role[i + 1] !== Role.Title) return false;
  for (let k = i + 2; k < count; k++) if (separates(name, k)) return true;
  return false;
}

function split(name: Name, into: Holders): void {
  const { reading } = name;
  const main = name.segments[0];
  into.count = 0;
  into.unnamed = 0;
  into.either = false;
  let words = into.people[0]!;
  words.clear(reading);
  let titled = false;
  let shared = -1;
  if (name.comma > 0) shared = name.comma;
  const skipBefore = shared > 0 ? main.core[shared]! : 0;
  const close = (next: number) => {
    if (words.count > 0) {
      into.count++;
      if (into.count === MAX_HOLDERS) return false;
    } else if (titled) into.unnamed++;
    titled = false;
    words = into.people[into.count]!;
    words.clear(reading);
    into.from[into.count] = next;
    return true;
  };
  let open = true;
  for (let i = skipBefore; i < main.end && open; i++) {
    if (separates(name, i)) {
      if (reading.canon[i] === OR) into.either = true;
      if (pairsTitles(name, i)) continue;
      open = close(i + 1);
      continue;
    }
    if (reading.role[i] === Role.Title) titled = true;
    if (reading.role[i] === Role.Core && (reading.flags[i]! & ARTICLE) === 0) addName(words, i);
  }
  if (open) {
    if (words.count > 0) into.count++;
    else if (titled) into.unnamed++;
  }
  giveSurnames(name, into, shared);
}

function isBare(words: Words): boolean {
  if (words.count === 1) return true;
  for (let k = 0; k < words.count; k++) if (words.length[k]! > 1) return false;
  return true;
}

/** "Ian Robert & Diane Elizabeth McCauley": two given names, of which the last is no surname. */
function isGivenOnly(words: Words): boolean {
  return words.count === 2 && (words.flags[1]! & PERSONAL) === GIVEN;
}

function appendTokens(words: Words, from: Words, first: number, last: number): void {
  for (let k = first; k <= last; k++) words.add(from.token[k]!, true);
}

/** "Raymond & Jennifer Smith" are two Smiths; so are "Smith, Raymond & Jennifer" and "SMITH Raymond & Jennifer". */
function giveSurnames(name: Name, into: Holders, comma: number): void {
  if (comma > 0) {
    const main = name.segments[0];
    for (let h = 0; h < into.count; h++) {
      const words = into.people[h]!;
      if (h > 0 && !isBare(words)) continue;
      for (let k = 0; k < comma; k++) addName(words, main.core[k]!);
    }
    return;
  }
  const last = into.people[into.count - 1];
  if (into.count < 2 || last === undefined) return;
  if (!isBare(last)) {
    for (let h = 0; h < into.count - 1; h++) {
      const words = into.people[h]!;
      if (isBare(words) || isGivenOnly(words)) appendTokens(words, last, surnameAt(last), last.count - 1);
    }
    return;
  }
  const first = into.people[0]!;
  if (isBare(first)) return;
  const leads = (first.flags[0]! & SURNAME) !== 0 || (first.flags[0]! & PERSONAL) === 0;
  const trails = (first.flags[first.count - 1]! & PERSONAL) === SURNAME;
  const at = leads && !trails ? 0 : first.count - 1;
  for (let h = 1; h < into.count; h++) appendTokens(into.people[h]!, first, at, at);
  if (at === 0) {
    const token = first.token[0]!;
    const rest: number[] = [];
    for (let k = 1; k < first.count; k++) if (rest[rest.length - 1] !== first.token[k]) rest.push(first.token[k]!);
    first.clear(name.reading);
    for (const word of rest) addName(first, word);
    addName(first, token);
  }
}

function surnameAt(words: Words): number {
  let at = words.count - 1;
  while (at > 1 && (words.reading.gap[words.token[at]!]! & 8) !== 0) at--;
  return at;
}

const taken = new Int32Array(MAX_HOLDERS);

/** Index of the holder of `b` that is most like a holder of `a`, or -1 when none is. */
function bestHolder(a: Words, at: number, b: Holders, evidence: Evidence): number {
  let best = -1;
  let bestCost = 1000;
  for (let j = 0; j < b.count; j++) {
    if (taken[j]! >= 0) continue;
    const { count, links } = evidence;
    comparePeople(a, b.people[j]!, evidence);
    const worst = evidence.worst(count);
    const cost = worst === Severity.Conflict ? 1000 : evidence.cost(count, Severity.Format) + (j === at ? 0 : 1);
    evidence.rewind(count, links);
    if (cost < bestCost) {
      bestCost = cost;
      best = j;
    }
  }
  return best;
}

/** Compares the holders of two accounts, at least one of them held by several people. */
export function compareHolders(a: Name, b: Name, evidence: Evidence): void {
  split(a, holdersA);
  split(b, holdersB);
  if (compareSurnameOnly(evidence)) return;
  taken.fill(-1);
  let matched = 0;
  let inOrder = true;
  let previous = -1;
  let firstLeft = -1;
  for (let i = 0; i < holdersA.count; i++) {
    const person = holdersA.people[i]!;
    const j = bestHolder(person, i, holdersB, evidence);
    if (j < 0) {
      if (firstLeft < 0) firstLeft = i;
      continue;
    }
    taken[j] = i;
    comparePeople(person, holdersB.people[j]!, evidence);
    matched++;
    if (j < previous) inOrder = false;
    previous = j;
  }
  const leftA = holdersA.count - matched - holdersB.unnamed;
  const leftB = holdersB.count - matched - holdersA.unnamed;
  if (matched === 0 || (leftA > 0 && leftB > 0)) {
    noteHolder(firstLeft, Severity.Conflict, 0, evidence);
    return;
  }
  if (holdersA.either !== holdersB.either) {
    const x = firstSeparator(a);
    const y = firstSeparator(b);
    evidence.note("and_symbol", Severity.Close, 4, x, x, y, y);
  }
  if (!inOrder) noteHolder(-1, Severity.Close, 5, evidence);
  if (holdersA.unnamed !== holdersB.unnamed || holdersA.count !== holdersB.count || leftA > 0 || leftB > 0)
    noteLeftHolders(evidence);
}

/** "Mr & Mrs Farley": nothing but a surname, which both holders must have. */
function compareSurnameOnly(evidence: Evidence): boolean {
  const short = holdersA.unnamed > 0 && holdersA.count === 1 ? holdersA : holdersB;
  const long = short === holdersA ? holdersB : holdersA;
  if (short.unnamed === 0 || short.count !== 1 || short.people[0]!.count !== 1) return false;
  const surname = short.people[0]!;
  let severity = Severity.Close;
  for (let h = 0; h < long.count; h++) {
    const person = long.people[h]!;
    if (person.key[person.count - 1] !== surname.key[0]) severity = Severity.Conflict;
  }
  for (let h = 0; h < long.count; h++) {
    const words = long.people[h]!;
    const weight = h === 0 ? 16 : 0;
    if (long === holdersA) evidence.note("joint_holder", severity, weight, firstToken(words), lastToken(words), -1, -1);
    else evidence.note("joint_holder", severity, weight, -1, -1, firstToken(words), lastToken(words));
  }
  return true;
}

const firstToken = ({ token, count }: Words) => Math.min(...token.subarray(0, count));
const lastToken = ({ token, count }: Words) => Math.max(...token.subarray(0, count));

/** The holders that only one account has share the weight; "Mr & Mrs" may stand for somebody who has no name. */
function noteLeftHolders(evidence: Evidence): void {
  let weight = 11;
  for (let i = 0; i < holdersA.count; i++) {
    if (taken.includes(i)) continue;
    const words = holdersA.people[i]!;
    evidence.note("joint_holder", Severity.Close, weight, firstToken(words), lastToken(words), -1, -1);
    weight = 0;
  }
  for (let j = 0; j < holdersB.count; j++) {
    if (taken[j]! >= 0) continue;
    const words = holdersB.people[j]!;
    evidence.note("joint_holder", Severity.Close, weight, -1, -1, firstToken(words), lastToken(words));
    weight = 0;
  }
  if (weight > 0) evidence.note("joint_holder", Severity.Close, weight, -1, -1, -1, -1);
}

function noteHolder(left: number, severity: Severity, penalty: number, evidence: Evidence): void {
  if (left >= 0) {
    const words = holdersA.people[left]!;
    evidence.note("joint_holder", severity, penalty, firstToken(words), lastToken(words), -1, -1);
    return;
  }
  for (let j = 0; j < holdersB.count; j++) {
    if (taken[j]! >= 0 || severity === Severity.Conflict) continue;
    const words = holdersB.people[j]!;
    evidence.note("joint_holder", severity, penalty, -1, -1, firstToken(words), lastToken(words));
    return;
  }
  evidence.note(
    severity === Severity.Close && penalty === 5 ? "order" : "joint_holder",
    severity,
    penalty,
    -1,
    -1,
    -1,
    -1,
  );
}
