import type { Browser } from "playwright-core";
import { launchBrowser } from "../../scripts/lib/browser.mjs";

let running: Promise<Browser> | undefined;

/** The browser of this process: it serves one test file after another, because starting one takes over a second. */
export async function openBrowser(): Promise<Browser> {
  running ??= launchBrowser();
  return running;
}

/** Ends every visit of a test file; the browser stays for the next file, and ends with its process. */
export async function closeVisits(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await context.close();
}
