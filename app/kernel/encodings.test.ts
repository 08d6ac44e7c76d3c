import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, fromBase32, fromBase64Url, toBase32, toBase64Url, toHex } from "./encodings";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const bytes = fc.uint8Array({ maxLength: 100 });

describe("base64url", () => {
  // RFC 4648, section 10, without the padding.
  test.each([
    ["", ""],
    ["f", "Zg"],
    ["fo", "Zm8"],
    ["foo", "Zm9v"],
    ["foob", "Zm9vYg"],
    ["fooba", "Zm9vYmE"],
    ["foobar", "Zm9vYmFy"],
  ])("%j is %s", (text, encoded) => {
    expect(toBase64Url(bytesOf(text))).toBe(encoded);
  });

  test("the two letters of the URL alphabet are used", () => {
    expect(toBase64Url(new Uint8Array([0xfb, 0xff, 0xbf]))).toBe("-_-_");
  });

  test("Node encodes the same, and every value comes back", () => {
    fc.assert(
      fc.property(bytes, (value) => {
        const encoded = toBase64Url(value);
        expect(encoded).toBe(Buffer.from(value).toString("base64url"));
        expect(fromBase64Url(encoded)).toEqual(value);
      }),
    );
  });

  test.each(["Zg==", "Z", "Zm9vY", "Zm9v\n", " Zg", "Zm9+", "Zm9/", "Zh", "Zm9", "é", "😀"])(
    "%j is refused",
    (text) => {
      expect(fromBase64Url(text)).toBeUndefined();
    },
  );

  test("whatever is accepted has no other spelling", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w-]{0,12}$/), (text) => {
        const value = fromBase64Url(text);
        fc.pre(value !== undefined);
        expect(value && toBase64Url(value)).toBe(text);
      }),
    );
  });
});

describe("base32", () => {
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
});

test("hexadecimal is lower case and as Node writes it", () => {
  expect(toHex(new Uint8Array([0, 10, 255]))).toBe("000aff");
  fc.assert(
    fc.property(bytes, (value) => {
      expect(toHex(value)).toBe(Buffer.from(value).toString("hex"));
    }),
  );
});

test.each([
  [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
  [{ b: { d: [], c: {} }, a: null }, '{"a":null,"b":{"c":{},"d":[]}}'],
  [{ "9": 1, "10": 2, B: 3, a: 4 }, '{"10":2,"9":1,"B":3,"a":4}'],
  [{ a: undefined }, '{"a":null}'],
  ['a "quoted"\nline', '"a \\"quoted\\"\\nline"'],
  [[1, "2", false, null], '[1,"2",false,null]'],
])("canonical JSON of %j is %s", (value, expected) => {
  expect(canonicalJson(value)).toBe(expected);
});

test("canonical JSON reads back as the same value, whatever order its keys were written in", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});
