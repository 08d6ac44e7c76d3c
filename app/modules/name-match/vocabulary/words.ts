import {
  ABBREVIATIONS,
  ADJECTIVES,
  CONNECTORS,
  NUMBER_WORDS,
  PHRASES,
  ROMAN_NUMERALS,
  SECOND_READINGS,
} from "./abbreviations";
import * as flag from "./flags";
import { GIVEN_NAMES } from "./given-names";
import { END_FORMS, ENTITY_WORDS, LEGAL_WORDS, START_FORMS, TRUST_KIND_WORDS } from "./legal-forms";
import { type ConnectorKind, type Entry, Lexicon } from "./lexicon";
import { GIVEN_SPELLINGS, NICKNAME_FAMILIES } from "./nicknames";
import * as organisations from "./organisations";
import { COMPASS_WORDS, COUNTRIES, PLACES, STATES } from "./places";
import { SURNAMES } from "./surnames";
import { GENERATIONS, PARTICLES, POSTNOMINALS, TITLES } from "./titles";

const split = (list: string) => list.split(" ").filter((word) => word !== "");

/** Words by what they are, in the order in which later lists may build on earlier ones. */
const LISTS: ReadonlyArray<readonly [words: string, flags: number]> = [
  [GIVEN_NAMES, flag.GIVEN],
  [SURNAMES, flag.SURNAME],
  [TITLES, flag.TITLE],
  [POSTNOMINALS, flag.POSTNOMINAL],
  [GENERATIONS, flag.GENERATION],
  [PARTICLES, flag.PARTICLE],
  ["the", flag.ARTICLE],
  ["and", flag.AND],
  ["or no", 0],
  [organisations.LINK_WORDS, flag.LINK],
  [LEGAL_WORDS, flag.LEGAL],
  [END_FORMS, flag.LEGAL],
  [START_FORMS, flag.LEGAL],
  [ENTITY_WORDS, flag.ENTITY],
  [TRUST_KIND_WORDS, flag.ENTITY],
  ["estateof late", flag.ENTITY],
  [organisations.GROUP_WORDS, flag.GROUP],
  [organisations.TRADE_WORDS, flag.TRADE],
  [organisations.TELLING_WORDS, flag.TELLING],
  [COMPASS_WORDS, flag.TELLING | flag.COMPASS],
  [organisations.BRANCH_WORDS, flag.BRANCH],
  [organisations.PURPOSE_WORDS, flag.PURPOSE],
  [organisations.REFERENCE_WORDS, flag.REFERENCE],
  [organisations.PLACEHOLDER_WORDS, flag.PLACEHOLDER],
  ["n/a", flag.PLACEHOLDER],
  [COUNTRIES, flag.COUNTRY],
  [STATES, flag.STATE],
  [PLACES, flag.PLACE],
];

class Builder {
  readonly lexicon = new Lexicon();

  mark(words: string, flags: number): void {
    for (const word of split(words)) this.lexicon.enter(word).flags |= flags;
  }

  /** Calls `use` with the entries of both sides of each `left=right`. */
  pairs(list: string, use: (left: Entry, right: Entry) => void): void {
    for (const entry of split(list)) {
      const cut = entry.indexOf("=");
      use(this.lexicon.enter(entry.slice(0, cut)), this.lexicon.enter(entry.slice(cut + 1)));
    }
  }

  /** Given names by line: every line is a group, and a name may stand in several. */
  groups(text: string, use: (entry: Entry, group: number) => void): void {
    text
      .split("\n")
      .filter((line) => line !== "")
      .forEach((line, group) => {
        for (const word of split(line)) {
          const entry = this.lexicon.enter(word);
          entry.flags |= flag.GIVEN;
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
      short.flags |= word.flags & ~flag.PERSONAL;
    });
    this.pairs(SECOND_READINGS, (short, word) => {
      short.second = word;
      short.flags |= flag.RELATED;
    });
    this.pairs(ADJECTIVES, (adjective, place) => {
      adjective.place = place;
      adjective.flags |= flag.RELATED | (place.flags & (flag.STATE | flag.COUNTRY));
    });
  }

  addNumbers(): void {
    this.pairs(NUMBER_WORDS, (word, digits) => {
      word.meaning = digits;
      word.flags |= flag.NUMBER;
      digits.flags |= flag.NUMBER;
    });
    this.pairs(ROMAN_NUMERALS, (roman, digits) => {
      roman.arabic = digits;
      roman.flags |= flag.NUMBER;
    });
  }

  addConnectors(): void {
    for (const entry of split(CONNECTORS)) {
      const [word = "", kind] = entry.split("=");
      const connector = this.lexicon.enter(word);
      connector.connector = kind as ConnectorKind;
      connector.flags |= flag.CONNECTOR;
    }
  }

  addPhrases(): void {
    for (const [phrase, word] of PHRASES) {
      const words = split(phrase).map((part) => this.lexicon.enter(part));
      const [first] = words;
      if (first === undefined) continue;
      first.flags |= flag.PHRASE;
      const phrases = [...first.phrases, { words, meaning: this.lexicon.enter(word) }];
      first.phrases = phrases.sort((a, b) => b.words.length - a.words.length);
    }
  }

  addForms(): void {
    for (const word of split(END_FORMS)) this.lexicon.enter(word).formPlace = "end";
    for (const word of split(START_FORMS)) this.lexicon.enter(word).formPlace = "either end";
  }
}

/** "Mat" is short for "Mathew" as well as for "Matthew": spellings of one name share its short forms. */
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

function build(): Lexicon {
  const builder = new Builder();
  for (const [words, flags] of LISTS) builder.mark(words, flags);
  builder.addGivenNames();
  builder.addForms();
  builder.addShortForms();
  builder.addNumbers();
  builder.addConnectors();
  builder.addPhrases();
  builder.mark("nsw wa sa nt act", flag.STATE);
  builder.mark("nz uk usa hongkong srilanka", flag.COUNTRY);
  builder.mark("spzoo p/l a/s", flag.LEGAL);
  for (const form of ["spzoo", "p/l", "a/s"]) builder.lexicon.enter(form).formPlace = "end";
  builder.mark("a/c", flag.PURPOSE);
  builder.lexicon.seal();
  return builder.lexicon;
}

/** The vocabulary, built once and never changed. */
export const LEXICON = build();
