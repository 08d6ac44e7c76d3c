import fc from "fast-check";
import { distance as levenshtein } from "fastest-levenshtein";
import { describe, expect, test } from "vitest";
import { boundedEditDistance } from "./edit-distance";

/** The textbook definition, without the band. */
function editDistance(a: string, b: string): number {
  if (!a || !b) return a.length + b.length;
  const [x, y] = [a.slice(1), b.slice(1)];
  const costs = [editDistance(x, y) + (a[0] === b[0] ? 0 : 1), editDistance(x, b) + 1, editDistance(a, y) + 1];
  if (a[0] === b[1] && a[1] === b[0] && a.length > 1) costs.push(editDistance(a.slice(2), b.slice(2)) + 1);
  return Math.min(...costs);
}

const words = fc.stringMatching(/^[abc]{0,6}$/);
const limits = fc.integer({ min: 0, max: 7 });

describe("boundedEditDistance", () => {
  test.each([
    ["acme", "acme", 2, 0],
    ["acme", "acmes", 2, 1],
    ["acme", "cme", 2, 1],
    ["acme", "acne", 2, 1],
    ["acme", "amce", 2, 1],
    ["acme", "caem", 2, 2],
    ["ca", "abc", 5, 3],
    ["smith", "jones", 2, 3],
    ["a", "abcdef", 2, 3],
    ["", "", 0, 0],
    ["", "ab", 2, 2],
    ["ab", "", 1, 2],
    ["acme", "acne", 0, 1],
  ])("%j to %j within %i is %i", (a, b, limit, edits) => {
    expect(boundedEditDistance(a, b, limit)).toBe(edits);
  });

  test("the definition gives the same, up to the limit", () => {
    fc.assert(
      fc.property(words, words, limits, (a, b, limit) => {
        expect(boundedEditDistance(a, b, limit)).toBe(Math.min(editDistance(a, b), limit + 1));
      }),
      { numRuns: 300 },
    );
  });

  test("the direction makes no difference", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), limits, (a, b, limit) => {
        expect(boundedEditDistance(a, b, limit)).toBe(boundedEditDistance(b, a, limit));
      }),
    );
  });

  test("it is never more than the plain Levenshtein distance, nor less than half of it", () => {
    const texts = fc.stringMatching(/^[a-d]{0,20}$/);
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const edits = boundedEditDistance(a, b, 40);
        expect(edits).toBeLessThanOrEqual(levenshtein(a, b));
        expect(edits * 2).toBeGreaterThanOrEqual(levenshtein(a, b));
      }),
    );
  });
});
