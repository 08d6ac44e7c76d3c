import type { Name } from "../parsing/name";
import type { Word } from "../reading/word";
import type { WordList } from "../reading/word-list";
import { comparePeople } from "./compare-people";
import type { Context } from "./context";
import { type Evidence, Severity } from "./evidence";
import { type Holders, separates } from "./holders";

const NO_LIKENESS = 1000;

/** Place of the holder of `b` that is most like holder `place` of `a`, or -1 when none is. */
function findPartner(place: number, a: Holders, b: Holders, context: Context): number {
  const { evidence } = context;
  let best = -1;
  let bestCost = NO_LIKENESS;
  for (let j = 0; j < b.count; j++) {
    if (b.partnerOf(j) >= 0) continue;
    const begun = evidence.bookmark();
    comparePeople(a.person(place), b.person(j), context);
    const isOther = evidence.worst(begun.findings) === Severity.Conflict;
    const cost = isOther ? NO_LIKENESS : evidence.cost(begun.findings, Severity.Format) + (j === place ? 0 : 1);
    evidence.goBack(begun);
    if (cost >= bestCost) continue;
    bestCost = cost;
    best = j;
  }
  return best;
}

/** Pairs the holders of both accounts. @returns how many are paired, and whether in the same order */
function pairHolders(context: Context): { matched: number; inOrder: boolean } {
  const { holdersA, holdersB } = context;
  let matched = 0;
  let inOrder = true;
  let previous = -1;
  for (let i = 0; i < holdersA.count; i++) {
    const j = findPartner(i, holdersA, holdersB, context);
    if (j < 0) continue;
    holdersA.pair(i, j);
    holdersB.pair(j, i);
    comparePeople(holdersA.person(i), holdersB.person(j), context);
    matched++;
    if (j < previous) inOrder = false;
    previous = j;
  }
  return { matched, inOrder };
}

/** Compares the holders of two accounts, at least one of them held by several people. */
export function compareHolders(a: Name, b: Name, context: Context): void {
  const { holdersA, holdersB, evidence } = context;
  holdersA.split(a);
  holdersB.split(b);
  if (compareSurnameOnly(context)) return;
  const { matched, inOrder } = pairHolders(context);
  const leftA = holdersA.count - matched - holdersB.unnamed;
  const leftB = holdersB.count - matched - holdersA.unnamed;
  if (matched === 0 || (leftA > 0 && leftB > 0)) {
    evidence.note("joint_holder", Severity.Conflict, 0);
    return;
  }
  if (holdersA.either !== holdersB.either) {
    evidence.note("and_symbol", Severity.Close, 4).about(firstSeparator(a), firstSeparator(b));
  }
  if (!inOrder) evidence.note("order", Severity.Close, 5);
  if (holdersA.unnamed !== holdersB.unnamed || holdersA.count !== holdersB.count) {
    noteExtraHolders(holdersA, holdersB, evidence);
  }
}

function firstSeparator({ reading }: Name): Word | undefined {
  for (let k = 0; k < reading.count; k++) if (separates(reading.word(k))) return reading.word(k);
  return undefined;
}

/** "Mr & Mrs Farley": nothing but a surname, which both holders must have. @returns whether that is so */
function compareSurnameOnly({ holdersA, holdersB, evidence }: Context): boolean {
  const short = holdersA.unnamed > 0 && holdersA.count === 1 ? holdersA : holdersB;
  const long = short === holdersA ? holdersB : holdersA;
  if (short.unnamed === 0 || short.count !== 1 || short.person(0).count !== 1 || long.count === 0) return false;
  const surname = short.person(0).at(0);
  let severity = Severity.Close;
  for (let h = 0; h < long.count; h++) if (long.person(h).last?.key !== surname.key) severity = Severity.Conflict;
  for (let h = 0; h < long.count; h++) {
    noteHolder(long.person(h), long === holdersA, evidence).weight = h === 0 ? 16 : 0;
  }
  for (let k = 0; k < evidence.findingCount; k++) evidence.finding(k).severity = severity;
  return true;
}

const firstOf = (person: WordList) => ends(person)[0];
const lastOf = (person: WordList) => ends(person)[1];

/** First and last word of a person in the text: a surname can stand before the given names. */
function ends(person: WordList): [first: Word | undefined, last: Word | undefined] {
  let { first, last } = person;
  for (let k = 0; k < person.count; k++) {
    const word = person.at(k);
    if (first !== undefined && word.index < first.index) first = word;
    if (last !== undefined && word.index > last.index) last = word;
  }
  return [first, last];
}

function noteHolder(person: WordList, isSubmitted: boolean, evidence: Evidence) {
  const finding = evidence.note("joint_holder", Severity.Close, 0);
  if (isSubmitted) return finding.about(firstOf(person), undefined).through(lastOf(person), undefined);
  return finding.about(undefined, firstOf(person)).through(undefined, lastOf(person));
}

const EXTRA_HOLDER = 11;

/** The holders that only one account has share the weight; "Mr & Mrs" may stand for somebody who has no name. */
function noteExtraHolders(a: Holders, b: Holders, evidence: Evidence): void {
  const before = evidence.findingCount;
  for (let h = 0; h < a.count; h++) if (a.partnerOf(h) < 0) noteHolder(a.person(h), true, evidence);
  for (let h = 0; h < b.count; h++) if (b.partnerOf(h) < 0) noteHolder(b.person(h), false, evidence);
  if (evidence.findingCount === before) evidence.note("joint_holder", Severity.Close, 0);
  evidence.finding(before).weight = EXTRA_HOLDER;
}
