// General libraries that people compare names with, each as a function from two cleaned names to a score of 0-100.
import { createRequire } from "node:module";
import { jaroWinkler as skyra } from "@skyra/jaro-winkler";
import { distance } from "fastest-levenshtein";

const require = createRequire(import.meta.url);
const fuzzball = require("fuzzball");
const jaroWinkler = require("talisman/metrics/jaro-winkler");
const mongeElkan = require("talisman/metrics/monge-elkan");
const clojure = require("clj-fuzzy");
const { compareTwoStrings } = require("string-similarity");

const asGiven = { full_process: false };
const words = (name) => name.split(" ");

export const LIBRARIES = [
  { name: "fuzzball WRatio", tradition: "Python (FuzzyWuzzy)", score: (a, b) => fuzzball.WRatio(a, b, asGiven) },
  {
    name: "fuzzball token_set_ratio",
    tradition: "Python (FuzzyWuzzy)",
    score: (a, b) => fuzzball.token_set_ratio(a, b, asGiven),
  },
  { name: "talisman Jaro-Winkler", tradition: "Java (SecondString)", score: (a, b) => 100 * jaroWinkler(a, b) },
  {
    name: "talisman Monge-Elkan",
    tradition: "Java (SecondString)",
    score: (a, b) =>
      100 * Math.min(mongeElkan(jaroWinkler, words(a), words(b)), mongeElkan(jaroWinkler, words(b), words(a))),
  },
  { name: "clj-fuzzy Dice", tradition: "Clojure", score: (a, b) => 100 * clojure.metrics.dice(a, b) },
  { name: "string-similarity", tradition: "JavaScript", score: (a, b) => 100 * compareTwoStrings(a, b) },
  {
    name: "fastest-levenshtein",
    tradition: "JavaScript",
    score: (a, b) => 100 * (1 - distance(a, b) / Math.max(a.length, b.length, 1)),
  },
  { name: "@skyra/jaro-winkler", tradition: "JavaScript", score: (a, b) => 100 * skyra(a, b) },
];

/** What anybody would do before calling a general library: case, accents, punctuation, "&". */
export const clean = (name) =>
  name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/['\u2019]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Exact and close from these scores on: the two cut-offs with which a library is right most often on the pairs. */
export function bestCutOffs(score, pairs) {
  const scored = pairs.map(([a, b, answer]) => [score(clean(a), clean(b)), answer]);
  let best = { exact: 95, close: 70, right: -1 };
  for (let exact = 50; exact <= 100; exact++) {
    for (let close = 30; close <= exact; close++) {
      const right = scored.filter(([value, answer]) => answer === toClass(value, { exact, close })).length;
      if (right > best.right) best = { exact, close, right };
    }
  }
  return best;
}

export const toClass = (value, { exact, close }) => (value >= exact ? "exact" : value >= close ? "fuzzy" : "none");
