import {
  ABBREVIATIONS,
  ADJECTIVES,
  CONNECTOR_SLIPS,
  CONNECTORS,
  NUMBER_WORDS,
  PHRASES,
  ROMAN_NUMERALS,
  SECOND_READINGS,
} from "./abbreviations";
import { Flag } from "./flags";
import { GIVEN_NAMES } from "./given-names";
import {
  END_FORMS,
  ENTITY_WORDS,
  GLUED_CONNECTORS,
  GLUED_FORMS,
  LEGAL_WORDS,
  START_FORMS,
  TRUST_KIND_WORDS,
} from "./legal-forms";
import { type ConnectorKind, type Entry, Lexicon } from "./lexicon";
import { GIVEN_SPELLINGS, NICKNAME_FAMILIES } from "./nicknames";
import * as organisations from "./organisations";
import { COMPASS_WORDS, COUNTRIES, PLACES, STATES } from "./places";
import { SURNAMES } from "./surnames";
import { GENERATIONS, PARTICLES, POSTNOMINALS, TITLES } from "./titles";

const split = (list: string) => list.split(" ").filter((word) => word !== "");

/** Highest number that is looked for behind "No" without a space. */
const MAX_GLUED_NUMBER = 99;

/** Words by what they are, in the order in which later lists may build on earlier ones. */
const LISTS: ReadonlyArray<readonly [words: string, flags: number]> = [
  [GIVEN_NAMES, Flag.Given],
  [SURNAMES, Flag.Surname],
  [TITLES, Flag.Title],
  [POSTNOMINALS, Flag.Postnominal],
  [GENERATIONS, Flag.Generation],
  [PARTICLES, Flag.Particle],
  ["the", Flag.Article],
  ["and", Flag.And],
  ["or no others tm sm r c", 0],
  [organisations.LINK_WORDS, Flag.Link],
  [LEGAL_WORDS, Flag.Legal],
  [END_FORMS, Flag.Legal],
  [START_FORMS, Flag.Legal],
  [ENTITY_WORDS, Flag.Entity],
  [TRUST_KIND_WORDS, Flag.Entity],
  ["estateof late", Flag.Entity],
  [organisations.GROUP_WORDS, Flag.Group],
  [organisations.TRADE_WORDS, Flag.Trade],
  [organisations.TELLING_WORDS, Flag.Telling],
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
      const connector = this.lexicon.enter(word);
      connector.connector = kind as ConnectorKind;
      connector.isSlip = isSlip;
      connector.flags |= Flag.Connector;
    }
  }

  private glue(first: string, second: string): void {
    const glued = this.lexicon.enter(first + second);
    glued.glue = first.length;
    glued.flags |= Flag.Glued;
  }

  /** A legal form and what begins the next part, that and "the", and "No" and a number, in one word. */
  addGlued(): void {
    const connectors = split(CONNECTORS).map((entry) => entry.slice(0, entry.indexOf("=")));
    for (const form of split(GLUED_FORMS)) for (const word of [...connectors, "as"]) this.glue(form, word);
    for (const word of split(GLUED_CONNECTORS)) this.glue(word, "the");
    for (let number = 1; number <= MAX_GLUED_NUMBER; number++) this.glue("no", String(number));
  }

  addPhrases(): void {
    for (const [phrase, word] of PHRASES) {
      const words = split(phrase).map((part) => this.lexicon.enter(part));
      const [first] = words;
      if (first === undefined) continue;
      first.flags |= Flag.Phrase;
      const phrases = [...first.phrases, { words, meaning: this.lexicon.enter(word) }];
      first.phrases = phrases.sort((a, b) => b.words.length - a.words.length);
    }
  }

  addForms(): void {
    this.mark(END_FORMS, Flag.EndForm);
    this.mark(START_FORMS, Flag.EndForm | Flag.StartForm);
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

/** Words that a comparison may pass over, or that stand for others. */
const PECULIAR =
  Flag.Title |
  Flag.Postnominal |
  Flag.Generation |
  Flag.Article |
  Flag.And |
  Flag.Link |
  Flag.Legal |
  Flag.Entity |
  Flag.Purpose |
  Flag.Reference |
  Flag.Number |
  Flag.Phrase |
  Flag.Connector |
  Flag.Related |
  Flag.Glued;

function build(): Lexicon {
  const builder = new Builder();
  for (const [words, flags] of LISTS) builder.mark(words, flags);
  builder.addGivenNames();
  builder.addForms();
  builder.addShortForms();
  builder.addNumbers();
  builder.addConnectors(CONNECTORS, false);
  builder.addConnectors(CONNECTOR_SLIPS, true);
  builder.addGlued();
  builder.addPhrases();
  builder.mark("nsw wa sa nt act", Flag.State);
  builder.mark("nz uk usa hongkong srilanka", Flag.Country);
  builder.mark("spzoo p/l a/s", Flag.Legal | Flag.EndForm);
  builder.mark("a/c", Flag.Purpose);
  builder.lexicon.seal(PECULIAR);
  return builder.lexicon;
}

/** The vocabulary, built once and never changed. */
export const LEXICON = build();
