// Mutation tests of the name matcher: `npm run mutation`. Runs Stryker, says the score, and after a run over the whole
// module writes the page of survivors. Arguments go to Stryker, for instance --mutate for a part, or --force to run
// again what was run before.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { NOT_GONE_THROUGH, REASONS, reasonOf } from "./lib/mutant-reasons.mjs";

const MODULE = "app/modules/name-match/";
const REPORT = ".stryker-tmp/mutation.json";
const PAGE = "docs/name-mutants.md";
/** The least score of the whole module, in percent. */
const AIM = 85;

const KILLED = new Set(["Killed", "Timeout"]);
const SURVIVED = new Set(["Survived", "NoCoverage"]);

const began = performance.now();
const { status } = spawnSync("npx", ["stryker", "run", ...process.argv.slice(2)], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
const minutes = Math.round((performance.now() - began) / 60_000);

function describe(file, source, { location, mutatorName, replacement = "" }) {
  const { start, end } = location;
  const lines = source.split("\n");
  const line = lines[start.line - 1] ?? "";
  const last = lines[end.line - 1] ?? "";
  const original =
    start.line === end.line
      ? line.slice(start.column - 1, end.column - 1)
      : `${line.slice(start.column - 1)} … ${last}`;
  const before = line.slice(0, start.column - 1);
  return { file, lineNumber: start.line, line: line.trim(), original, before, mutator: mutatorName, replacement };
}

const { files } = JSON.parse(readFileSync(REPORT, "utf8"));
const measured = Object.entries(files).map(([name, { source, mutants }]) => {
  const file = name.replace(MODULE, "");
  const survivors = mutants
    .filter(({ status: how }) => SURVIVED.has(how))
    .map((found) => describe(file, source, found));
  return { file, killed: mutants.filter(({ status: how }) => KILLED.has(how)).length, survivors };
});

/** Lists of the items by what `keyOf` says of each. */
function groupBy(items, keyOf) {
  const groups = {};
  for (const item of items) {
    const key = keyOf(item);
    groups[key] = [...(groups[key] ?? []), item];
  }
  return groups;
}

const share = (killed, total) => (total === 0 ? "–" : `${((100 * killed) / total).toFixed(1)} %`);
const sum = (list, count) => list.reduce((total, item) => total + count(item), 0);
const rowOf = (name, list) => {
  const killed = sum(list, (item) => item.killed);
  const total = killed + sum(list, ({ survivors }) => survivors.length);
  return `| ${name} | ${killed} of ${total} | ${share(killed, total)} |`;
};

const folderOf = ({ file }) =>
  path.dirname(file) === "." ? "files of the module's root" : `\`${path.dirname(file)}/\``;
const folders = Object.entries(groupBy(measured, folderOf));
const survivors = measured.flatMap((item) => item.survivors);
const countOf = (kind) => survivors.filter((mutant) => reasonOf(mutant).kind === kind).length;

function placesOf({ file, survivors: list }) {
  if (list.length === 0) return [];
  const kinds = Object.entries(groupBy(list, (mutant) => reasonOf(mutant).kind));
  const told = kinds.map(([kind, mutants]) => {
    const places = Object.entries(groupBy(mutants, ({ lineNumber }) => lineNumber));
    return `${kind} ${places.map(([line, all]) => (all.length > 1 ? `${line} (${all.length})` : line)).join(", ")}`;
  });
  return [`- \`${file}\`: ${told.join("; ")}`];
}

const whole = rowOf("**all**", measured);
const page = `# Mutants of the name matcher

Written by \`npm run mutation\`, never by hand. Stryker changes one thing in \`app/modules/name-match\` at a time and runs the
tests that reach it; a change that no test notices has survived. The lists of words are left out, and what is made only
once, when the module is loaded.

| files | killed | share |
|---|---|---|
${folders.map(([name, list]) => rowOf(name, list)).join("\n")}
${whole}

The reasons are written once for each kind, in \`scripts/lib/mutant-reasons.mjs\`, with the rule that says which mutants are meant.

| kind | mutants | why they survive |
|---|---|---|
${[...REASONS, NOT_GONE_THROUGH].map(({ kind, reason }) => `| ${kind} | ${countOf(kind)} | ${reason} |`).join("\n")}

## Places

Lines of each file, with the number of survivors where there is more than one.

${measured.flatMap(placesOf).join("\n")}
`;

const total = sum(measured, ({ killed }) => killed) + survivors.length;
const score = (100 * (total - survivors.length)) / total;
const isWhole = process.argv.length === 2;
if (isWhole) writeFileSync(PAGE, page);
console.log(`${score.toFixed(1)} % of ${total} mutants are killed, in ${minutes} min${isWhole ? ` (${PAGE})` : ""}.`);
if (isWhole && score < AIM) {
  console.error(`The aim is ${AIM} %.`);
  process.exitCode = 1;
}
