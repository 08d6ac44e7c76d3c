import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { skeletonOf } from "./confusables";

describe("skeletonOf", () => {
  test.each([
    ["acrne", "acme"],
    ["vvestpac", "westpac"],
    ["clarkson", "darkson"],
    ["g00gle", "google"],
    ["app1e", "apple"],
    ["paypai", "paypal"],
    ["5uncorp", "suncorp"],
    ["раураl", "paypal"],
    ["аррӏе", "apple"],
    ["gооgle", "google"],
    ["αcmε", "acme"],
    ["bücher", "bucher"],
    ["łódź", "lodz"],
    ["ɡoogle", "google"],
    ["ａｃｍｅ", "acme"],
    ["ас\u0433ne", "acrne"],
  ])("%s looks like %s", (text, other) => {
    expect(text).not.toBe(other);
    expect(skeletonOf(text)).toBe(skeletonOf(other));
  });

  test.each([
    ["acme", "acne"],
    ["smith", "smyth"],
    ["group1", "group2"],
    ["nab", "anz"],
    ["east", "west"],
  ])("%s does not look like %s", (text, other) => {
    expect(skeletonOf(text)).not.toBe(skeletonOf(other));
  });

  test("a skeleton made of letters that stand for themselves is the text", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[abdefghjkmopqstuwxyz]*$/), (text) => {
        expect(skeletonOf(text)).toBe(text);
      }),
    );
  });

  test("replacing any letter by one that looks like it leaves the skeleton as it was", () => {
    const twins: Readonly<Record<string, string>> = { a: "а", c: "с", e: "е", o: "0", p: "р", l: "1", x: "х", s: "5" };
    fc.assert(
      fc.property(fc.stringMatching(/^[acelopsx]{1,20}$/), fc.nat(), (text, seed) => {
        const at = seed % text.length;
        const disguised = text.slice(0, at) + twins[text.charAt(at)] + text.slice(at + 1);
        expect(disguised).not.toBe(text);
        expect(skeletonOf(disguised)).toBe(skeletonOf(text));
      }),
    );
  });
});
