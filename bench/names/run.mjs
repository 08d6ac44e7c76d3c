// `node bench/names/run.mjs`: the name matcher beside the libraries people use instead, on invented names, one thread.
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { distance } from "fastest-levenshtein";
import { inventedPairs } from "./generate.mjs";

const require = createRequire(import.meta.url);
const fuzzball = require("fuzzball");
const jaro = require("talisman/metrics/jaro-winkler");
const here = path.dirname(fileURLToPath(import.meta.url));

async function loadMatcher() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "names-"));
  const outfile = path.join(folder, "matcher.mjs");
  const entry = path.join(here, "../../app/modules/name-match/index.ts");
  try {
    await build({ entryPoints: [entry], bundle: true, format: "esm", outfile, logLevel: "error" });
    return (await import(pathToFileURL(outfile).href)).matchNames;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What anybody would do before calling a general library: case, accents, punctuation, "&". */
const plain = (name) =>
  name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/['\u2019]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const options = { full_process: false };
const byScore = (score) => (a, b) => {
  const value = score(plain(a), plain(b));
  return value >= 95 ? "exact" : value >= 70 ? "fuzzy" : "none";
};
const matchNames = await loadMatcher();
const subjects = [
  ["this matcher", (a, b) => matchNames(a, b).matchType],
  ["fuzzball ratio", byScore((a, b) => fuzzball.ratio(a, b, options))],
  ["fuzzball token_set_ratio", byScore((a, b) => fuzzball.token_set_ratio(a, b, options))],
  ["fuzzball WRatio", byScore((a, b) => fuzzball.WRatio(a, b, options))],
  ["fastest-levenshtein", byScore((a, b) => 100 * (1 - distance(a, b) / Math.max(a.length, b.length, 1)))],
  ["talisman jaro-winkler", byScore((a, b) => 100 * jaro(a, b))],
];

const pairs = inventedPairs();
const ROUNDS = 15;
const WARM_UP = 20;
const percent = (share) => `${(100 * share).toFixed(1)} %`.padStart(9);

function classify(match) {
  let right = 0;
  let paidWrong = 0;
  let different = 0;
  for (const [a, b, answer] of pairs) {
    const found = match(a, b);
    if (found === answer) right++;
    if (answer === "none") {
      different++;
      if (found === "exact") paidWrong++;
    }
  }
  return { right: right / pairs.length, paidWrong: paidWrong / different };
}

/** Pairs per second: the subjects take turns, so that a busy machine slows them all alike; the median counts. */
function measure() {
  const speeds = subjects.map(() => []);
  let sink = 0;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    subjects.forEach(([, match], k) => {
      const from = performance.now();
      for (const [a, b] of pairs) sink += match(a, b).length;
      if (round >= 0) speeds[k].push((1000 * pairs.length) / (performance.now() - from));
    });
  }
  if (sink === 0) throw new Error("nothing was measured");
  return speeds.map((list) => list.sort((x, y) => x - y)[ROUNDS >> 1]);
}

const speeds = measure();
console.log(`${pairs.length} pairs of invented names; general libraries at the specification's cut-offs (95 and 70)\n`);
console.log("                             right   different   pairs/s   this matcher");
console.log("                            answer  called exact             is faster");
subjects.forEach(([name, match], k) => {
  const { right, paidWrong } = classify(match);
  const ratio = k === 0 ? "" : `${(speeds[0] / speeds[k]).toFixed(2)} x`.padStart(12);
  console.log(
    `${name.padEnd(25)}${percent(right)} ${percent(paidWrong)} ${String(Math.round(speeds[k])).padStart(12)} ${ratio}`,
  );
});
