import { expect, test } from "vitest";
import { Mark } from "~/modules/name-match/name";
import { foldCode } from "./fold-characters";

/** How Unicode decomposes a character, and the script of its letters. */
test.each<[what: string, character: string, letters: string, mark: number]>([
  ["a letter with an accent", "é", "e", Mark.Latin | Mark.Diacritic],
  ["two letters in one", "ﬁ", "fi", Mark.Latin | Mark.Compatibility],
  ["the first wide letter", "ａ", "a", Mark.Latin | Mark.Compatibility],
  ["the last wide letter", "ｚ", "z", Mark.Latin | Mark.Compatibility],
  ["a letter that no decomposition takes apart", "ø", "o", Mark.Latin | Mark.Diacritic],
  ["a letter that is written as two", "ß", "ss", Mark.Latin | Mark.Diacritic],
  ["a letter of the African alphabet", "ⱡ", "ⱡ", Mark.Latin | Mark.Compatibility],
  ["the sign for number", "№", "no", Mark.Latin | Mark.Compatibility],
  ["the sign for account", "℀", "a c", Mark.Latin | Mark.Compatibility],
  ["a fraction", "½", "1 2", 0],
  ["the first combining accent", "\u0300", "", Mark.Diacritic],
  ["the last combining accent", "\u036f", "", Mark.Diacritic],
  ["an Arabic vowel", "\u064b", "", Mark.Diacritic],
  ["an accent for phonetic writing", "\u1dc0", "", Mark.Diacritic],
  ["an accent by itself", "¨", " ", Mark.Symbol],
  ["the joiner of graphemes", "\u034f", "", Mark.Invisible],
  ["a space without width", "\u200b", "", Mark.Invisible],
  ["a space that does not break", "\u00a0", " ", 0],
  ["an apostrophe", "’", "", 0],
  ["a dot in the middle", "·", " ", 0],
  ["a trade mark", "™", " ", Mark.Symbol],
  ["a service mark", "℠", " ", Mark.Symbol],
  ["a currency", "€", " ", Mark.Symbol],
  ["a picture", "\u{1f600}", " ", Mark.Symbol],
  ["a Cyrillic letter", "Ж", "ж", Mark.Cyrillic],
  ["an old Cyrillic letter", "Ꙁ", "ꙁ", Mark.Cyrillic],
  ["a Greek letter", "Ω", "ω", Mark.Greek],
  ["a Greek letter at the end of a word", "ς", "σ", Mark.Greek | Mark.Diacritic],
  ["a Bactrian letter", "Ϸ", "ϸ", Mark.Greek],
  ["a Chinese character", "田", "田", Mark.OtherScript],
  ["an Armenian letter", "Ա", "ա", Mark.OtherScript],
  ["a Thai letter", "ก", "ก", Mark.OtherScript],
])("%s (%s) is read as %j", (_, character, letters, mark) => {
  const code = character.codePointAt(0) ?? 0;
  expect(foldCode(code)).toEqual({ letters, mark });
});

test("half of a pair of code units separates words", () => {
  for (const code of [0xd800, 0xdbff, 0xdc00, 0xdfff]) expect(foldCode(code)).toEqual({ letters: " ", mark: 0 });
  expect(foldCode(0xe000)).toEqual({ letters: " ", mark: 0 });
});
