import { GIVEN_SPELLINGS, NICKNAME_FAMILIES } from "./data/nicknames";
import * as organisations from "./data/organisations";
import * as people from "./data/people";
import { COMPASS_WORDS, COUNTRIES, PLACES, STATES } from "./data/places";
import {
  ABBREVIATIONS,
  ADJECTIVES,
  CONNECTOR_SLIPS,
  CONNECTORS,
  NUMBER_WORDS,
  PHRASES,
  ROMAN_NUMERALS,
  SECOND_READINGS,
} from "./data/short-forms";

/** What the vocabulary knows about a word, one bit each. A word can be several things ("Victoria"). */
export enum Flag {
  Given = 1 << 0,
  Surname = 1 << 1,
  Title = 1 << 2,
  Postnominal = 1 << 3,
  Generation = 1 << 4,
  Particle = 1 << 5,
  Article = 1 << 6,
  And = 1 << 7,
  Link = 1 << 8,
  /** A word or letters that can be part of a legal form. */
  Legal = 1 << 9,
  /** Trust, fund, estate: another kind of account holder than a company or a person. */
  Entity = 1 << 10,
  /** Words that distinguish companies within a group but not the group itself: holdings, services, nominees. */
  Group = 1 << 11,
  /** Trades and other common words in organisations' names. */
  Trade = 1 << 12,
  Country = 1 << 13,
  State = 1 << 14,
  Place = 1 << 15,
  Compass = 1 << 16,
  Number = 1 << 17,
  /** "Branch", "division", "office". */
  Branch = 1 << 18,
  /** "Account", "payroll", "deductions": what an account is for. */
  Purpose = 1 << 19,
  /** "Invoice", "rent", "ABN": what people type into a name field besides the name. */
  Reference = 1 << 20,
  /** First word of a phrase that is read as one word: "new" (South Wales), "as" (trustee for). */
  Phrase = 1 << 21,
  /** Placeholders people type when a field is compulsory. */
  Placeholder = 1 << 22,
  /** "Trading as", "as trustee for", "née": another name follows. */
  Connector = 1 << 23,
  /** The word has a second reading, an adjective or a numeral, whose relations have to be looked up. */
  Related = 1 << 24,
  /** A word that distinguishes two neighbouring organisations: "girls", "junior", "north". */
  Telling = 1 << 25,

  /** A legal form only at the end of a name; and one that also counts at the start. */
  EndForm = 1 << 26,
  StartForm = 1 << 27,

  /** Two words written as one: "LtdATF", "No1". */
  Joined = 1 << 28,

  Personal = Given | Surname,
  /** Flags that apply to one spelling and not to the word's short form. */
  OfOneSpelling = Personal | EndForm | StartForm,
  /** Words that do not distinguish two organisations by themselves. */
  Weak = Group |
    Trade |
    Branch |
    Purpose |
    Country |
    State |
    Place |
    Compass |
    Link |
    Article |
    And |
    Number |
    Legal |
    Entity,
}

/** The kind of name part that a connector introduces. */
export type ConnectorKind = "trading" | "trustee" | "alias" | "care" | "style";

/** Several words that are read as one ("new south wales"). */
export interface Phrase {
  words: readonly Entry[];
  meaning: Entry;
}

/** A word of the vocabulary and everything known about it. */
export class Entry {
  flags = 0;
  /** The full word of an abbreviation, otherwise the word itself. */
  meaning: Entry = this;
  /** A second full word of an ambiguous abbreviation. */
  second: Entry | undefined;
  /** The place of an adjective. */
  place: Entry | undefined;
  /** The Arabic form of a Roman numeral. */
  arabic: Entry | undefined;
  connector: ConnectorKind | undefined;
  /** Whether it is a connector with a typing error ("aft"). */
  isSlip = false;
  /** For two words written as one ("ltdatf", "no1"): the length of the first; 0 for a single word. */
  firstLength = 0;
  /** Nickname families and spelling groups a given name belongs to. */
  families: readonly number[] = [];
  spellings: readonly number[] = [];
  /** Phrases that begin with this word, the longest first. */
  phrases: readonly Phrase[] = [];

  constructor(readonly text: string) {}
}

const split = (list: string) => list.split(" ").filter((word) => word !== "");

/** The highest number that is recognised after "No" without a space. */
const MAX_JOINED_NUMBER = 99;

/** Words by kind, in an order in which later lists may build on earlier ones. */
const LISTS: ReadonlyArray<readonly [words: string, flags: number]> = [
  [people.GIVEN_NAMES, Flag.Given],
  [people.SURNAMES, Flag.Surname],
  [people.TITLES, Flag.Title],
  [people.POSTNOMINALS, Flag.Postnominal],
  [people.GENERATIONS, Flag.Generation],
  [people.PARTICLES, Flag.Particle],
  ["the", Flag.Article],
  ["and", Flag.And],
  ["or no others tm sm r c", 0],
  [organisations.LINK_WORDS, Flag.Link],
  [organisations.LEGAL_WORDS, Flag.Legal],
  [organisations.END_FORMS, Flag.Legal],
  [organisations.START_FORMS, Flag.Legal],
  [organisations.ENTITY_WORDS, Flag.Entity],
  [organisations.TRUST_KIND_WORDS, Flag.Entity],
  ["estateof late", Flag.Entity],
  [organisations.GROUP_WORDS, Flag.Group],
  [organisations.TRADE_WORDS, Flag.Trade],
  [organisations.DISTINGUISHING_WORDS, Flag.Telling],
  [COMPASS_WORDS, Flag.Telling | Flag.Compass],
  [organisations.BRANCH_WORDS, Flag.Branch],
  [organisations.PURPOSE_WORDS, Flag.Purpose],
  [organisations.REFERENCE_WORDS, Flag.Reference],
  [organisations.PLACEHOLDER_WORDS, Flag.Placeholder],
  ["n/a", Flag.Placeholder],
  [COUNTRIES, Flag.Country],
  [STATES, Flag.State],
  [PLACES, Flag.Place],
];

class Builder {
  readonly entries = new Map([["", new Entry("")]]);

  /** The entry of a word, created if necessary. */
  private enter(word: string): Entry {
    const known = this.entries.get(word) ?? new Entry(word);
    this.entries.set(word, known);
    return known;
  }

  mark(words: string, flags: number): void {
    for (const word of split(words)) this.enter(word).flags |= flags;
  }

  /** Calls `use` with the entries of both sides of each `left=right`. */
  pairs(list: string, use: (left: Entry, right: Entry) => void): void {
    for (const entry of split(list)) {
      const cut = entry.indexOf("=");
      use(this.enter(entry.slice(0, cut)), this.enter(entry.slice(cut + 1)));
    }
  }

  /** Given names by line: every line is a group, and a name may be in several. */
  groups(text: string, use: (entry: Entry, group: number) => void): void {
    text
      .split("\n")
      .filter((line) => line !== "")
      .forEach((line, group) => {
        for (const word of split(line)) {
          const entry = this.enter(word);
          entry.flags |= Flag.Given;
          use(entry, group);
        }
      });
  }

  addGivenNames(): void {
    const spelled = new Set<Entry>();
    this.groups(NICKNAME_FAMILIES, (entry, group) => {
      entry.families = [...entry.families, group];
    });
    this.groups(GIVEN_SPELLINGS, (entry, group) => {
      entry.spellings = [...entry.spellings, group];
      spelled.add(entry);
    });
    shareFamilies([...spelled]);
  }

  addShortForms(): void {
    this.pairs(ABBREVIATIONS, (short, word) => {
      short.meaning = word;
      short.flags |= word.flags & ~Flag.OfOneSpelling;
    });
    this.pairs(SECOND_READINGS, (short, word) => {
      short.second = word;
      short.flags |= Flag.Related;
    });
    this.pairs(ADJECTIVES, (adjective, place) => {
      adjective.place = place;
      adjective.flags |= Flag.Related | (place.flags & (Flag.State | Flag.Country));
    });
  }

  addNumbers(): void {
    this.pairs(NUMBER_WORDS, (word, digits) => {
      word.meaning = digits;
      word.flags |= Flag.Number;
      digits.flags |= Flag.Number;
    });
    this.pairs(ROMAN_NUMERALS, (roman, digits) => {
      roman.arabic = digits;
      roman.flags |= Flag.Number;
    });
  }

  addConnectors(list: string, isSlip: boolean): void {
    for (const entry of split(list)) {
      const [word = "", kind] = entry.split("=");
      const connector = this.enter(word);
      connector.connector = kind as ConnectorKind;
      connector.isSlip = isSlip;
      connector.flags |= Flag.Connector;
    }
  }

  private join(first: string, second: string): void {
    const joined = this.enter(first + second);
    joined.firstLength = first.length;
    joined.flags |= Flag.Joined;
  }

  /** Adds joined words: a legal form with a connector, a connector with "the", and "No" with a number. */
  addJoined(): void {
    const connectors = split(CONNECTORS).map((entry) => entry.slice(0, entry.indexOf("=")));
    for (const form of split(organisations.JOINED_FORMS))
      for (const word of [...connectors, "as"]) this.join(form, word);
    for (const word of split(organisations.JOINED_CONNECTORS)) this.join(word, "the");
    for (let number = 1; number <= MAX_JOINED_NUMBER; number++) this.join("no", String(number));
  }

  addPhrases(): void {
    for (const [phrase, word] of PHRASES) {
      const words = split(phrase).map((part) => this.enter(part));
      const [first] = words;
      if (first === undefined) continue;
      first.flags |= Flag.Phrase;
      const phrases = [...first.phrases, { words, meaning: this.enter(word) }];
      first.phrases = phrases.sort((a, b) => b.words.length - a.words.length);
    }
  }

  addForms(): void {
    this.mark(organisations.END_FORMS, Flag.EndForm);
    this.mark(organisations.START_FORMS, Flag.EndForm | Flag.StartForm);
  }
}

/** "Mat" is short for both "Mathew" and "Matthew": spellings of one name share its short forms. */
function shareFamilies(spelled: readonly Entry[]): void {
  const members = new Map<number, Set<number>>();
  for (const { spellings, families } of spelled) {
    for (const group of spellings) {
      const known = members.get(group) ?? new Set<number>();
      for (const family of families) known.add(family);
      members.set(group, known);
    }
  }
  for (const entry of spelled) {
    const families = new Set(entry.families);
    for (const group of entry.spellings) for (const family of members.get(group) ?? []) families.add(family);
    entry.families = [...families];
  }
}

function build(): ReadonlyMap<string, Entry> {
  const builder = new Builder();
  for (const [words, flags] of LISTS) builder.mark(words, flags);
  builder.addGivenNames();
  builder.addForms();
  builder.addShortForms();
  builder.addNumbers();
  builder.addConnectors(CONNECTORS, false);
  builder.addConnectors(CONNECTOR_SLIPS, true);
  builder.addJoined();
  builder.addPhrases();
  builder.mark("nsw wa sa nt act", Flag.State);
  builder.mark("nz uk usa hongkong srilanka", Flag.Country);
  builder.mark("spzoo p/l a/s", Flag.Legal | Flag.EndForm);
  builder.mark("a/c", Flag.Purpose);
  return builder.entries;
}

/** The vocabulary, built once and never changed. */
const VOCABULARY = build();

/** The entry for every word that the vocabulary lacks. */
export const UNKNOWN: Entry = entryOf("");

/** What is known of a word. */
export const lookUp = (word: string): Entry => VOCABULARY.get(word) ?? UNKNOWN;

/** The entry of a word that must be in the vocabulary. */
export function entryOf(word: string): Entry {
  const entry = VOCABULARY.get(word);
  if (entry === undefined) throw new Error(`The vocabulary has no word “${word}”.`);
  return entry;
}

/** A hash of a word, updated letter by letter. */
export const nextNumber = (number: number, code: number): number => (Math.imul(number, 31) + code) & 0x3fffffff;

/** The vocabulary by the hashes of its words, which are all different. */
function byNumber(): ReadonlyMap<number, Entry> {
  const entries = new Map<number, Entry>();
  for (const [word, entry] of VOCABULARY) {
    const number = Array.from(word, (letter) => letter.charCodeAt(0)).reduce(nextNumber, 0);
    if (entries.has(number)) throw new RangeError(`The word “${word}” has the same number as another word.`);
    entries.set(number, entry);
  }
  return entries;
}

const BY_NUMBER = byNumber();

/**
 * The entry of the word between two positions of a text. It is found by its hash, without creating a string: that makes
 * reading twice as fast as with `lookUp`, and reading takes most of the time of a comparison.
 */
export function lookUpAt(text: string, from: number, to: number, number: number): Entry {
  const entry = BY_NUMBER.get(number);
  if (entry === undefined || entry.text.length !== to - from) return UNKNOWN;
  for (let k = from; k < to; k++) if (text.charCodeAt(k) !== entry.text.charCodeAt(k - from)) return UNKNOWN;
  return entry;
}
