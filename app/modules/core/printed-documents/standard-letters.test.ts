import { expect, test } from "vitest";
import { toStandardLetters } from "./pdf-document";

test.each([
  ["Acme Timber Pty Ltd", "Acme Timber Pty Ltd", true],
  ["Zoë Müller – “Café” €5 •••678", "Zoë Müller – “Café” €5 •••678", true],
  ["Nguyễn Văn Thịnh", "Nguyen Van Thinh", false],
  ["Żółć ŁÓDŹ", "Zólc LÓDZ", false],
  ["株式会社", "????", false],
  ["two\u2009words", "two words", false],
  ["", "", true],
])("%s is written %s", (text, written, isExact) => {
  expect(toStandardLetters(text)).toEqual({ text: written, isExact });
});
