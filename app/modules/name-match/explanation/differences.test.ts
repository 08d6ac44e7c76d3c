import { expect, test } from "vitest";
import { matchNames } from "../match-names";
import type { NameKind } from "../types";

/** Every reported difference of two names: type, words of either side, points. */
const told = (submitted: string, held: string, kind?: NameKind) =>
  matchNames(submitted, held, kind).differences.map(({ type, points, ...words }) => [
    type,
    words.submitted,
    words.held,
    points,
  ]);

test.each<[submitted: string, held: string, kind: NameKind | undefined, differences: unknown[]]>([
  ["Odette Bellamy formerly Quince Roe", "Odette Bellamy", "person", [["extra_token", "formerly Quince Roe", "", 13]]],
  ["Odette Bellamy", "Odette Bellamy née Quince Roe", "person", [["missing_token", "", "née Quince Roe", 13]]],
  [
    "Tobias & Odette Bellamy",
    "Mr & Mrs Bellamy",
    "joint",
    [
      ["joint_holder", "Tobias … Odette", "", 22],
      ["title", "", "Mr … Mrs", 0],
    ],
  ],
  [
    "Mr & Mrs Bellamy",
    "Tobias & Odette Bellamy",
    "joint",
    [
      ["joint_holder", "", "Tobias … Odette", 22],
      ["title", "Mr … Mrs", "", 0],
    ],
  ],
  ["Acme No1", "Acme 1", undefined, [["abbreviation", "No1", "1", 1]]],
  ["Acme No1", "Acme No 2", undefined, [["number", "No1", "No 2", 63]]],
  ["RW Bellamy", "R Bellamy", "person", [["different_token", "RW", "R", 13]]],
  ["CVC Health", "CVS Health", "person", [["different_token", "CVC", "CVS", 42]]],
  ["J.B. B", "B", undefined, [["different_token", "J.B. B", "B", 67]]],
  ["J.B. B Doe", "B Doe", "person", [["different_token", "J.B", "B", 27]]],
  ["Acme Pty Ltd", "ACME PTY LTD", undefined, [["formatting", "Acme Pty Ltd", "ACME PTY LTD", 1]]],
  ["Acme Tiles Tiles", "Acme Tiles", undefined, [["extra_token", "Tiles", "", 16]]],
  [
    "Acme Number One",
    "Acme No1",
    undefined,
    [
      ["number", "One", "No1", 1],
      ["extra_token", "Number", "", 1],
    ],
  ],
  [
    "Mr Henry Bellamy",
    "M/- HR Bellamy",
    "person",
    [
      ["initial", "Henry", "HR", 21],
      ["title", "Mr", "M", 0],
    ],
  ],
  [
    "www.acme.au",
    "www.bolt.au Pty Ltd",
    undefined,
    [
      ["different_token", "www.acme.au", "www.bolt.au", 63],
      ["legal_form", "", "Pty Ltd", 10],
    ],
  ],
  [
    "Acme North NSW",
    "Acme Nth NSW",
    "person",
    [
      ["different_token", "North NSW", "Nth NSW", 28],
      ["order", "Acme North NSW", "Acme Nth NSW", 0],
    ],
  ],
])("of %j and %j", (submitted, held, kind, differences) => {
  expect(told(submitted, held, kind)).toEqual(differences);
});

/** The differences and their words, without points. */
test.each<[what: string, submitted: string, held: string, kind: NameKind | undefined, differences: string[]]>([
  ["a bracket is not cut off", "ACT Fenwick", "Fenwick (ACT)", "org", ["order: ACT Fenwick / Fenwick (ACT)"]],
  ["a sign without spaces stands by itself", "G and L Corbury", "G&L Corbury", "org", ["and_symbol: and / &"]],
  [
    "the other holder, without the joining word",
    "Brian and Sharon Corbury",
    "Sharon Corbury",
    "joint",
    ["joint_holder: Brian / "],
  ],
  ["the other holder at the bank", "Sharon Corbury", "Brian and Sharon Corbury", "joint", ["joint_holder:  / Brian"]],
  [
    "a surname that is written twice",
    "RG & H Corbury",
    "Raymond Grace Corbury & Helen Corbury",
    "joint",
    [
      "initial: RG / Raymond Grace",
      "initial: H / Helen",
      "missing_token:  / Corbury",
      "order: RG & H Corbury / Raymond Grace Corbury & Helen Corbury",
    ],
  ],
  [
    "two names of each fund",
    "The Trustee for the Bolt & Fenn Family Trust",
    "Trustee for the Quill and Roe Family Trust",
    "org",
    ["different_token: the Bolt / Quill", "different_token: Fenn / Roe", "and_symbol: & / and"],
  ],
  ["one fact for two relations of the same words", "Red St", "Red Stt", undefined, ["different_token: St / Stt"]],
  [
    "words that are beside two different ones",
    "Zorpi Pty Ltd ATF The Zorpi Trust",
    "Acme Lea Pty Ltd atf The Lea Trust",
    "org",
    ["different_token: Zorpi / Acme Lea", "different_token: Zorpi / Lea"],
  ],
  [
    "each holder by itself",
    "Jonathan Beach",
    "Jonathan Beach & Bernie Quinn & Richard Harris",
    "joint",
    ["joint_holder:  / Bernie Quinn", "joint_holder:  / Richard Harris"],
  ],
  [
    "an accent on every word, in another order",
    "Thi Huong Fenlo",
    "Fenlố Thị Hương",
    "person",
    ["order: Thi Huong Fenlo / Fenlố Thị Hương", "diacritic: Thi Huong Fenlo / Fenlố Thị Hương"],
  ],
  ["an accent that both have", "Zoë Quince", "Zoë Quince Bolt", undefined, ["missing_token:  / Bolt"]],
  ["a look-alike letter in one of two words", "Ig0r Quince", "Igor Quince", "person", ["homoglyph: Ig0r / Igor"]],
  [
    "look-alike letters in two words",
    "Ig0r Sech1n",
    "Igor Sechin",
    "person",
    ["homoglyph: Ig0r / Igor", "homoglyph: Sech1n / Sechin"],
  ],
  [
    "the sign between holders in another order",
    "Jan & John Corbury",
    "John and Jan Corbury",
    "joint",
    ["order: Jan & John Corbury / John and Jan Corbury", "and_symbol: & / and"],
  ],
  [
    "an invisible letter beside another difference",
    "Jo Quin\u200bce Bolt",
    "Jo Quince Fenn",
    "person",
    ["different_token: Bolt / Fenn", "formatting: Jo Quin\u200bce Bolt / Jo Quince Fenn"],
  ],
  [
    "the trustee and the article",
    "The Trustee for the Fenn Forum Trust",
    "Lane Pty Ltd as Trustee for the Fenn Forum Trust",
    "org",
    ["trustee:  / Lane Pty Ltd as", "extra_token: The / "],
  ],
  ["one of two initials", "R & R Corbury", "Raymond Corbury", "joint", ["joint_holder: R / ", "initial: R / Raymond"]],
  ["letters that look alike only as digits", "B J Grylls", "B J Grylis", "org", ["typo: Grylls / Grylis"]],
  [
    "letters behind the name that are a legal form elsewhere",
    "Mr Allan Fenn",
    "Mr Alan Fenn AO",
    "person",
    ["typo: Allan / Alan", "title:  / AO"],
  ],
  ["what the account is for, behind the form", "Acme P/L Account", "Acme P/L", "org", ["extra_token: Account / "]],
  ["a title that is not one", "Jo Mr", "Jo Mrr", undefined, ["different_token: Mr / Mrr"]],
  [
    "the form as one",
    "Boronia Tiles Proprietary Limited",
    "Boronia Tiles Pty Ltd",
    "org",
    ["legal_form: Proprietary Limited / Pty Ltd"],
  ],
  [
    "accents and a typing error",
    "Zoë Quince & Renée Bolt",
    "Zoe Quince & Renee Bolt",
    "joint",
    ["diacritic: Zoë … Renée / Zoe … Renee"],
  ],
  ["initials apart and together", "J R Quince Pty Ltd", "JR Quince Pty Ltd", "org", ["spacing: J R / JR"]],
  ["a title with a dot and one without", "Mister Jo Quince", "Mr Jo Quince", "person", ["title: Mister / Mr"]],
  [
    "a name that is cut off",
    "Bellbird Regional Angling 7 and Tr",
    "Bellbird Regional Angling 7 and Trawling Club",
    "org",
    ["truncation: Bellbird Regional Angling 7 and Tr / Bellbird Regional Angling 7 and Trawling Club"],
  ],
])("told of %s: %j and %j", (_, submitted, held, kind, differences) => {
  const found = matchNames(submitted, held, kind).differences;
  expect(found.map(({ type, ...words }) => `${type}: ${words.submitted} / ${words.held}`)).toEqual(differences);
});
