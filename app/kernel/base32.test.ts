import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase32, toBase32 } from "./base32";

const bytesOf = (text: string) => new TextEncoder().encode(text);

// RFC 4648, section 10, less the padding.
test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%j is written %j and read back", (text, encoded) => {
  expect(toBase32(bytesOf(text))).toBe(encoded);
  expect(fromBase32(encoded)).toEqual(bytesOf(text));
});

test("whatever is written is read back the same", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromBase32(toBase32(bytes))).toEqual(bytes);
    }),
  );
});

test.each(["my", "M1", "MZ=", "M", "MZ", "MY "])("%j is nobody's writing", (text) => {
  expect(fromBase32(text)).toBeUndefined();
});
