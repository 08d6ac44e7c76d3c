import { domainToASCII } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodePunycode, toUnicodeDomain } from "./punycode";

describe("decodePunycode", () => {
  // The first rows are samples of RFC 3492, section 7.1.
  test.each([
    ["egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"],
    ["ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"],
    ["3b-ww4c5e180e575a65lsy2b", "3年b組金八先生"],
    ["-> $1.00 <--", "-> $1.00 <-"],
    ["bcher-kva", "bücher"],
    ["80ak6aa92e", "аррӏе"],
    ["ls8h", "💩"],
    ["", ""],
    ["abc-", "abc"],
  ])("%j is %j", (encoded, decoded) => {
    expect(decodePunycode(encoded)).toBe(decoded);
  });

  test.each(["é", "bcher-kv", "bcher-kv!", "99999999", "zzzzzzzzzzzzzzzzzzzz", "9".repeat(59)])(
    "%j is malformed",
    (encoded) => {
      expect(decodePunycode(encoded)).toBeUndefined();
    },
  );

  test("any ASCII gives a text or nothing, without an exception", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{0,63}$/), (encoded) => {
        expect(typeof (decodePunycode(encoded) ?? "")).toBe("string");
      }),
      { numRuns: 2000 },
    );
  });
});

describe("toUnicodeDomain", () => {
  test.each([
    ["acme.com.au", "acme.com.au"],
    ["xn--bcher-kva.example", "bücher.example"],
    ["mail.xn--80ak6aa92e.com", "mail.аррӏе.com"],
    ["xn--é.com", "xn--é.com"],
    ["xn--99999999.com", "xn--99999999.com"],
    [`xn--${"a".repeat(70)}.com`, `xn--${"a".repeat(70)}.com`],
    ["", ""],
  ])("%s is %s", (domain, decoded) => {
    expect(toUnicodeDomain(domain)).toBe(decoded);
  });

  test("what the platform encodes is decoded again", () => {
    const letters = fc.constantFrom(
      ..."abcxyz019àçéñöüßøłāžабвгдежзийклмнопрстуфхцчшщыюяαβγδεζηθικλμνξοπρστυφχψω京北銀行東",
    );
    const labels = fc.array(letters, { minLength: 1, maxLength: 14 }).map((all) => all.join("").normalize("NFC"));
    fc.assert(
      fc.property(labels, (label) => {
        const encoded = domainToASCII(`${label}.example`);
        fc.pre(encoded !== "");
        expect(toUnicodeDomain(encoded)).toBe(`${label}.example`);
      }),
      { numRuns: 500 },
    );
  });
});
