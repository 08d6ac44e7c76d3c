import type { Browser, BrowserContext } from "playwright-core";
import { launchBrowser, launchFirefox } from "../../scripts/lib/browser.mjs";
import { findFirefox } from "../../scripts/lib/drivers.mjs";
import { scripted } from "./fields";
import { giveOwnConnections } from "./own-connections";

let running: Promise<Browser> | undefined;

/** Firefox in the tests of other browsers (vitest.config.ts), else Chromium. */
export const isFirefox = process.env.TEST_BROWSER === "firefox";

/** The browser of this process: it serves one test file after another, because starting one takes over a second. */
export async function openBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

/** A browser of a test's own. @param showScrollBars as on a desktop */
export async function launch(showScrollBars = false): Promise<Browser> {
  const browser = await (isFirefox ? launchFirefox(findFirefox()) : launchBrowser({ showScrollBars }));
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    giveOwnConnections(context.request);
    context.setDefaultTimeout(PATIENCE_MS);
    openWithScripts(context);
    return context;
  };
  return browser;
}

/**
 * A page that a test opens or loads again is there when its scripts answer, if it has any. A test that looks at it
 * earlier says until when it waits: `{ waitUntil: "commit" }`.
 */
function openWithScripts(context: BrowserContext): void {
  const newPage = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await newPage();
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (address, options) => {
      const answer = await goto(address, options);
      if (!options?.waitUntil) await scripted(page);
      return answer;
    };
    page.reload = async (options) => {
      const answer = await reload(options);
      if (!options?.waitUntil) await scripted(page);
      return answer;
    };
    return page;
  };
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
