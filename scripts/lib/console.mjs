import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** One progress line: what is being done. */
export function say(step, text) {
  console.log(`${step.padEnd(10)} ${text}`);
}

/** Runs `work` and then `undo`, also when the program is ended in between, with Ctrl-C for example. */
export async function withUndo(undo, work) {
  const end = () => process.exit(130);
  process.once("exit", undo);
  for (const name of SIGNALS) process.once(name, end);
  try {
    return await work();
  } finally {
    process.off("exit", undo);
    for (const name of SIGNALS) process.off(name, end);
    undo();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Runs a script's main function; a failure prints one line, and exits non-zero. A failed call names the address. */
export async function main(run) {
  try {
    await run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const cause = error?.cause?.message ?? "";
    console.error(`\nfailed     ${message}${message.includes(cause) ? "" : `: ${cause}`}`);
    process.exit(1);
  }
}
