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

/** What is done before a general library is called: case, accents, punctuation, "&". */
const clean = (name) =>
  name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/['\u2019]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const LEGAL_FORMS =
  /\b(pty|proprietary|ltd|limited|p\s?l|inc|incorporated|nl|no liability|llc|llp|plc|corp|corporation|co|company)\b/g;

const withoutForms = (name) => clean(name).replace(LEGAL_FORMS, " ").replace(/\s+/g, " ").trim();

const CLEANINGS = [
  ["case, accents and signs", clean],
  ["legal forms too", withoutForms],
];

export const toClass = (value, { exact, close }) => (value >= exact ? "exact" : value >= close ? "fuzzy" : "none");

/** Exact and close from these scores on: the two cut-offs with which most answers are right. */
function bestCutOffs(scored) {
  let best = { exact: 95, close: 70, right: -1 };
  for (let exact = 50; exact <= 100; exact++) {
    for (let close = 30; close <= exact; close++) {
      const right = scored.filter(([value, answer]) => answer === toClass(value, { exact, close })).length;
      if (right > best.right) best = { exact, close, right };
    }
  }
  return best;
}

/** A library with the cleaning and the two cut-offs that suit it best on the pairs. */
export function atItsBest({ name, tradition, score }, pairs) {
  const tried = CLEANINGS.map(([removes, cleaned]) => {
    const cutOffs = bestCutOffs(pairs.map(([a, b, answer]) => [score(cleaned(a), cleaned(b)), answer]));
    return { removes, cleaned, cutOffs };
  });
  const { removes, cleaned, cutOffs } = tried.reduce((a, b) => (b.cutOffs.right > a.cutOffs.right ? b : a));
  return { name, tradition, removes, match: (a, b) => toClass(score(cleaned(a), cleaned(b)), cutOffs) };
}
