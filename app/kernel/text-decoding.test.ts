import { expect, test } from "vitest";
import { decodeBytes } from "./encodings";

const TEXT = "Café Rivière,062-000";
const utf16 = (text: string, isLittle: boolean) => {
  const bytes = isLittle ? [0xff, 0xfe] : [0xfe, 0xff];
  for (let at = 0; at < text.length; at++) {
    const pair = [text.charCodeAt(at) & 0xff, text.charCodeAt(at) >> 8];
    bytes.push(...(isLittle ? pair : pair.reverse()));
  }
  return new Uint8Array(bytes);
};

test.each([
  ["UTF-8", new TextEncoder().encode(TEXT)],
  ["UTF-8 with a byte order mark", new TextEncoder().encode(`\ufeff${TEXT}`)],
  ["Windows-1252", Uint8Array.from(TEXT, (character) => character.charCodeAt(0))],
  ["UTF-16, little end first", utf16(TEXT, true)],
  ["UTF-16, big end first", utf16(TEXT, false)],
])("reads %s", (_, bytes) => {
  expect(decodeBytes(bytes)).toBe(TEXT);
});

test("a euro sign and curly quotes of Windows-1252 are what they were", () => {
  expect(decodeBytes(new Uint8Array([0x80, 0x93, 0x41, 0x94]))).toBe("€“A”");
});
