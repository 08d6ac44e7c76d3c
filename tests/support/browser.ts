import type { Browser } from "playwright-core";
import { launchBrowser, launchFirefox } from "../../scripts/lib/browser.mjs";
import { findFirefox } from "../../scripts/lib/drivers.mjs";
import { giveOwnConnections } from "./own-connections";

let running: Promise<Browser> | undefined;

/** Firefox in the tests of other browsers (vitest.config.ts), else Chromium. */
export const isFirefox = process.env.TEST_BROWSER === "firefox";

/** The browser of this process: it serves one test file after another, because starting one takes over a second. */
export async function openBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

async function launch(): Promise<Browser> {
  const browser = await (isFirefox ? launchFirefox(findFirefox()) : launchBrowser());
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    giveOwnConnections(context.request);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** Limits a wait that cannot succeed; a busy machine takes long. */
export const PATIENCE_MS = 180_000;

/** Ends every visit of a test file; the browser stays for the next file, and ends with its process. */
export async function closeVisits(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await context.close();
}

const SHOWN_CHARACTERS = 1500;

/** What each open page shows now: its address and the beginning of its text. For a test that failed. */
export async function describePages(): Promise<string[]> {
  const browser = await running;
  const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
  return Promise.all(
    pages.map(async (page) => {
      const text = await page.innerText("body", { timeout: 5_000 }).catch((error: Error) => error.message);
      return `${page.url()}\n${text.replace(/\s*\n\s*/g, "\n").slice(0, SHOWN_CHARACTERS)}`;
    }),
  );
}
