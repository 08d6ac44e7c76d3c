// `npm run bench mutation`: how many mutants the tests in Node detect, for each part that decides about money. A part
// whose report exists is not run again; `npm run bench mutation rules kernel` runs these two again. Each takes about
// ten minutes.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { PARTS } from "../stryker.config.mjs";

const reportOf = (part) => `.stryker-tmp/${part}.json`;
const asked = process.argv.slice(2);

for (const part of Object.keys(PARTS)) {
  if (existsSync(reportOf(part)) && !asked.includes(part)) continue;
  const env = { ...process.env, MUTATION_PART: part };
  const { status } = spawnSync("npx", ["stryker", "run"], { stdio: ["ignore", "ignore", "inherit"], env });
  if (status !== 0) process.exit(1);
}

const NOTICED = new Set(["Killed", "Timeout"]);
const MISSED = new Set(["Survived", "NoCoverage"]);
let all = { noticed: 0, missed: 0 };

console.log("                      mutants    noticed");
for (const part of Object.keys(PARTS)) {
  const { files } = JSON.parse(readFileSync(reportOf(part), "utf8"));
  const ended = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const found = {
    noticed: ended.filter((status) => NOTICED.has(status)).length,
    missed: ended.filter((status) => MISSED.has(status)).length,
  };
  all = { noticed: all.noticed + found.noticed, missed: all.missed + found.missed };
  print(part, found);
}
print("all of them", all);

function print(name, { noticed, missed }) {
  const share = ((100 * noticed) / (noticed + missed)).toFixed(1);
  console.log(`${name.padEnd(20)} ${String(noticed + missed).padStart(8)}   ${share.padStart(6)} %`);
}
