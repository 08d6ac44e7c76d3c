import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchNames } from "../match-names";
import type { NameDifference, NameKind, NameMatch } from "../types";
import { writtenWords } from "./comparison";
import { explainDifferences, MAX_REASONS } from "./sentences";

const sentences = (submitted: string, held: string, kind?: NameKind) =>
  explainDifferences(matchNames(submitted, held, kind).differences).map(({ sentence }) => sentence);

const WORDS = [
  ..."Jo J John Jonh Liz Elizabeth Bellamy Belamy O'Hara van Quince Ann A B Acme Acrne Tiles Tile Red".split(" "),
  ..."Pty Ltd P/L Inc & and or T/A ATF the of for Family Trust Super Fund Mr Mrs Dr MP Jnr No No.1 1 two 12".split(" "),
  ..."NSW Qld Queensland Bendigo Holdings Holding Services ( ) , - J.B. A.B.C Life Line Lifeline".split(" "),
  ..."as trustee The c/- nee Invoice Account a/c Department Dept St Street Zoë Zoe \u0410cme Иван 田中".split(" "),
];
const word = fc.constantFrom(...WORDS);
const name = fc
  .tuple(fc.array(word, { maxLength: 8 }), fc.constantFrom(" ", " ", " ", ".", "-"))
  .map(([list, gap]) => list.join(gap));

/** A name with a word removed, added, replaced, cut off, doubled or moved. */
const changed = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), fc.nat(5), word)
  .map(([words, at, to, how, other]) => {
    const from = at % words.length;
    const copy = [...words];
    const [taken = ""] = copy.splice(from, 1);
    if (how === 1) copy.splice(from, 0, taken, other);
    if (how === 2) copy.splice(from, 0, other);
    if (how === 3) copy.splice(from, 0, taken.slice(1));
    if (how === 4) copy.splice(from, 0, taken + taken.slice(-1));
    if (how === 5) copy.splice(to % (copy.length + 1), 0, taken);
    return [words.join(" "), copy.join(" ")] as const;
  });
const pair = fc.oneof(changed, fc.tuple(name, name));
const kind = fc.constantFrom<NameKind | undefined>("person", "org", "joint", "trading", undefined);

/** Words that mean nothing alone, or are part of a legal form or a title. */
const SMALL = new Set(
  "and the of for as at by in on to a an atf trustee trading ta t pty ltd limited p l proprietary hon mr mrs ms miss dr".split(
    " ",
  ),
);
const count = (words: readonly string[], word: string) => words.filter((other) => other === word).length;
const alike = (a: readonly string[], b: readonly string[]) => (word: string) =>
  count(a, word) > 0 && count(a, word) === count(b, word);

function marked(match: NameMatch, text: string, side: "submitted" | "held"): string[] {
  const only = side === "submitted" ? "only_submitted" : "only_held";
  return match.parts
    .filter(({ status }) => status === only || status === "different")
    .flatMap((part) => writtenWords(text.slice(part[`${side}Start`], part[`${side}End`])));
}

type Check = (submitted: string, held: string, match: NameMatch) => void;

const onlyOne = ({ type, submitted, held }: NameDifference) =>
  (type === "extra_token" || type === "missing_token" || type === "joint_holder") && !(submitted && held);

/** Properties of the explanation of any two names. */
const PROMISES: Record<string, Check> = {
  "no word that both have is marked in both": (submitted, held, match) => {
    const both = alike(writtenWords(submitted), writtenWords(held));
    const inHeld = marked(match, held, "held");
    const wrong = marked(match, submitted, "submitted").filter((word) => word.length > 1 && inHeld.includes(word));
    expect(wrong.filter(both)).toEqual([]);
  },
  "nothing is said to stand in one name only that both have": (submitted, held, { differences }) => {
    const both = alike(writtenWords(submitted), writtenWords(held));
    for (const difference of differences.filter(onlyOne)) {
      const words = writtenWords(difference.submitted || difference.held);
      if (words.length > 0) expect(words.every(both), JSON.stringify(difference)).toBe(false);
    }
  },
  "every word that only one name has is told": (submitted, held, { matchType, differences }) => {
    if (matchType === "exact") return;
    const told = new Set(differences.flatMap((found) => writtenWords(`${found.submitted} ${found.held}`)));
    const a = writtenWords(submitted);
    const b = writtenWords(held);
    const alone = [...a.filter((word) => !b.includes(word)), ...b.filter((word) => !a.includes(word))];
    expect(alone.filter((word) => word.length > 1 && !SMALL.has(word) && !told.has(word))).toEqual([]);
  },
  "no fact is told twice": (_submitted, _held, { differences }) => {
    const keys = differences.map(({ type, submitted, held }) => `${type}|${submitted}|${held}`);
    expect(new Set(keys).size).toBe(keys.length);
    const all = explainDifferences(differences).map(({ sentence }) => sentence);
    expect(new Set(all).size).toBe(all.length);
  },
  "the score and what every difference and every reason costs make 100; the costliest comes first": (
    _submitted,
    _held,
    { score, differences },
  ) => {
    const reasons = explainDifferences(differences);
    for (const list of [differences, reasons]) {
      if (list.length > 0) expect(score + list.reduce((sum, { points }) => sum + points, 0)).toBe(100);
      for (const { points } of list) expect(points).toBeGreaterThanOrEqual(0);
    }
    expect(reasons.length).toBeLessThanOrEqual(MAX_REASONS);
    const points = differences.map((difference) => difference.points);
    expect(points).toEqual([...points].sort((a, b) => b - a));
  },
  "what is quoted stands in the names": (submitted, held, { differences }) => {
    for (const difference of differences) {
      for (const piece of difference.submitted.split(" … ")) expect(submitted).toContain(piece);
      for (const piece of difference.held.split(" … ")) expect(held).toContain(piece);
    }
  },
};

test("for any two names all of this holds of the explanation", () => {
  fc.assert(
    fc.property(pair, kind, ([submitted, held], hint) => {
      const match = matchNames(submitted, held, hint);
      for (const [promise, check] of Object.entries(PROMISES)) {
        try {
          check(submitted, held, match);
        } catch (error) {
          throw new Error(`expected that ${promise}`, { cause: error });
        }
      }
    }),
    // Some failures appeared in only one of a thousand pairs.
    { numRuns: 2000 },
  );
});

describe("the sentences are enough by themselves", () => {
  test.each<[string, string, string[]]>([
    [
      "J & M Harrison",
      "J & M HARRISON & ROBIN SAMPLE",
      ["The name at the bank also has the account holder “ROBIN SAMPLE”."],
    ],
    ["Acme", "Acme Pty Ltd", ["The name at the bank also has the legal form “Pty Ltd”."]],
    ["Liz Doe", "Elizabeth Doe", ["“Liz” and “Elizabeth” are forms of the same given name."]],
    ["Acme 1 Pty Ltd", "Acme 2 Pty Ltd", ["The number is “1” here and “2” at the bank."]],
    ["Acme Red Bolt", "Acme Blue Nut", ["“Red Bolt” is not “Blue Nut”."]],
    [
      "Bolt Tiles",
      "Acme Pty Ltd T/A Bolt Tiles",
      ["The name at the bank also has “Acme Pty Ltd T/A”, so that it gives two names of a business."],
    ],
    [
      "Pemberton Family Super Fund",
      "Pemberton Family Trust",
      ["These are different kinds of account holder: “Super Fund” and “Trust”."],
    ],
    ["John or Ann Doe", "John & Ann Doe", ["“or” is written in one name and “&” in the other."]],
    ["Zorp Vane", "Quill Mart", ["“Zorp Vane” is not “Quill Mart”."]],
    [
      "John Quince & Ann Doe",
      "John Doe & Ann Quince",
      ["The account holders differ: “John Quince & Ann Doe” and “John Doe & Ann Quince”."],
    ],
    ["", "Acme Tiles", ["There is no name to compare “Acme Tiles” with."]],
    [
      "Acme Foods P/L t/as Bolt",
      "Acme Foods Pty Ltd trading as Bolt",
      [
        "The legal form is written “P/L” here and “Pty Ltd” at the bank.",
        "“t/as” and “trading as” mean the same; one is shortened or written differently.",
      ],
    ],
    ["Acme Foods Pty Ltd", "Acme Foods Limited", ["The legal form is “Pty Ltd” here but “Limited” at the bank."]],
    ["Acme Foods Pty Lt", "Acme Foods Pty Ltd", ["“Lt” and “Ltd” are spelled almost alike."]],
    ["Bolt Developers", "Bolt Developers Pty Ltd", ["The name at the bank also has the legal form “Pty Ltd”."]],
    ["Maria Quince", "Maria Quince Bellamy", ["The name at the bank also has “Bellamy”."]],
    ["JR Quince", "John Robert Quince", ["“JR” and “John Robert” may be the same name, one of them with initials."]],
    [
      "Acme Trades Support Fund",
      "Building & Acme Trades Training Fund",
      ["“Support” is not “Training”.", "The name at the bank also has “Building”."],
    ],
    ["Acme Party (Bendigo) Branch", "Acme Party Circle", ["“(Bendigo) Branch” is not “Circle”."]],
    ["JO DOE", "Jo Doe", ["Capital letters, punctuation, spaces or invisible characters differ."]],
  ])("%j beside %j", (submitted, held, expected) => {
    expect(sentences(submitted, held)).toEqual(expected);
  });

  test("what is left over shares the last sentence", () => {
    const found = (held: string, points: number): NameDifference => ({
      type: "missing_token",
      submitted: "",
      held,
      points,
    });
    const six: NameDifference[] = [
      ...["A", "B", "C", "D"].map((letter) => found(letter, 5)),
      { type: "typo", submitted: "E", held: "F", points: 2 },
      { type: "extra_token", submitted: "G", held: "", points: 1 },
    ];
    expect(explainDifferences(six)).toHaveLength(5);
    expect(explainDifferences(six)[4]).toEqual({
      sentence: "Also different: “E” and “F”; “G” not at the bank.",
      points: 3,
    });
  });
});
