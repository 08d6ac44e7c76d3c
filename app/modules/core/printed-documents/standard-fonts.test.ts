import { PDFDocument, StandardFonts } from "pdf-lib";
import { expect, test } from "vitest";
import { type FontName, widthOfText } from "./standard-fonts";

const ALL_LETTERS = [
  ...Array.from({ length: 0x7e - 0x20 + 1 }, (_, at) => String.fromCodePoint(0x20 + at)),
  ...Array.from({ length: 0xff - 0xa0 + 1 }, (_, at) => String.fromCodePoint(0xa0 + at)),
  ..."€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ",
];

test.each([
  ["Helvetica", StandardFonts.Helvetica],
  ["Helvetica-Bold", StandardFonts.HelveticaBold],
  ["Courier", StandardFonts.Courier],
] as [FontName, StandardFonts][])("every letter of %s is as wide as another library says", async (name, font) => {
  const other = await (await PDFDocument.create()).embedFont(font);
  const widths = ALL_LETTERS.map((letter) => [letter, widthOfText(letter, name, 1000)]);
  expect(widths).toEqual(ALL_LETTERS.map((letter) => [letter, other.widthOfTextAtSize(letter, 1000)]));
});
