import { expect, test } from "vitest";
import { Gap, Mark, wordAt } from "~/modules/name-match/name";
import { wordsOf, written } from "../../../../tests/support/names";
import { Limit, readText as read } from "./read-name";

test.each([
  ["Acme Plumbing", ["acme", "plumbing"]],
  ["  ACME   plumbing\t", ["acme", "plumbing"]],
  ["Acme-Plumbing, Pty. (Ltd)", ["acme", "plumbing", "pty", "ltd"]],
  ["O'Hara", ["ohara"]],
  ["O\u2019Hara", ["ohara"]],
  ["Hara`s", ["haras"]],
  ["Bird's & Sons'", ["birds", "and", "sons"]],
  ["A&B", ["a", "and", "b"]],
  ["A &amp; B", ["a", "and", "b"]],
  ["A + B", ["a", "and", "b"]],
  ["+61 phone", ["61", "phone"]],
  ["Acme P/L", ["acme", "p/l"]],
  ["Acme p/l.", ["acme", "p/l"]],
  ["Acme T/As Bolt", ["acme", "t/as", "bolt"]],
  ["Acme A/T/F Bolt", ["acme", "a/t/f", "bolt"]],
  ["M/- Jo Doe", ["m/-", "jo", "doe"]],
  ["C/- Acme", ["c/-", "acme"]],
  ["Day/Night", ["day", "night"]],
  ["a/b", ["a", "b"]],
  ["P/Later", ["p", "later"]],
  ["Café", ["cafe"]],
  ["Cafe\u0301 Roma", ["cafe", "roma"]],
  ["Ａｃｍｅ", ["acme"]],
  ["Ac\u200bme\ufeff", ["acme"]],
  ["Acme\u00a0Plumbing", ["acme", "plumbing"]],
  ["Acme \u{1f600} Plumbing", ["acme", "plumbing"]],
  ["Stra\u00dfe", ["strasse"]],
  ["\ud800Acme", ["acme"]],
  ["\u212aelvin \u0130stan", ["kelvin", "istan"]],
  ["3M", ["3m"]],
  ["", []],
  [" -.,", []],
])("%j is read as %j", (text, words) => {
  expect(wordsOf(read(text))).toEqual(words);
});

test("every word knows where it stands in the text", () => {
  const reading = read(" O'Hara & Caf\u00e9 P/L");
  const slices = reading.words.map((word) => written(reading, word));
  expect(slices).toEqual(["O'Hara", "&", "Caf\u00e9", "P/L"]);
});

test("combining accents belong to the word before them", () => {
  const reading = read("Jose\u0301 Roma");
  expect(written(reading, wordAt(reading, 0))).toBe("Jose\u0301");
});

test("what stands before a word is kept", () => {
  const reading = read("Doe, Jo-Ann (Acme) #3/4 x.y");
  expect(reading.words.map(({ gap }) => gap)).toEqual([
    0,
    Gap.Comma | Gap.Space,
    Gap.Hyphen,
    Gap.Space | Gap.Open,
    Gap.Close | Gap.Space | Gap.Hash,
    Gap.Slash,
    Gap.Space,
    Gap.Dot,
  ]);
});

test.each([
  ["plain", "Acme", Mark.Letter],
  ["digits", "12", Mark.Digit],
  ["comma", "Doe, Jo", Mark.Letter | Mark.Comma],
  ["initials", "J R Doe", Mark.Letter | Mark.InitialRun],
  ["invisible", "Ac\u200bme", Mark.Letter | Mark.Invisible],
  ["symbol", "Acme \u{1f600}", Mark.Letter | Mark.Symbol],
])("a name that is %s is marked so", (_, text, marks) => {
  expect(read(text).marks).toBe(marks);
});

test("accents and scripts are marked", () => {
  expect(read("Zo\u00eb").marks & (Mark.Diacritic | Mark.Latin)).toBe(Mark.Diacritic | Mark.Latin);
  expect(read("\u0418\u0432\u0430\u043d").marks & Mark.Cyrillic).toBe(Mark.Cyrillic);
  expect(read("\u039d\u03af\u03ba\u03bf\u03c2").marks & Mark.Greek).toBe(Mark.Greek);
  expect(read("\u7530\u4e2d").marks & Mark.OtherScript).toBe(Mark.OtherScript);
  expect(read("\uff21").marks & Mark.Compatibility).toBe(Mark.Compatibility);
});

test("reading stops at the most letters and words a name can have", () => {
  expect(read("a".repeat(Limit.Letters - 1)).marks & Mark.TooLong).toBe(0);
  expect(read("a".repeat(Limit.Letters)).marks & Mark.TooLong).toBe(Mark.TooLong);
  expect(read("\u00e9".repeat(Limit.Foreign)).marks & Mark.TooLong).toBe(0);
  const foreign = read("\u00e9".repeat(Limit.Foreign + 50));
  expect(foreign.size).toBe(Limit.Foreign);
  expect(foreign.marks & Mark.TooLong).toBe(Mark.TooLong);
  const many = read("a ".repeat(Limit.Words * 2));
  expect(many.words.length).toBe(Limit.Words);
  expect(many.marks & Mark.TooLong).toBe(Mark.TooLong);
  const signs = read("\u00e9&".repeat(Limit.Words));
  expect(signs.words.length).toBe(Limit.Words);
});
