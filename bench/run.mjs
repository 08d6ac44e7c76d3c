// npm run bench: every comparison, one after the other.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const NOT_A_BENCH = new Set(["run.mjs", "lib.mjs", "local-app.mjs"]);

for (const name of readdirSync("bench")
  .filter((file) => file.endsWith(".mjs") && !NOT_A_BENCH.has(file))
  .sort()) {
  console.log(`\n== ${name.replace(".mjs", "")} ==`);
  const { status } = spawnSync(process.execPath, [`bench/${name}`], { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) process.exit(1);
}
