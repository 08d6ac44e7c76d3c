import { expect, test } from "vitest";
import { scoreNames } from "../match-names";
import { PreparedName } from "../prepared-name";
import { CharacterFolder } from "../reading/fold-characters";
import { Context } from "./context";
import { isRuledOut } from "./rule-out";

const folder = new CharacterFolder();

function seen(text: string): PreparedName {
  const name = new PreparedName(folder);
  name.read(text);
  return name;
}

const RULED_OUT: [string, string][] = [
  ["Jo Bellamy", "Kit Quince"],
  ["Jo Bellamy", "Jo Quince"],
  ["Acme Tiles Pty Ltd", "Zorp Foods Pty Ltd"],
  ["Acme Tiles Pty Ltd", "Acme Foods Pty Ltd"],
  ["Acme Tiles & Sons Pty Ltd", "Zorp Foods and Farms Ltd"],
  ["Acme Pty Ltd T/A Bolt", "Zorp Pty Ltd T/A Nut"],
  ["Acme Tiles (Bolt)", "Zorp Foods (Nut)"],
  ["Mr Bellamy", "Mr Quince"],
  ["Grilled Ltd", "Zorp Ltd"],
  ["Perth Australia", "Hobart Australian"],
  ["Zorbetta", "J ty Ltd ATF Quince Limited Roe"],
  ["A", "J"],
  ["A", "Clubs II"],
  ["Zorbeta Nutt", "Rent Zorp 5"],
];

/** Each pair is kept for another reason: what can make its words, or the names as wholes, one. */
const KEPT: [string, string, string][] = [
  ["equal words", "Bellamy", "Kit Bellamy"],
  ["a typing error", "Bellamy", "Belamy"],
  ["three typing errors in a long word", "Bellinghamson", "Bllinghmsn"],
  ["said alike", "Smythe", "Smith"],
  ["said alike, with other letters", "Phillips Kit", "Fillipz Kit"],
  ["forms of one given name", "Bob", "Robert"],
  ["an initial", "J", "Jim"],
  ["one of two initials", "MJ Bellamy", "John Bellamy"],
  ["an initial of a name in brackets", "Acme (J)", "Jolt"],
  ["look-alike letters", "Burn", "Bum"],
  ["a digit for a letter", "B0b Roe", "Bob Roe"],
  ["digits for letters", "8o110m", "Bollom"],
  ["another meaning of a short form", "Main St", "Main Street"],
  ["a place and what belongs to it", "Australian", "Australia"],
  ["a Roman and an Arabic number", "II", "2"],
  ["written apart", "Life Line", "Zorp Lifeline"],
  ["a long beginning", "Accounting", "Accountants"],
  ["a plural", "Fly", "Flies"],
  ["a familiar form", "Gwennie", "Gwendolyn"],
  ["an acronym", "BAC", "Tenterfield Angling Club of Bendigo"],
  ["an acronym beside a registered number", "BAC 12345678901", "Bellbird Angling Club"],
  ["an acronym beside a form", "BAC Pty Ltd", "Bellbird Angling Club"],
  ["an acronym in brackets", "Zorp (BAC)", "Bellbird Angling Club"],
  ["an acronym with a digit that looks like a letter", "3MC", "Eastern Mail Club"],
  ["one word of two", "Mar Ybellamy", "Maryb Ellamy"],
  ["spaces in the wrong place", "Ann Ybellamy", "Anny Bellamy"],
  ["spaces in the wrong place, before another name", "Ann Ybellamy formerly Acme Ltd", "Anny Bellamy"],
  ["one of two parts", "Zorp Foods T/A Bolt", "Bolt"],
  ["one of two parts, in a bracket", "Zorp Foods (Bolt)", "Acme T/A Bolt"],
  ["one of two holders", "Jo Roe & Kit Doe", "Jo Roe"],
  ["one of three holders", "Jo Roe & Kit Doe or Al Fry", "Al Fry"],
  ["one holder and others", "Bellamy others & Kit", "Jo Bellamy"],
  ["a holder who shares a surname", "J & Mary Bellamy", "James Peter Bellamy"],
  ["spaces in the wrong place beside digits", "for as Energy 12345678901 corp", "jfor as nNergy12345678901 corp"],
  ["spaces in the wrong place in the name of a holder", "Ann Ybellamy & Kit Quince", "Anny Bellamy & Al Fry"],
  ["a typing error in the form of one of two parts", "J ty Ltd ATF Quince Limited Roe", "Jacques"],
  ["a typing error beside half of the form", "Acme Lmited Pty", "Acme Pty Ltd"],
  ["a number with its sign", "Bellamy No 1", "1 Bellamy Quince"],
  ["a name that is cut off", "Bellamy Q", "Bellamyq Kit Roe"],
  ["another script", "\u0418\u0432\u0430\u043d", "Kit Quince"],
  ["letters that imitate others", "\u0410cme", "Kit Quince"],
  ["nothing but a joining word", "and", "and"],
  ["one Chinese character of four", "高石早苗", "高市早苗"],
  ["a short form of a state", "Queensland Cotton", "QLD Cotton Corporation"],
  ["a word in letters that imitate others, behind the same words", "Acme Holding", "Acme Holding \u0410cme"],
  ["one of a couple, the surname first", "Mr & Mrs Willy Fenn", "Fenn, William"],
  ["more words than are looked at", `Acme ${"xyz ".repeat(35)}`, "Kit Quince"],
];

const isOut = (a: string, b: string) => isRuledOut(seen(a), seen(b), new Context());

test.each(RULED_OUT)("%j and %j are ruled out", (a, b) => {
  expect([isOut(a, b), isOut(b, a)]).toEqual([true, true]);
});

test.each(KEPT)("names with %s are compared: %j and %j", (_, a, b) => {
  expect([isOut(a, b), isOut(b, a)]).toEqual([false, false]);
});

/** Names that differ from each other in one thing at a time, so that each condition decides about some pair of them. */
const NEAR = [
  "Acme",
  "Acne",
  "Acm",
  "Amce",
  "Axxe",
  "Akme Tiles",
  "Acme Tiles Pty Ltd",
  "Acme Tilers",
  "Tile Acme Ltd",
  "Tlie Zorp",
  "Zorp Titles of Acme",
  "A Tiles",
  "AT",
  "A T Zorp",
  "AZT Pty",
  "Zorp",
  "Zrop Ltd",
  "Zorpp (Acme)",
  "Zorbetta",
  "Zobretta Nut",
  "Zorbeta Nutt",
  "Zorbettina & Nut",
  "Zirbatte T/A Nut",
  "John Bellamy",
  "Jon Belamy",
  "Johnny Bell",
  "Joan Bellany",
  "Jhon B",
  "J Bellamy",
  "JB Amy",
  "Mr J Roe",
  "Mrs R Jay",
  "Elizabeth Roe",
  "Betty Rowe",
  "Lisbeth Ro",
  "Roe Liz & J",
  "Smith",
  "Smyth",
  "Schmidt",
  "Smit",
  "Sm1th",
  "Miths",
  "Nathaniel Vance",
  "Nathanial Vants",
  "Natalie Fance",
  "Club 2",
  "Clubs II",
  "Club No 2",
  "Club Two Acme",
  "Australian Club",
  "Australia Tiles",
  "St Roe",
  "Street Acme",
  "Burn Modern",
  "Bum Modem",
  "Lifeline",
  "Life Line",
  "Line",
  "ifeli",
  "ATF Acme",
  "Acme formerly Zorp",
  "Zorp nee Smith",
  "Trustee Acme Trust",
  "Jo Ellen Smith",
  "Joellen Smith",
  "Joe Llensmith",
  "Invoice Smith",
  "Lmited Pty",
  "Acme Ldt Pty",
  "others & Smith",
];

test("a glance tells as many names apart as it can, and none that are alike", () => {
  const context = new Context();
  const names = NEAR.map(seen);
  const ruledOut = names.flatMap((a) => names.filter((b) => isRuledOut(a, b, context)).map((b) => [a, b] as const));
  expect(ruledOut.filter(([a, b]) => scoreNames(a, b).matchType !== "none")).toEqual([]);
  expect(`${ruledOut.length} of ${NEAR.length ** 2}`).toBe("4020 of 4900");
});

test("a name of more words than there was room for is kept whole", () => {
  const many = "abcd efgh ijkl mnop quince";
  expect(seen(many).glance().count).toBe(5);
  expect(isOut(many, "Quince")).toBe(false);
});
