import { Gap, isAny, isSameName, type Name, Role, type Word, wordAt } from "~/modules/name-match/name";
import { entryOf, Flag } from "../vocabulary";
import { addName, comparePeople } from "./compare-people";
import { type Evidence, Severity } from "./evidence";

const OR = entryOf("or");
const OTHERS = entryOf("others");
const MAX_HOLDERS = 4;

/** Does the word separate two holders ("&", "and", "or")? */
const separates = (word: Word): boolean => word.role === Role.And || word.entry.meaning === OR;

/** The holders of one account, from its name. */
interface Holders {
  people: Word[][];
  /** "Mr & Mrs": how many holders have only a title. */
  unnamed: number;
  /** Joined with "or": either may sign. */
  either: boolean;
  /** Positions of the holders that were also found on the other account. */
  paired: Set<number>;
}

/** Splits a name at "&", "and" and "or", and gives each holder the surname they share. */
function splitHolders(name: Name): Holders {
  const { reading, main, beforeComma } = name;
  const holders: Holders = { people: [], unnamed: 0, either: false, paired: new Set() };
  let person: Word[] = [];
  let isTitled = false;
  const close = () => {
    if (person.length > 0) holders.people.push(person);
    else if (isTitled) holders.unnamed++;
    person = [];
    isTitled = false;
  };
  const from = beforeComma > 0 ? (main.core[beforeComma]?.index ?? 0) : 0;
  for (let k = from; k < main.end && holders.people.length < MAX_HOLDERS; k++) {
    const word = wordAt(reading, k);
    if (separates(word)) {
      if (word.entry.meaning === OR) holders.either = true;
      if (!pairsTitles(name, k)) close();
    } else if (word.entry.meaning === OTHERS) holders.unnamed++;
    else if (word.role === Role.Title) isTitled = true;
    else if (word.role === Role.Core && !isAny(word, Flag.Article)) addName(person, reading, word);
  }
  if (holders.people.length < MAX_HOLDERS) close();
  if (beforeComma > 0) shareLeadingSurname(name, holders);
  else shareSurname(name, holders);
  return holders;
}

/** "Mr and Mrs Tobias and Odette Farley": the first "and" joins titles, not holders. */
function pairsTitles({ reading: { words } }: Name, at: number): boolean {
  if (words[at - 1]?.role !== Role.Title || words[at + 1]?.role !== Role.Title) return false;
  return words.slice(at + 2).some(separates);
}

/** "Smith, Raymond & Jennifer" are two Smiths. */
function shareLeadingSurname({ reading, main, beforeComma }: Name, { people }: Holders): void {
  people.forEach((person, holder) => {
    if (holder > 0 && !isBare(person)) return;
    for (const word of main.core.slice(0, beforeComma)) addName(person, reading, word);
  });
}

/** "Raymond & Jennifer Smith" are two Smiths; so are "SMITH Raymond & Jennifer". */
function shareSurname({ reading }: Name, { people }: Holders): void {
  const first = people[0];
  const last = people.at(-1);
  if (first === undefined || last === undefined || people.length < 2) return;
  const whole = ({ index }: Word) => wordAt(reading, index);
  if (!isBare(last)) {
    for (let h = people.length - 2; h >= 0; h--) {
      const person = people[h];
      const next = people[h + 1];
      if (person === undefined || next === undefined || !(isBare(person) || isGivenOnly(person))) continue;
      person.push(...next.slice(surnameAt(next)).map(whole));
    }
    return;
  }
  if (isBare(first)) return;
  const leads = leadsWithSurname(first);
  const surname = leads ? first[0] : first.at(-1);
  if (surname === undefined) return;
  for (const person of people.slice(1)) person.push(whole(surname));
  if (leads) first.push(...first.splice(0, 1));
}

/** Does a holder lack a surname: one word, or only initials? */
const isBare = (person: readonly Word[]) => person.length === 1 || !person.some(({ text }) => text.length > 1);

const personalFlags = (word: Word | undefined) => (word?.flags ?? 0) & Flag.Personal;

/** "Ian Robert & Diane Elizabeth McCauley": two given names, the second of which is not a surname. */
const isGivenOnly = (person: readonly Word[]) => person.length === 2 && personalFlags(person[1]) === Flag.Given;

function surnameAt(person: readonly Word[]): number {
  let at = person.length - 1;
  while (at > 1 && ((person[at]?.gap ?? 0) & Gap.Hyphen) !== 0) at--;
  return at;
}

function leadsWithSurname(person: readonly Word[]): boolean {
  const first = personalFlags(person[0]);
  const leads = (first & Flag.Surname) !== 0 || first === 0;
  return leads && personalFlags(person.at(-1)) !== Flag.Surname;
}

const NO_LIKENESS = 1000;

/** Position of the holder in `b` who is most like this person of the other account, or -1 when none is. */
function findPartner(person: readonly Word[], place: number, b: Holders, evidence: Evidence): number {
  let best = -1;
  let bestCost = NO_LIKENESS;
  b.people.forEach((other, j) => {
    if (b.paired.has(j)) return;
    const { length: findings } = evidence.findings;
    const { length: ties } = evidence.ties;
    comparePeople(person, other, evidence);
    const isOther = evidence.worst(findings) === Severity.Conflict;
    const cost = isOther ? NO_LIKENESS : evidence.cost(findings, Severity.Format) + (j === place ? 0 : 1);
    evidence.goBack(findings, ties);
    if (cost >= bestCost) return;
    bestCost = cost;
    best = j;
  });
  return best;
}

/** Pairs the holders of both accounts. @returns whether they come in the same order */
function pairHolders(a: Holders, b: Holders, evidence: Evidence): boolean {
  let inOrder = true;
  let previous = -1;
  a.people.forEach((person, i) => {
    const j = findPartner(person, i, b, evidence);
    const partner = b.people[j];
    if (partner === undefined) return;
    a.paired.add(i);
    b.paired.add(j);
    comparePeople(person, partner, evidence);
    if (j < previous) inOrder = false;
    previous = j;
  });
  return inOrder;
}

/** Compares the holders of two accounts, at least one of which has several. */
export function compareHolders(nameA: Name, nameB: Name, evidence: Evidence): void {
  const a = splitHolders(nameA);
  const b = splitHolders(nameB);
  if (compareSurnameOnly(a, b, evidence)) return;
  const inOrder = pairHolders(a, b, evidence);
  const leftA = a.people.length - a.paired.size - b.unnamed;
  const leftB = b.people.length - b.paired.size - a.unnamed;
  if (a.paired.size === 0 || (leftA > 0 && leftB > 0)) {
    evidence.note("joint_holder", Severity.Conflict, 0);
    return;
  }
  if (a.either !== b.either) {
    const separator = ({ reading }: Name) => reading.words.find(separates);
    evidence.note("and_symbol", Severity.Close, 4, separator(nameA), separator(nameB));
  }
  if (!inOrder) evidence.note("order", Severity.Close, 5);
  if (a.unnamed !== b.unnamed || a.people.length !== b.people.length) noteExtraHolders(a, b, evidence);
}

/** "Mr & Mrs Farley": only a surname, which both holders must have. @returns whether that is so */
function compareSurnameOnly(a: Holders, b: Holders, evidence: Evidence): boolean {
  const short = a.unnamed > 0 && a.people.length === 1 ? a : b;
  const long = short === a ? b : a;
  const [surname, ...more] = short.people[0] ?? [];
  if (short.unnamed === 0 || short.people.length !== 1 || surname === undefined || more.length > 0) return false;
  if (long.people.length === 0) return false;
  const haveIt = long.people.every((person) => {
    const last = person.at(-1);
    return last !== undefined && isSameName(last, surname);
  });
  const severity = haveIt ? Severity.Close : Severity.Conflict;
  long.people.forEach((person, h) => {
    noteHolder(person, long === a, severity, h === 0 ? 16 : 0, evidence);
  });
  return true;
}

/** Records a holder from the first to the last word in the text: a surname may come before the given names. */
function noteHolder(person: Word[], isSubmitted: boolean, severity: Severity, weight: number, evidence: Evidence) {
  const first = person.reduce((least, word) => (word.index < least.index ? word : least));
  const last = person.reduce<Word | undefined>(
    (most, word) => (word.index > (most?.index ?? 0) ? word : most),
    person.at(-1),
  );
  if (isSubmitted) evidence.note("joint_holder", severity, weight, first, undefined, last, undefined);
  else evidence.note("joint_holder", severity, weight, undefined, first, undefined, last);
}

const EXTRA_HOLDER = 11;

/** Holders that only one account has share the weight; "Mr & Mrs" may stand for an unnamed holder. */
function noteExtraHolders(a: Holders, b: Holders, evidence: Evidence): void {
  let weight = EXTRA_HOLDER;
  for (const { people, paired } of [a, b]) {
    people.forEach((person, h) => {
      if (paired.has(h)) return;
      noteHolder(person, people === a.people, Severity.Close, weight, evidence);
      weight = 0;
    });
  }
  if (weight > 0) evidence.note("joint_holder", Severity.Close, weight);
}
