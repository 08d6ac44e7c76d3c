// npm run bench: every bench except the mutants, one after the other. npm run bench <name>: one of them. What each
// prints replaces its section in docs/figures.md.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

const FIGURES = "docs/figures.md";
const NOT_A_BENCH = new Set([
  "run.mjs",
  "bare-lines.mjs",
  "bare-rows.mjs",
  "lib.mjs",
  "local-app.mjs",
  "fill.mjs",
  "processor-time.mjs",
  "peak-memory.mjs",
  "crash.mjs",
  "mutation.mjs",
]);

const [chosen, ...given] = process.argv.slice(2);
const all = readdirSync("bench")
  .filter((file) => file.endsWith(".mjs") && !NOT_A_BENCH.has(file))
  .map((file) => file.replace(".mjs", ""));

for (const name of chosen === undefined ? [...all, "names"].sort() : [chosen]) {
  console.log(`\n== ${name} ==`);
  keep(name, await run(existsSync(`bench/${name}.mjs`) ? `bench/${name}.mjs` : `bench/${name}/run.mjs`));
}

/** Runs a bench, prints what it prints, and returns that text. A bench that fails ends this program. */
async function run(file) {
  const child = spawn(process.execPath, [file, ...given], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  for await (const part of child.stdout) {
    process.stdout.write(part);
    printed += part;
  }
  const status = child.exitCode ?? (await new Promise((resolve) => child.once("exit", resolve)));
  if (status !== 0) process.exit(1);
  return printed;
}

function keep(name, printed) {
  const date = new Date().toLocaleDateString("en-AU", { day: "numeric", month: "long", year: "numeric" });
  const load = os.loadavg()[0] / os.cpus().length;
  const command = ["npm run bench", name, ...given].join(" ");
  const machine = `${os.cpus().length} cores, load ${load.toFixed(1)} a core when it ended`;
  const title = given.includes("libsql") ? `${name} on libSQL` : name;
  const section = `## ${title}\n\n${date}, \`${command}\`, ${machine}.\n\n\`\`\`text\n${printed.trim()}\n\`\`\`\n`;
  const [head, ...sections] = readFileSync(FIGURES, "utf8").split(/^(?=## )/m);
  const others = sections.filter((each) => !each.startsWith(`## ${title}\n`)).map((each) => `${each.trimEnd()}\n`);
  writeFileSync(FIGURES, [`${head.trimEnd()}\n`, ...[...others, section].sort()].join("\n"));
}
