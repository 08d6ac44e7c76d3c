import { describe, expect, test } from "vitest";
import { Mark } from "~/modules/name-match/name";
import { wordsOf } from "../../../../tests/support/names";
import { LETTER_BLOCKS } from "../data/letters";
import { matchNames } from "../match-names";
import { foldCode } from "../reading/fold-characters";
import { Limit, readLookAlikes, readName, readText } from "../reading/read-name";
import { isCutOff } from "./compare-names";
import { couldBeRomanised, crossesScripts, soundsOf } from "./other-scripts";
import { looksAlike } from "./spelling";

describe("folding", () => {
  test.each([
    ["\u00e9", "e"],
    ["\u00c5", "a"],
    ["\u00df", "ss"],
    ["\u00d8", "o"],
    ["\u0141", "l"],
    ["\u00e6", "ae"],
    ["\uff21", "a"],
    ["\u2163", "iv"],
    ["\ufb01", "fi"],
    ["\u200d", ""],
    ["\u0301", ""],
    ["\u2019", ""],
    ["\u2014", " "],
    ["\u3000", " "],
    ["\u{1f600}", " "],
    ["\u0416", "\u0436"],
    ["\u7530", "\u7530"],
  ])("%j is folded to %j", (character, folded) => {
    expect(foldCode(character.codePointAt(0) ?? 0).letters).toBe(folded);
  });

  test("a lone surrogate separates words", () => {
    expect(foldCode(0xd800)).toEqual({ letters: " ", mark: 0 });
    expect(foldCode(0xdfff)).toEqual({ letters: " ", mark: 0 });
  });
});

const SCRIPTS: Record<string, RegExp> = {
  Latin: /^\p{Script=Latin}$/u,
  Cyrillic: /^\p{Script=Cyrillic}$/u,
  Greek: /^\p{Script=Greek}$/u,
};

test.each(LETTER_BLOCKS)("from $first to $last there are only letters of script $script", ({ first, last, script }) => {
  const others: string[] = [];
  for (let code = first; code <= last; code++) {
    const letter = String.fromCharCode(code);
    const isOfScript =
      SCRIPTS[script]?.test(letter) ?? !/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(letter);
    if (!/\p{L}/u.test(letter) || !isOfScript) others.push(code.toString(16));
  }
  expect(others).toEqual([]);
});

describe("look-alike letters", () => {
  test.each([
    ["m1ll", "mill", true],
    ["g0ld", "gold", true],
    ["5mith", "smith", true],
    ["burn", "bum", true],
    ["vvood", "wood", true],
    ["8rown", "brown", true],
    ["4cme", "acme", true],
    ["mill", "mill", false],
    ["mall", "mill", false],
    ["2010", "201o", true],
    ["2010", "2011", false],
    ["101", "lol", true],
    ["mills", "m1ll", false],
  ])("%j looks like %j: %s", (a, b, alike) => {
    expect(looksAlike(a, b)).toBe(alike);
    expect(looksAlike(b, a)).toBe(alike);
  });

  test("Cyrillic letters within a Latin name are read as what they imitate", () => {
    const reading = readText("\u0410cme Pty Ltd");
    readLookAlikes(reading, false);
    expect(wordsOf(reading)).toEqual(["acme", "pty", "ltd"]);
    expect(reading.marks & Mark.Homoglyph).not.toBe(0);
  });

  test("a name wholly in Cyrillic keeps its letters unless it is forced", () => {
    const reading = readText("\u0410\u0441\u0435");
    readLookAlikes(reading, false);
    expect(reading.marks & Mark.Homoglyph).toBe(0);
    readLookAlikes(reading, true);
    expect(wordsOf(reading)).toEqual(["ace"]);
  });
});

describe("other scripts", () => {
  test.each([
    ["\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432", "Ivan Petrov", true],
    ["\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432", "Sergei Volkov", false],
    ["\u039d\u03af\u03ba\u03bf\u03c2 \u0394\u03ae\u03bc\u03b1\u03c2", "Nikos Dimas", true],
    ["\uae40\ubbfc\uc218", "Kim Min Su", true],
    ["\u0645\u0631\u064a\u0645 \u0643\u0631\u064a\u0645", "Maryam Karim", true],
    ["\u0645\u0631\u064a\u0645 \u0643\u0631\u064a\u0645", "Joseph Doe", false],
    ["\u05d3\u05d5\u05d3 \u05dc\u05d5\u05d9", "David Levi", true],
    ["\u0930\u093e\u092e \u0936\u0930\u094d\u092e\u093e", "Ram Sharma", true],
    ["\u7530\u4e2d", "Tanaka", true],
  ])("%s could be %s: %s", (a, b, possible) => {
    expect(crossesScripts(readName(a), readName(b))).toBe(true);
    const areSpelled = ((readName(a).marks | readName(b).marks) & Mark.OtherScript) === 0;
    expect(couldBeRomanised(soundsOf(readName(a)), soundsOf(readName(b)), areSpelled)).toBe(possible);
  });

  test.each([
    ["khan ghez quick cool xing cherry", { skeleton: "knkskrknksr", spelled: "kangezkoikkkoolxingkerri" }],
    ["philip vow bob pope", { skeleton: "frf", spelled: "filipfofbobpope" }],
    ["shah zhou jazz tsar czar hertz dzhin", { skeleton: "srksrsn", spelled: "sazooiazztsarkzarertzdzin" }],
    ["thad dhoti lulu hahaha", { skeleton: "tr", spelled: "taddotiloloaaa" }],
    ["aeiouyw assess yuri vuyj", { skeleton: "fsrfs", spelled: "aeiooifassessiorifoii" }],
    ["\ubc15\uc9c0\uc131", { skeleton: "fksnk", spelled: "bakiasang" }],
    ["\uac00\uae4c\ud788\ud55c\uae00\uac12\uc655", { skeleton: "knkrkfnk", spelled: "gakaaangalgapang" }],
    ["\u0429\u0443\u043a\u0438\u043d \u0416\u044f", { skeleton: "skns", spelled: "sokinza" }],
    ["\u03a8\u03b1\u03c7", { skeleton: "fsk", spelled: "psak" }],
    ["\u7530", undefined],
  ])("%s sounds as %j", (name, sounds) => {
    expect(soundsOf(readName(name))).toEqual(sounds);
  });

  test.each([
    ["nnn", "nn", false],
    ["nmrt", "nmtr", true],
    ["nmr", "rmn", false],
    ["nmrt", "nm", false],
    ["nmt", "nmk", false],
    ["nmntnk", "nmntsf", false],
    ["nmnt", "nmn", true],
    ["tmnt", "nmnt", true],
    ["", "", false],
    ["n", "", false],
  ])("%j and %j could be one by their consonants: %s", (skeleton, other, possible) => {
    const [a, b] = [
      { skeleton, spelled: "a" },
      { skeleton: other, spelled: "o" },
    ];
    expect(couldBeRomanised(a, b, false)).toBe(possible);
    expect(couldBeRomanised(b, a, false)).toBe(possible);
    expect(couldBeRomanised(a, b, true)).toBe(false);
  });

  test("two Latin names do not cross scripts, nor do two Greek ones", () => {
    expect(crossesScripts(readName("Zo\u00eb"), readName("Zoe"))).toBe(false);
    expect(crossesScripts(readName("\u039d\u03af\u03ba\u03bf\u03c2"), readName("\u0394\u03ae\u03bc\u03b1\u03c2"))).toBe(
      false,
    );
  });
});

describe("cut-off names", () => {
  const full = "Greater Bellbird Regional Orchestra Society";
  test.each([
    [full.slice(0, 32), full, true],
    [full.slice(0, 18), full, true],
    [full.slice(0, 30), full, true],
    [full.slice(0, 24), full, false],
    [full.slice(0, 7), full, false],
    [full, full, false],
    ["Greater Bellbird Zonal Orchestra", full, false],
  ])("%j is %j cut off: %s", (short, long, cut) => {
    expect(isCutOff(readName(short), readName(long))).toBe(cut);
  });

  test.each([
    ["at the width of a field, behind a word", "Bellbird Angling", "Bellbird Angling Club", true],
    ["at the width of a field, within a word", "Bellbird Angle C", "Bellbird Angle Club", true],
    ["at no width of a field", "Bellbird Anglin", "Bellbird Angling Club", false],
    ["of one word", "Bellbirdanglings", "Bellbirdanglingsclub", false],
    ["of few letters", "B 1. . . . . . e", "B 1 early", false],
    ["of just enough letters", "Bell. . . . bird", "Bell birds", true],
    ["of as many letters", "Bellbird Angling", "Bellbird-Angling", false],
    ["long, within a word", "Bellbird Angling Club of Warr", "Bellbird Angling Club of Warragul", true],
    [
      "long, within a word, as short as can be",
      "Bellbird Angling Club of War",
      "Bellbird Angling Club of Warragul",
      true,
    ],
    ["long, behind a word", "Bellbird Angling Club of Yass", "Bellbird Angling Club of Yass Inc", false],
    ["long, of other letters", "Bellbird Angling Club of Warr", "Bellbird Anglers Club of Warragul", false],
    ["too short for a cut within a word", "Bellbird Angling Club of Wa", "Bellbird Angling Club of Warragul", false],
  ])("a name is cut off: %s", (_, short, long, cut) => {
    expect(isCutOff(readName(short), readName(long))).toBe(cut);
    expect(isCutOff(readName(long), readName(short))).toBe(cut);
  });
});

test.each([
  ["behind a word", "Bellbird Angling", "Bellbird Angling Club", false],
  ["within a word", "Bellbird Angle C", "Bellbird Angle Club", true],
  ["long, within a word", "Bellbird Angling Club of Warr", "Bellbird Angling Club of Warragul", true],
])("where the rest explains itself, only a cut within a word counts: %s", (_, short, long, cut) => {
  expect(isCutOff(readName(short), readName(long), true)).toBe(cut);
});

describe("texts longer than any name", () => {
  const long = `${"Acme & Bolt ".repeat(120)}`;

  test("are the same when their letters are", () => {
    expect(long.length).toBeGreaterThan(Limit.Text);
    const result = matchNames(long, long.toUpperCase().replaceAll("&", "and"));
    expect(result).toMatchObject({ score: 97, matchType: "exact", differences: [{ type: "formatting" }] });
  });

  test("are different when one letter differs", () => {
    const result = matchNames(`${long}x`, long);
    expect(result).toMatchObject({ score: 0, matchType: "none", differences: [{ type: "different_token" }] });
  });

  test("are different when their first letter differs, and when one goes on", () => {
    expect(matchNames(`Z${long}`, long).matchType).toBe("none");
    expect(matchNames(`${long}${long}`, long).matchType).toBe("none");
    expect(matchNames(`(1) ${long}`, `1. ${long}`).matchType).toBe("exact");
    expect(matchNames(`\u00e9${long}`, `E${long}`).matchType).toBe("none");
  });

  test("are nobody's when they have no letters", () => {
    expect(matchNames(" ".repeat(2000), " ".repeat(3000)).matchType).toBe("none");
  });
});
