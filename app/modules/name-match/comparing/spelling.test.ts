import fc from "fast-check";
import { distance } from "fastest-levenshtein";
import { expect, test } from "vitest";
import {
  commonPrefix,
  countSlips,
  haveLikeConsonants,
  isPlural,
  leastEdits,
  lettersIn,
  MAX_WORD,
  soundsAlike,
} from "./spelling";

test.each([
  ["acme", "acme", 3, 0],
  ["acme", "acne", 3, 1],
  ["acme", "amce", 3, 1],
  ["acme", "acm", 3, 1],
  ["acme", "xacme", 3, 1],
  ["plumbing", "pluming", 3, 1],
  ["abcdef", "fedcba", 2, 3],
  ["abc", "xyz", 1, 2],
  ["", "abc", 3, 3],
  ["kitten", "sitting", 3, 3],
  ["ab", "abcdef", 2, 3],
])("%j and %j within %d are %d edits apart", (a, b, limit, count) => {
  expect(countSlips(a, b, limit)).toBe(count);
});

test("words longer than any word are never slips of each other", () => {
  expect(countSlips("a".repeat(MAX_WORD + 1), "a".repeat(MAX_WORD), 3)).toBe(4);
  expect(countSlips("a".repeat(MAX_WORD), `${"a".repeat(MAX_WORD - 1)}b`, 3)).toBe(1);
});

test("two slips that are too far apart are no slips of one word", () => {
  const middle = "m".repeat(29);
  expect(countSlips(`a${middle}b`, `c${middle}d`, 2)).toBe(2);
  expect(countSlips(`a${middle}mb`, `c${middle}md`, 2)).toBe(3);
});

const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 9 });

test("a swap of neighbours is the only thing it counts below the plain edit distance", () => {
  fc.assert(
    fc.property(letters, letters, (a, b) => {
      const plain = distance(a, b);
      const counted = countSlips(a, b, 20);
      expect(counted).toBeLessThanOrEqual(plain);
      expect(plain).toBeLessThanOrEqual(2 * counted);
      expect(countSlips(b, a, 20)).toBe(counted);
      expect(countSlips(a, b, 2)).toBe(Math.min(counted, 3));
      expect(leastEdits(lettersIn(a), lettersIn(b))).toBeLessThanOrEqual(counted);
    }),
  );
});

test.each([
  ["service", "services", true],
  ["box", "boxes", true],
  ["company", "companies", true],
  ["bus", "buses", true],
  ["ferro", "ferries", false],
  ["party", "partoes", false],
  ["party", "partiis", false],
  ["dyson", "diesons", false],
  ["service", "served", false],
  ["as", "ass", false],
  ["tile", "style", false],
  ["company", "companion", false],
  ["gas", "gases", true],
  ["tileer", "tiles", false],
])("%j and %j differ only in number: %s", (a, b, plural) => {
  expect(isPlural(a, b)).toBe(plural);
  expect(isPlural(b, a)).toBe(plural);
});

test.each([
  ["smith", "smyth", true],
  ["stevens", "stephens", true],
  ["petersen", "peterson", true],
  ["green", "greene", true],
  ["brown", "browne", true],
  ["macintosh", "mcintosh", true],
  ["katz", "cats", true],
  ["pearce", "pierce", true],
  ["neil", "neale", true],
  ["nicols", "nicholls", true],
  ["smith", "smits", false],
  ["brown", "braun", false],
  ["green", "gron", false],
  ["hunt", "hurt", false],
  ["harris", "harrison", false],
])("%j and %j sound alike: %s", (a, b, alike) => {
  expect(soundsAlike(a, b)).toBe(alike);
  if (alike) expect(haveLikeConsonants(lettersIn(a), lettersIn(b))).toBe(true);
});

test("the shared start of two words is counted", () => {
  expect(commonPrefix("accounting", "accountants")).toBe(7);
  expect(commonPrefix("abc", "abcd")).toBe(3);
  expect(commonPrefix("x", "y")).toBe(0);
});

test("of these words, those in one line are said alike and no others", () => {
  const words = [
    "smith",
    "smyth",
    "smithe",
    "smit",
    "mcrae",
    "macrae",
    "makrae",
    "mack",
    "mac",
    "mc",
    "mca",
    "maca",
    "phil",
    "fil",
    "vil",
    "pil",
    "quick",
    "kwick",
    "kuick",
    "zara",
    "sara",
    "hahn",
    "han",
    "ahn",
    "neil",
    "neal",
    "neel",
    "neyl",
    "nel",
    "peterson",
    "petersen",
    "petersan",
    "sen",
    "son",
    "senn",
    "eve",
    "ev",
    "eev",
    "lie",
    "li",
    "ly",
    "lei",
    "anne",
    "ann",
    "an",
    "ane",
    "abbott",
    "abot",
    "abbbott",
    "jie",
    "ji",
    "jiee",
    "stephens",
    "stevens",
    "stevenson",
    "psychic",
    "sikik",
  ];
  const lines = words.map((a) => [a, words.filter((b) => a < b && soundsAlike(a, b))] as const);
  expect(lines.flatMap(([a, alike]) => (alike.length === 0 ? [] : [`${a}: ${alike.join(" ")}`]))).toEqual([
    "smith: smyth smithe",
    "smithe: smyth",
    "smit: smith smyth smithe",
    "macrae: mcrae makrae",
    "makrae: mcrae",
    "mac: mack",
    "phil: vil",
    "fil: phil vil",
    "kuick: quick",
    "sara: zara",
    "hahn: han",
    "ahn: anne ann an ane",
    "neil: neyl",
    "neal: neil neel neyl",
    "neel: neil neyl",
    "petersen: peterson",
    "sen: son",
    "ev: eve",
    "lie: ly",
    "li: lie ly",
    "lei: lie li ly",
    "ann: anne",
    "an: anne ann ane",
    "ane: anne ann",
    "abbott: abot",
    "abbbott: abbott abot",
    "jie: jiee",
    "ji: jie jiee",
    "stephens: stevens",
  ]);
});

test("of these words, only these are plurals of each other", () => {
  const words = [
    "fly",
    "flies",
    "fli",
    "flis",
    "flyes",
    "flie",
    "flieds",
    "tile",
    "tiles",
    "tilees",
    "til",
    "bus",
    "buses",
    "buss",
    "bu",
    "boy",
    "boys",
    "boies",
    "cla",
    "class",
    "classes",
    "klies",
    "bf",
    "bfs",
  ];
  const pairs = words.flatMap((a) => words.filter((b) => a < b && isPlural(a, b)).map((b) => `${a} ${b}`));
  expect(pairs).toEqual([
    "fly flyes",
    "flies fly",
    "fli flies",
    "fli flis",
    "flie flies",
    "tile tiles",
    "tile tilees",
    "til tiles",
    "bus buses",
    "bus buss",
    "boy boys",
    "boies boy",
    "class classes",
  ]);
});
