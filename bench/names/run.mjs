// `npm run bench names`: the name matcher beside the libraries people use instead, on invented names, one thread.
// Prints the comparison and writes it where the page /name-matching reads it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { inventedPairs } from "./generate.mjs";
import { slowestHostile } from "./hostile.mjs";
import { atItsBest, LIBRARIES } from "./libraries.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const RESULTS = path.join(here, "../../app/components/marketing/name-matching/measured.json");
const ROUNDS = 9;
/** Rounds before the first that counts: by then everything is compiled. */
const WARM_UP = 3;
/** Each subject goes through all pairs several times in a row, so that the one before it does not slow it down. */
const PASSES = 4;
const MANY = 1000;
const PERCENTILE = 0.99;

const pairs = inventedPairs();
const different = pairs.filter(([, , answer]) => answer === "none").length;

const processorTime = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

function classify({ match }) {
  const found = pairs.map(([a, b, answer]) => ({ answer, found: match(a, b) }));
  return {
    right: found.filter((pair) => pair.found === pair.answer).length,
    differentCalledExact: found.filter((pair) => pair.answer === "none" && pair.found === "exact").length,
  };
}

/** Microseconds of processor time for each call: the subjects take turns, and the fastest round of each counts. */
function measureTimes(subjects, calls) {
  const best = subjects.map(() => Number.POSITIVE_INFINITY);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    subjects.forEach((run, k) => {
      const from = processorTime();
      for (let pass = 0; pass < PASSES; pass++) run();
      const each = (processorTime() - from) / PASSES / calls;
      if (round >= 0 && each < best[k]) best[k] = each;
    });
  }
  return best;
}

/** The time that 99 of 100 pairs stay below, taking each pair's fastest call. */
function slowestPercent({ match }) {
  const times = pairs.map(([a, b]) => {
    let best = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 5; k++) {
      const from = performance.now();
      match(a, b);
      best = Math.min(best, performance.now() - from);
    }
    return 1000 * best;
  });
  return times.sort((a, b) => a - b)[Math.floor(times.length * PERCENTILE)];
}

/** How many times as fast a comparison is when one prepared name is compared with a thousand. */
function measureMany({ matchNames, prepareName, scoreIfAlike }) {
  const names = [...new Set(pairs.map(([, held]) => held))].slice(0, MANY + 10);
  const many = names.slice(0, MANY);
  const ones = names.slice(MANY);
  const kept = many.map((name) => prepareName(name));
  let sink = 0;
  const againstAll = (compare) => () => {
    for (const one of ones) compare(one);
  };
  const against = (names, one) => {
    const own = prepareName(one);
    for (const name of names) sink += scoreIfAlike(own, name)?.score ?? 0;
  };
  const [byPairs, byKept, allKept] = measureTimes(
    [
      againstAll((one) => {
        for (const name of many) sink += matchNames(one, name).score;
      }),
      againstAll((one) => against(many, one)),
      againstAll((one) => against(kept, one)),
    ],
    ones.length * many.length,
  );
  if (sink === 0) throw new Error("nothing was measured");
  return { oneKept: toTenths(byPairs / byKept), allKept: toTenths(byPairs / allKept) };
}

const toTenths = (value) => Number(value.toFixed(1));

async function measure(file) {
  const matcher = await import(file);
  const { matchNames } = matcher;
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
    ...LIBRARIES.map((library) => atItsBest(library, pairs)),
  ];
  let sink = 0;
  const runs = subjects.map(({ match }) => () => {
    for (const [a, b] of pairs) sink += match(a, b).length;
  });
  const times = measureTimes(runs, pairs.length);
  if (sink === 0) throw new Error("nothing was measured");
  return {
    measuredOn: new Date().toISOString().slice(0, 10),
    pairs: pairs.length,
    different,
    subjects: subjects.map((subject, k) => ({
      name: subject.name,
      tradition: subject.tradition,
      ...(subject.removes && { removes: subject.removes }),
      ...classify(subject),
      pairsPerSecond: Math.round(1e3 / times[k]) * 1000,
      timesAsLong: toTenths(times[k] / times[0]),
    })),
    slowestPercentMicroseconds: toTenths(slowestPercent(subjects[0])),
    slowestHostile: slowestHostile(file),
    timesAsFastWithMany: measureMany(matcher),
  };
}

function print({ subjects, slowestPercentMicroseconds, slowestHostile: slowest, timesAsFastWithMany: many }) {
  const percent = (count, of) => `${((100 * count) / of).toFixed(1)} %`.padStart(9);
  console.log(
    `${pairs.length} pairs of invented names; every library with the cleaning and the cut-offs that suit it best\n`,
  );
  console.log("                                 right    different       takes           pairs");
  console.log("                                answer  called exact  times as long  a second");
  for (const { name, right, differentCalledExact, timesAsLong, pairsPerSecond } of subjects) {
    const columns = [
      percent(right, pairs.length),
      percent(differentCalledExact, different),
      `${timesAsLong} x`.padStart(12),
      pairsPerSecond.toLocaleString("en-AU").padStart(12),
    ];
    console.log(`${name.padEnd(29)} ${columns.join("  ")}`);
  }
  console.log(`\n99 of 100 pairs take less than ${slowestPercentMicroseconds} us.`);
  console.log(
    `The slowest of the texts that are meant to be slow: ${slowest.name}, ${slowest.ms.toFixed(2)} ms, on first use.`,
  );
  const { oneKept, allKept } = many;
  console.log(`One name against ${MANY}: ${oneKept} times as fast when it is kept, ${allKept} times when all are.`);
}

const folder = await mkdtemp(path.join(os.tmpdir(), "names-"));
try {
  const modules = path.join(here, "../../app/modules");
  const matcher = path.join(folder, "matcher.mjs");
  const stdin = { contents: 'export * from "./name-match";', resolveDir: modules, loader: "ts" };
  const alias = { "~": path.join(modules, "..") };
  await build({ stdin, bundle: true, format: "esm", platform: "node", outfile: matcher, logLevel: "error", alias });
  const results = await measure(pathToFileURL(matcher).href);
  print(results);
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true });
}
