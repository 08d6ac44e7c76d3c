// `npm run bench names`: the name matcher beside the libraries people use instead, on invented names, one thread.
// Prints the comparison and writes it where the page /name-matching reads it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { inventedPairs } from "./generate.mjs";
import { bestCutOffs, clean, LIBRARIES, toClass } from "./libraries.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const RESULTS = path.join(here, "../../app/components/marketing/name-matching/measured.json");
const ROUNDS = 25;
const WARM_UP = 20;

async function loadMatcher() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "names-"));
  const outfile = path.join(folder, "matcher.mjs");
  const entry = path.join(here, "../../app/modules/name-match/index.ts");
  try {
    await build({ entryPoints: [entry], bundle: true, format: "esm", outfile, logLevel: "error" });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const pairs = inventedPairs();
const different = pairs.filter(([, , answer]) => answer === "none").length;
const { matchNames } = await loadMatcher();

const subjects = [
  { name: "PayeeProof", tradition: "this product", match: (a, b) => matchNames(a, b).matchType },
  {
    name: "PayeeProof, with the reasons",
    tradition: "this product",
    match: (a, b) => {
      const { matchType, differences, parts } = matchNames(a, b);
      return differences.length + parts.length > 0 ? matchType : matchType;
    },
  },
  ...LIBRARIES.map(({ name, tradition, score }) => {
    const cutOffs = bestCutOffs(score, pairs);
    return { name, tradition, match: (a, b) => toClass(score(clean(a), clean(b)), cutOffs) };
  }),
];

function classify({ match }) {
  const found = pairs.map(([a, b, answer]) => ({ answer, found: match(a, b) }));
  return {
    right: found.filter((pair) => pair.found === pair.answer).length,
    differentCalledExact: found.filter((pair) => pair.answer === "none" && pair.found === "exact").length,
  };
}

/** Microseconds per pair: the subjects take turns, so that a busy machine slows them all alike; the fastest round counts. */
function measureTimes() {
  const best = subjects.map(() => Number.POSITIVE_INFINITY);
  let sink = 0;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    subjects.forEach(({ match }, k) => {
      const from = performance.now();
      for (const [a, b] of pairs) sink += match(a, b).length;
      const each = (1000 * (performance.now() - from)) / pairs.length;
      if (round >= 0 && each < best[k]) best[k] = each;
    });
  }
  if (sink === 0) throw new Error("nothing was measured");
  return best;
}

const times = measureTimes();
const results = {
  measuredOn: new Date().toISOString().slice(0, 10),
  pairs: pairs.length,
  different,
  subjects: subjects.map((subject, k) => ({
    name: subject.name,
    tradition: subject.tradition,
    ...classify(subject),
    timesAsLong: Number((times[k] / times[0]).toFixed(1)),
  })),
};

const percent = (count, of) => `${((100 * count) / of).toFixed(1)} %`.padStart(9);
console.log(`${pairs.length} pairs of invented names; every library with the cut-offs that suit it best on them\n`);
console.log("                                 right    different       takes");
console.log("                                answer  called exact  times as long");
for (const { name, right, differentCalledExact, timesAsLong } of results.subjects) {
  const columns = [
    percent(right, pairs.length),
    percent(differentCalledExact, different),
    `${timesAsLong} x`.padStart(12),
  ];
  console.log(`${name.padEnd(29)} ${columns.join("  ")}`);
}
await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
