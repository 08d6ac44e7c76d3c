import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** One progress line: what is being done. */
export function say(step, text) {
  console.log(`${step.padEnd(10)} ${text}`);
}

/** Runs a script's main function; a failure prints one clear line and exits with a non-zero code. */
export async function main(run) {
  try {
    await run();
  } catch (error) {
    console.error(`\nfailed     ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
