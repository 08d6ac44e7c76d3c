import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatBsb, hasUnusualAccountLength, institutionOf, parseBsb, usualAccountLengths } from "./bank-account";
import { BSB_INSTITUTIONS } from "./bsb-institutions";

const bsbs = fc.stringMatching(/^\d{6}$/);

describe("parseBsb", () => {
  test.each([
    ["062-000", "062000"],
    ["062 000", "062000"],
    ["062000", "062000"],
    [" 062 - 000 ", "062000"],
    ["06 20 00", "062000"],
    ["062\u00a0000", "062000"],
    ["062\u2013000", "062000"],
    ["062\u2011000", "062000"],
    ["000000", "000000"],
    ["999-999", "999999"],
  ])("%j is read as %s", (text, bsb) => {
    expect(parseBsb(text)).toBe(bsb);
  });

  test.each([
    "",
    "   ",
    "-",
    "62-000",
    "0620000",
    "062-00",
    "062--000",
    "06-2000",
    "-062000",
    "062000-",
    "062.000",
    "062/000",
    "O62-000",
    "０６２-０００",
    "٠٦٢٠٠٠",
    "062-000x",
    "BSB 062-000",
  ])("%j is refused", (text) => {
    expect(parseBsb(text)).toBeUndefined();
  });

  test("a state digit that no state uses is accepted", () => {
    for (let digit = 0; digit <= 9; digit++) expect(parseBsb(`06${digit}-000`)).toBe(`06${digit}000`);
  });

  test("what is shown is read back unchanged", () => {
    fc.assert(
      fc.property(bsbs, (bsb) => {
        expect(parseBsb(formatBsb(bsb))).toBe(bsb);
      }),
    );
  });

  test("any text gives six ASCII digits or nothing", () => {
    const texts = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[\d -]{4,10}$/));
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseBsb(text) ?? "000000").toMatch(/^[0-9]{6}$/);
      }),
    );
  });
});

describe("formatBsb", () => {
  test("a hyphen stands in the middle", () => {
    expect(formatBsb("062000")).toBe("062-000");
  });

  test("text that is no BSB comes back unchanged", () => {
    expect(formatBsb("12 34")).toBe("12 34");
    expect(formatBsb("")).toBe("");
  });
});

describe("institutionOf", () => {
  test.each([
    ["062-000", "CBA", "Commonwealth Bank of Australia"],
    ["762-123", "CBA", "Commonwealth Bank of Australia"],
    ["012-003", "ANZ", "ANZ Bank"],
    ["032-001", "WBC", "Westpac"],
    ["733-000", "WBC", "Westpac"],
    ["082-057", "NAB", "National Australia Bank"],
    ["484-799", "MET", "Suncorp Bank"],
    ["944-600", "MEB", "ME Bank (Bank of Queensland)"],
    ["923-100", "ING", "ING"],
    ["802-985", "CRU", "Cuscal"],
    ["812-170", "TCU", "Teachers Mutual Bank"],
    ["815-000", "PCU", "Police Bank"],
  ])("%s belongs to %s, %s", (bsb, mnemonic, name) => {
    expect(institutionOf(bsb)).toEqual({ mnemonic, name });
  });

  test("three digits are asked before two", () => {
    expect(institutionOf("255-000")?.name).toBe("BNP Paribas");
    expect(institutionOf("259-000")?.name).toBe("Alex Bank");
    expect(institutionOf("250-000")).toBeUndefined();
  });

  test.each(["", "062", "hello", "980", "995-000", "000-000"])("%j belongs to nobody", (bsb) => {
    expect(institutionOf(bsb)).toBeUndefined();
  });

  test("every prefix answers for each BSB below it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(BSB_INSTITUTIONS)), fc.stringMatching(/^\d{4}$/), (prefix, rest) => {
        const bsb = (prefix + rest).slice(0, 6);
        const [mnemonic, name] = BSB_INSTITUTIONS[bsb.slice(0, 3)] ?? BSB_INSTITUTIONS[prefix] ?? [];
        expect(institutionOf(bsb)).toEqual({ mnemonic, name });
      }),
    );
  });

  test("the table has no name of the object prototype as a prefix", () => {
    expect(institutionOf("constructor")).toBeUndefined();
  });

  test("no three-digit prefix is hidden below a two-digit one of the same institution", () => {
    const redundant = Object.entries(BSB_INSTITUTIONS).filter(
      ([prefix, [, name]]) => prefix.length === 3 && BSB_INSTITUTIONS[prefix.slice(0, 2)]?.[1] === name,
    );
    expect(redundant).toEqual([]);
  });

  test("each prefix has two or three digits, a mnemonic of three letters or none, and a trimmed name", () => {
    for (const [prefix, [mnemonic, name]] of Object.entries(BSB_INSTITUTIONS)) {
      expect(prefix).toMatch(/^\d{2,3}$/);
      expect(mnemonic).toMatch(/^([A-Z]{3}|T&C)?$/);
      expect(name).toMatch(/^\S(.*\S)?$/);
    }
  });
});

describe("usual account lengths", () => {
  test.each([
    ["062-000", 8, 9],
    ["762-000", 8, 9],
    ["032-000", 6, 9],
    ["732-000", 6, 9],
    ["012-000", 9, 9],
    ["082-000", 9, 9],
    ["182-512", 5, 9],
    ["670-864", 5, 9],
    ["not a BSB", 5, 9],
  ])("%s: %i to %i digits", (bsb, min, max) => {
    expect(usualAccountLengths(bsb)).toEqual({ min, max });
    expect(hasUnusualAccountLength(bsb, "1".repeat(min - 1))).toBe(true);
    expect(hasUnusualAccountLength(bsb, "1".repeat(min))).toBe(false);
    expect(hasUnusualAccountLength(bsb, "1".repeat(max))).toBe(false);
    expect(hasUnusualAccountLength(bsb, "1".repeat(max + 1))).toBe(true);
  });
});
