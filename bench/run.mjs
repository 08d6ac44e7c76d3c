// npm run bench: every comparison, one after the other. npm run bench <name>: one of them.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const [chosen] = process.argv.slice(2);
if (chosen !== undefined) {
  const file = existsSync(`bench/${chosen}.mjs`) ? `bench/${chosen}.mjs` : `bench/${chosen}/run.mjs`;
  process.exit(spawnSync(process.execPath, [file], { stdio: "inherit" }).status ?? 1);
}

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
]);

for (const name of readdirSync("bench")
  .filter((file) => file.endsWith(".mjs") && !NOT_A_BENCH.has(file))
  .sort()) {
  console.log(`\n== ${name.replace(".mjs", "")} ==`);
  const { status } = spawnSync(process.execPath, [`bench/${name}`], { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) process.exit(1);
}
