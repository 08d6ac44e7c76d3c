import { expect, test } from "vitest";
import { matchNames } from "../match-names";
import type { MatchType, NameKind } from "../types";

type Case = readonly [what: string, submitted: string, held: string, kind: NameKind | undefined, answer: MatchType];

/**
 * Invented names that differ in the same ways as names in a labelled list, with the answer that a person gave there.
 */
const CASES: readonly Case[] = [
  ["a space and a typing error in the given name", "PA CSE PERRY", "Pace Perry", "person", "fuzzy"],
  ["a name of two words written as one", "BaoKim", "Bao Kim", undefined, "fuzzy"],
  ["a name of two unknown words written as one", "ZorPel", "Zor Pel", undefined, "fuzzy"],
  ["a firm's name of two words written as one", "Zor Care", "ZorCare", undefined, "exact"],
  ["a known given name written in one with the surname", "Peterfendale", "Peter Fendale", undefined, "fuzzy"],
  ["nothing but a space, in words that are no person's", "Zorpercard", "Zorper Card", undefined, "exact"],
  ["nothing but a space, in a company's name", "ZorpIt", "Zorp It", "org", "exact"],
  ["a space within the given name", "Keele Y Corbury", "Keeley Corbury", undefined, "fuzzy"],
  ["letters that are alike only as wholes", "KIMA NA TELO", "KIMA NAUELNA", "person", "none"],
  ["half of a given name", "DO SANG-MI", "DO KY'ONG-MI", undefined, "none"],
  ["the surname first, behind a comma", "CORBURY, Georgia", "Georgia Corbury", undefined, "exact"],
  ["the surname first, though the hint says company", "Allen Corbury", "Corbury, Allen", "org", "exact"],
  ["a given name like another one", "Selena Corbury", "Serena Corbury", "person", "fuzzy"],
  ["a surname like another one", "Larry Allison", "Larry Ellison", "person", "fuzzy"],
  ["a given name with one letter more", "Wilh Corbury", "Wil Corbury", undefined, "fuzzy"],
  ["the last letter of a given name", "JOSHUS CORBURY", "Joshua Corbury", "person", "fuzzy"],
  ["three typing errors in two words", "Maeison Ricmhind", "MADISON RICHMOND", "person", "fuzzy"],
  ["one word that is alike, of two", "Tam Tamv", "Tal Tam", "person", "none"],
  ["given names, beside one surname", "Mr Eddy Yip Hang Lee", "John Lee", "person", "none"],
  ["initials for a given name", "Mr P H Corbury", "Mr Paul Corbury", undefined, "fuzzy"],
  ["names before the others", "ABDEL JAMIL MOHAMMAD RASUL AYUB", "MOHAMMAD RASUL AYUB", "person", "fuzzy"],
  ["a surname that is cut off", "Kareem Ben Ali Ben Telkar DR", "Kareem Ben Ali Ben Telkar DRISI", "person", "fuzzy"],
  ["one letter of a given name in Urdu", "عارف علی زاری", "آصف علی زاری", "person", "none"],
  ["one of two holders by initials", "BF and GD Corbury", "Corbury, Brian Francis", undefined, "fuzzy"],
  ["one of two holders, by name", "Corbury, Brian", "BR & C Corbury", undefined, "fuzzy"],
  ["initials of two holders, surname first", "Corbury, D F and H G", "D.F & H.G CORBURY", undefined, "exact"],
  ["holders in another order, one without a given name", "Fenn and Kit Bolt", "Kit Bolt and Fenn", "joint", "fuzzy"],
  ["two holders, surname first", "THORNTON Peter & Jennifer", "Peter & Jennifer Thornton", "joint", "exact"],
  [
    "a couple of whom one is named",
    "Mr & Mrs Ian Robert and Diane Elizabeth Corbury",
    "Mr and Mrs Ian Corbury",
    "joint",
    "fuzzy",
  ],
  ["partners of other firms", "Dibbs Abbott Fenlo", "Abbott Fenlo & Wilson", "org", "none"],
  [
    "a short form, though the hint says two holders",
    "Bolt & Pilots ASsociation",
    "Bolt & Pilots Assoc",
    "joint",
    "exact",
  ],
  ["the first letters, one joining word left out", "BBA", "Bellbird Bank of Australia", "org", "fuzzy"],
  ["first letters that are only some of the words", "AWB Services Limited", "Albury Wool Board", "org", "none"],
  ["a place in brackets", "Zorpa", "Zorpa (los Dunmont)", undefined, "fuzzy"],
  ["a state behind the form", "Fendale Zorp Ltd NSW", "FENDALE Zorp Ltd", "org", "fuzzy"],
  ["a common word", "Dubbo Council", "Dubbo City Council", "org", "fuzzy"],
  ["a company and a trust", "Xa - The - Fia Pty Ltd", "XA The Fia Family Trust", "org", "none"],
  ["a spelling of another country", "International Labour Office", "International Labor Office", "org", "fuzzy"],
  ["a state in short", "Fenlo Plumbing Division Victoria", "Fenlo - Plumbing Division VIC", "org", "exact"],
  ["a space before a short form of a place", "MBANT", "MBA NT", undefined, "exact"],
  ["a letter and a digit, exchanged", "3M Tiles", "M3 Tiles", "org", "none"],
  ["the first of three names of a firm", "Corbury Dunmont Peldale", "Corbury", "org", "fuzzy"],
  ["a trading name", "Tim Corbury T/A Brolga Tiles", "Tim Corbury", "trading", "fuzzy"],
  [
    "a person and a company of that name, or a business without its form",
    "Bernard H Corbury",
    "Bernard H Corbury Pty Ltd",
    "org",
    "fuzzy",
  ],
  ["a trust without the form that its name has", "Smith Family Trust", "Smith Family Trust Pty Ltd", "org", "fuzzy"],
  ["a longer trust without it", "Kestrel Family Trust Limited", "Kestrel Family Trust", undefined, "fuzzy"],
  ["a fund without it", "Acme Super Fund", "Acme Super Fund Pty Ltd", undefined, "fuzzy"],
  ["a trust and the company of that name", "Smith Family Trust", "Smith Family Pty Ltd", "org", "none"],
  ["a slip of two letters beside a group word", "Jobson Holdings Pty Ltd", "Joben Holdings Pty Ltd", "org", "fuzzy"],
  ["what the account is for", "Corbury & Dunmont Trust Account", "Corbury and Dunmont", "org", "fuzzy"],
  ["the article at the end, and the form", "Gandel Group Limited, The", "The Gandel Group Pty Ltd", "org", "fuzzy"],
  ["a word like another one", "Australasian Tile Workers Union", "Australian Tile Workers Union", "org", "fuzzy"],
  ["a typing error beside a word for young people", "Fendal Club Jnr", "Fendale Club Jnr", "org", "fuzzy"],
  ["a suburb that is a given name too", "Lifeline", "Lifeline Elizabeth", undefined, "fuzzy"],
  ["a letter lost in a single short word", "Zoe", "oe", undefined, "none"],
  ["a typing error behind a title", "Mr Belamy", "Mr Bellamy", undefined, "fuzzy"],
  ["two letters behind a digit", "Fenn 3A Tiles", "Fenn 3B Tiles", "org", "none"],
  [
    "a bracket behind a name that only tells what a firm does",
    "Tiling Pty Ltd",
    "Tiling Pty Ltd (Zorp)",
    "org",
    "none",
  ],
  ["a bracket behind a name", "Zorp Inc", "Zorp Inc (Juniors)", "org", "fuzzy"],
  ["a bracket behind two common words", "Tiling Services Pty Ltd", "Tiling Services Pty Ltd (Juniors)", "org", "fuzzy"],
  ["a word before the bracket too", "Zorp Pty Ltd", "Zorp Fendale Pty Ltd (Juniors)", "org", "none"],
  ["the first letters of three words", "NPC", "Northern Paddlers Club", "org", "fuzzy"],
  ["the first letters of two words", "FP", "Fendale Paddlers", "org", "fuzzy"],
  ["the first letters and one more", "NPCX", "Northern Paddlers Club", "org", "none"],
  ["the first letters of all words but the last", "NPC", "Northern Paddlers Club Zorp", "org", "none"],
  ["one letter for a word that is none of its forms", "I", "III", "org", "none"],
  ["another name at birth", "Odette Corbury née Quince", "Odette Corbury née Marlow", "person", "fuzzy"],
  [
    "the same name at birth, told otherwise",
    "Odette Corbury née Quince",
    "Odette Corbury formerly Quince",
    "person",
    "exact",
  ],
  ["a name at birth of two words", "Odette Corbury née Quince Marlow", "Odette Corbury née Quince", "person", "fuzzy"],
  ["a name at birth that goes on", "Odette Corbury née Quince", "Odette Corbury née Quince Marlow", "person", "fuzzy"],
  [
    "the second word of a name at birth",
    "Odette Corbury née Quince Fenlo",
    "Odette Corbury née Quince Marlow",
    "person",
    "fuzzy",
  ],
  ["a hyphen or none", "Ann-Marie Corbury", "AnnMarie Corbury", "person", "exact"],
  ["none or a hyphen", "AnnMarie Corbury", "Ann-Marie Corbury", "person", "exact"],
  ["the short form of a second name", "Bob Corbury", "Ian Robert Corbury", "person", "fuzzy"],
  ["another spelling of a second name", "Steven Corbury", "Ian Stephen Corbury", "person", "fuzzy"],
  ["two letters of a word of five", "Fenn Sirta Tiles", "Fenn Sisto Tiles", "org", "none"],
  ["two known surnames that begin alike", "Chen Corbury-shek", "Chiang Corbury-shek", undefined, "none"],
  ["a space within a given name that nothing knows", "Zorpange Lia Purcell", "ZORPANGELIA PURCELL", undefined, "exact"],
  ["the first word of a firm, a given name behind it", "Rowe Jon", "Rowe", "org", "fuzzy"],
  ["a unit trust and a fund", "Fenn Corbury Unit Trust", "Fenn Corbury Super Fund", "org", "none"],
  ["a place where the other has a number", "Account 1 Fenn", "Account A Fenn", "org", "none"],
];

test.each(CASES)("%s: %j for %j", (_, submitted, held, kind, answer) => {
  expect(matchNames(submitted, held, kind).matchType).toBe(answer);
});

test.each([
  ["Harbour Joinery", "Harbour Joinery Pty Ltd"],
  ["Smith Family Trust", "Smith Family Trust Pty Ltd"],
  ["Kestrel Family Trust", "Kestrel Family Trust Pty Ltd"],
  ["Acme Super Fund", "Acme Super Fund Pty Ltd"],
  ["RSPCA", "RSPCA Pty Ltd"],
])("a missing legal form has one price and one sentence: %s beside %s", (submitted, held) => {
  for (const [a, b, side] of [
    [submitted, held, "held"],
    [held, submitted, "submitted"],
  ] as const) {
    const { score, differences } = matchNames(a, b);
    expect(score).toBe(91);
    expect(differences).toMatchObject([{ type: "legal_form", points: 9, [side]: "Pty Ltd" }]);
  }
});
