import { readFile } from "node:fs/promises";
import type { PrintFonts } from "~/services-and-actor";
import { ensureBuilt } from "../../scripts/lib/build.mjs";

// A build may take longer than a test's time limit.
await ensureBuilt();

/** The fonts of printed documents, as the build wrote them. For tests that run in Node. */
export const printFonts: PrintFonts = {
  read: async (file) => new Uint8Array(await readFile(`public/build/print-fonts/${file}`)),
};
