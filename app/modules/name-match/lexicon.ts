import {
  ABBREVIATIONS,
  ADJECTIVES,
  CONNECTORS,
  NUMBER_WORDS,
  PHRASES,
  ROMAN_NUMERALS,
  SECOND_READINGS,
} from "./vocabulary/abbreviations";
import * as flag from "./vocabulary/flags";
import { GIVEN_NAMES } from "./vocabulary/given-names";
import { END_FORMS, ENTITY_WORDS, LEGAL_WORDS, START_FORMS, TRUST_KIND_WORDS } from "./vocabulary/legal-forms";
import { GIVEN_SPELLINGS, NICKNAME_FAMILIES } from "./vocabulary/nicknames";
import * as words from "./vocabulary/organisations";
import { COMPASS_WORDS, COUNTRIES, PLACES, STATES } from "./vocabulary/places";
import { SURNAMES } from "./vocabulary/surnames";
import { GENERATIONS, PARTICLES, POSTNOMINALS, TITLES } from "./vocabulary/titles";

/** The part of a name that a connector begins. */
export enum Connector {
  None = 0,
  Trading = 1,
  Trustee = 2,
  Alias = 3,
  Care = 4,
  Style = 5,
}

const CONNECTOR_KINDS: Record<string, Connector> = {
  trading: Connector.Trading,
  trustee: Connector.Trustee,
  alias: Connector.Alias,
  care: Connector.Care,
  style: Connector.Style,
};

const TABLE_SIZE = 1 << 14;
const MASK = TABLE_SIZE - 1;
const CAPACITY = 6400;

/** Open addressing; an entry is the id of a word under the upper bits of its hash. */
const ID_BITS = 13;
const ID_MASK = (1 << ID_BITS) - 1;
const table = new Int32Array(TABLE_SIZE);
/** Letters of all words (ASCII), one after the other. */
const letters = new Uint8Array(1 << 16);
let lettersUsed = 0;
let used = 1;

/** What a word is, together in one line of memory: where its letters are, how many, its flags, its canonical word. */
const FIELDS = 4;
const facts = new Int32Array(CAPACITY * FIELDS);

/** Flags of a word by its id; id 0 is "not in the vocabulary". */
export const flagsOf = (id: number): number => facts[id * FIELDS + 2]!;
/** The word an abbreviation stands for, else the word itself. */
export const canonOf = (id: number): number => facts[id * FIELDS + 3]!;

const addFlags = (id: number, flags: number): void => {
  facts[id * FIELDS + 2] = facts[id * FIELDS + 2]! | flags;
};

/** A second word an ambiguous abbreviation may stand for, or 0. */
export const secondOf = new Uint16Array(CAPACITY);
/** The place an adjective belongs to, or 0. */
export const placeOf = new Uint16Array(CAPACITY);
export const connectorOf = new Uint8Array(CAPACITY);
/** Value of a Roman numeral as the id of its Arabic one, or 0. */
export const romanOf = new Uint16Array(CAPACITY);
/** Where a legal form may stand: 1 only at the end, 2 also at the start. */
export const formPlaceOf = new Uint8Array(CAPACITY);
/** Nickname families and spelling groups a given name belongs to. */
export const familiesOf = new Array<readonly number[] | undefined>(CAPACITY).fill(undefined);
export const spellingsOf = new Array<readonly number[] | undefined>(CAPACITY).fill(undefined);
/** Phrases by the id of their first word; each is the ids of its words and the id it is read as. */
export const phrasesOf: Array<ReadonlyArray<readonly [ids: readonly number[], word: number]> | undefined> = [];

/** Hash of a word, continued letter by letter: the same rule everywhere. */
export const nextHash = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

const slotOf = (hash: number) => (hash ^ (hash >>> 15)) & MASK;

/** @returns the id of a word of the vocabulary, or 0 */
export function lookUp(codes: Uint16Array, start: number, length: number, hash: number): number {
  let slot = slotOf(hash);
  for (let entry = table[slot]!; entry !== 0; entry = table[slot]!) {
    if (((entry ^ hash) & ~ID_MASK) === 0) {
      const id = entry & ID_MASK;
      const offset = facts[id * FIELDS]!;
      if (facts[id * FIELDS + 1] === length) {
        let i = 0;
        while (i < length && codes[start + i] === letters[offset + i]) i++;
        if (i === length) return id;
      }
    }
    slot = (slot + 1) & MASK;
  }
  return 0;
}

const scratch = new Uint16Array(64);

/** @returns the id of a word, entering it if it is new */
function enter(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    scratch[i] = code;
    hash = nextHash(hash, code);
  }
  const known = lookUp(scratch, 0, word.length, hash);
  if (known !== 0) return known;
  const id = used++;
  facts[id * FIELDS] = lettersUsed;
  facts[id * FIELDS + 1] = word.length;
  facts[id * FIELDS + 3] = id;
  letters.set(scratch.subarray(0, word.length), lettersUsed);
  lettersUsed += word.length;
  let slot = slotOf(hash);
  while (table[slot] !== 0) slot = (slot + 1) & MASK;
  table[slot] = (hash & ~ID_MASK) | id;
  return id;
}

const split = (list: string) => list.split(" ").filter((word) => word !== "");

function mark(list: string, flags: number) {
  for (const word of split(list)) {
    const id = enter(word);
    addFlags(id, flags);
  }
}

/** Calls `use` with the ids of both sides of each `left=right`. */
function pairs(list: string, use: (left: number, right: number) => void) {
  for (const entry of split(list)) {
    const cut = entry.indexOf("=");
    use(enter(entry.slice(0, cut)), enter(entry.slice(cut + 1)));
  }
}

function groups(text: string, into: Array<readonly number[] | undefined>) {
  let group = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    group++;
    for (const word of split(line)) {
      const id = enter(word);
      addFlags(id, flag.GIVEN);
      into[id] = [...(into[id] ?? []), group];
    }
  }
}

/** "Mat" is short for "Mathew" as well as for "Matthew": spellings of one name share its short forms. */
function shareFamilies() {
  const members = new Map<number, Set<number>>();
  spellingsOf.forEach((own, id) => {
    for (const group of own ?? []) {
      const families = members.get(group) ?? new Set();
      for (const family of familiesOf[id] ?? []) families.add(family);
      members.set(group, families);
    }
  });
  spellingsOf.forEach((own, id) => {
    const families = new Set(familiesOf[id] ?? []);
    for (const group of own ?? []) for (const family of members.get(group)!) families.add(family);
    if (families.size > 0) familiesOf[id] = [...families];
  });
}

mark(GIVEN_NAMES, flag.GIVEN);
mark(SURNAMES, flag.SURNAME);
groups(NICKNAME_FAMILIES, familiesOf);
groups(GIVEN_SPELLINGS, spellingsOf);
shareFamilies();
mark(TITLES, flag.TITLE);
mark(POSTNOMINALS, flag.POSTNOMINAL);
mark(GENERATIONS, flag.GENERATION);
mark(PARTICLES, flag.PARTICLE);
mark("the", flag.ARTICLE);
mark("and", flag.AND);
mark(words.LINK_WORDS, flag.LINK);
mark(LEGAL_WORDS, flag.LEGAL);
mark(END_FORMS, flag.LEGAL);
for (const word of split(END_FORMS)) formPlaceOf[enter(word)] = 1;
for (const word of split(START_FORMS)) formPlaceOf[enter(word)] = 2;
mark(START_FORMS, flag.LEGAL);
mark(ENTITY_WORDS, flag.ENTITY);
mark(TRUST_KIND_WORDS, flag.ENTITY);
mark("estateof late", flag.ENTITY);
mark(words.GROUP_WORDS, flag.GROUP);
mark(words.TRADE_WORDS, flag.TRADE);
mark(words.TELLING_WORDS, flag.TELLING);
mark(COMPASS_WORDS, flag.TELLING);
mark(words.BRANCH_WORDS, flag.BRANCH);
mark(words.PURPOSE_WORDS, flag.PURPOSE);
mark(words.REFERENCE_WORDS, flag.REFERENCE);
mark(words.PLACEHOLDER_WORDS, flag.PLACEHOLDER);
mark("n/a", flag.PLACEHOLDER);
mark(COUNTRIES, flag.COUNTRY);
mark(STATES, flag.STATE);
mark(PLACES, flag.PLACE);
mark(COMPASS_WORDS, flag.COMPASS);

pairs(ABBREVIATIONS, (short, word) => {
  facts[short * FIELDS + 3] = word;
  addFlags(short, flagsOf(word) & ~flag.PERSONAL);
});
pairs(SECOND_READINGS, (short, word) => {
  secondOf[short] = word;
  addFlags(short, flag.RELATED);
});
pairs(ADJECTIVES, (adjective, place) => {
  placeOf[adjective] = place;
  addFlags(adjective, flag.RELATED | (flagsOf(place) & (flag.STATE | flag.COUNTRY)));
});
pairs(NUMBER_WORDS, (word, digits) => {
  facts[word * FIELDS + 3] = digits;
  addFlags(word, flag.NUMBER);
  addFlags(digits, flag.NUMBER);
});
pairs(ROMAN_NUMERALS, (roman, digits) => {
  romanOf[roman] = digits;
  addFlags(roman, flag.NUMBER);
});
for (const entry of split(CONNECTORS)) {
  const [word, kind] = entry.split("=") as [string, string];
  const id = enter(word);
  connectorOf[id] = CONNECTOR_KINDS[kind]!;
  addFlags(id, flag.CONNECTOR);
}
for (const [phrase, word] of PHRASES) {
  const ids = split(phrase).map(enter);
  const target = enter(word);
  const first = ids[0]!;
  addFlags(first, flag.PHRASE);
  phrasesOf[first] = [...(phrasesOf[first] ?? []), [ids, target] as const].sort((a, b) => b[0].length - a[0].length);
}
mark("nsw wa sa nt act", flag.STATE);
mark("nz uk usa hongkong srilanka", flag.COUNTRY);
mark("spzoo", flag.LEGAL);
formPlaceOf[enter("spzoo")] = 1;
mark("p/l a/s", flag.LEGAL);
formPlaceOf[enter("p/l")] = 1;
formPlaceOf[enter("a/s")] = 1;
mark("a/c", flag.PURPOSE);

/** Ids the steps ask for by name. */
export const wordId = (word: string): number => enter(word);
