import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { PUBLIC_PATHS } from "~/routes/_public+/sitemap[.]xml";
import { launchBrowser, launchFirefox } from "../../scripts/lib/browser.mjs";
import { findFirefox, findWebKit } from "../../scripts/lib/drivers.mjs";
import { listenForTrouble, newTag, newVisitor, signIn } from "../support/journey";
import { findCovered } from "../support/presses";
import { makeOffice, signInBy } from "./an-office";
import type { Session } from "./webdriver";
import { openWebKit } from "./webkit";

/**
 * Every page in the three browsers: what is drawn is what a press reaches, nothing is wider than the window, and nothing is
 * printed on the console. Ten of the pages are kept as pictures in screenshots/, for a look.
 */

const place = inject("app");
const { origin } = place;
const HEIGHT = 900;
const WIDTHS = [1_024, 1_440];
const KEPT = path.resolve(import.meta.dirname, "../../screenshots/browsers");
const PICTURES = [
  "/",
  "/pricing",
  "/help",
  "/auth",
  "/dashboard",
  "/payees",
  "/payments",
  "/settings",
  "/payments/files",
];

let email: string;
let pages: string[];

beforeAll(async () => {
  email = `sam@${newTag()}.example`;
  await makeOffice(origin, email);
  mkdirSync(KEPT, { recursive: true });
});

/** Where the links of a page lead: pages of ours, not files, and nothing that asks another server. */
function findLinks(): string[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]:not([download]):not([target])')];
  return links.map(({ pathname }) => pathname);
}

/** One page stands for all of its kind: a payee for the payees. */
const kindOf = (address: string) => address.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id");
const isPage = (address: string) => !/^\/(api\/(?!docs$)|assets|build|connections\/|logout)|\.\w{2,4}$/.test(address);

/** The site map, and whatever can be reached by links from the dashboard. */
async function listPages(linksOf: (address: string) => Promise<string[]>): Promise<string[]> {
  const found = new Map<string, string>();
  const waiting = ["/dashboard", "/payees/verify", "/payments/new", "/profile/two-step", "/profile/tokens"];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const kind = kindOf(next);
    if (found.has(kind) || !isPage(next)) continue;
    found.set(kind, next);
    if (!(PUBLIC_PATHS as readonly string[]).includes(next)) waiting.push(...(await linksOf(next)));
  }
  return [...new Set([...PUBLIC_PATHS, ...found.values()])];
}

const pictureOf = (browser: string, address: string) =>
  path.join(KEPT, `${address.slice(1).replaceAll("/", "-") || "home"}-${browser}.png`);

describe.runIf(findWebKit().found)("in WebKit", () => {
  let webkit: Session;
  beforeAll(async () => {
    webkit = await openWebKit();
    await webkit.resize(1_024, HEIGHT);
    await signInBy(webkit, origin, email);
  });
  afterAll(() => webkit?.close());

  test("the pages are found by their links", async () => {
    pages = await listPages(async (address) => {
      await webkit.visit(origin + address);
      return webkit.run(findLinks);
    });
    expect(pages.length).toBeGreaterThan(PUBLIC_PATHS.length + 25);
  });

  test.each(WIDTHS)(
    "nothing lies over a link, a button or a field of any page at %d px",
    { timeout: 300_000 },
    async (width) => {
      await webkit.resize(width, HEIGHT);
      const covered: string[] = [];
      for (const address of pages) {
        await webkit.visit(origin + address);
        const problems = await webkit.run(findCovered);
        const wide = await webkit.run(() => document.documentElement.scrollWidth - window.innerWidth);
        if (wide > 0) problems.push(`${wide} px too wide`);
        covered.push(...problems.map((problem) => `${address}: ${problem}`));
        if (width === 1_440 && PICTURES.includes(address))
          writeFileSync(pictureOf("webkit", address), await webkit.picture());
      }
      expect(covered).toEqual([]);
    },
  );
});

describe.each(
  [
    { name: "firefox", isThere: Boolean(findFirefox()), launch: () => launchFirefox(findFirefox()) },
    { name: "chromium", isThere: true, launch: () => launchBrowser({ showScrollBars: true }) },
  ].filter(({ isThere }) => isThere),
)("in $name", ({ name, launch }) => {
  let browser: Browser;
  let page: Page;
  let trouble: string[];
  beforeAll(async () => {
    browser = await launch();
    page = await (await newVisitor(browser, { scripts: true, width: 1_440 })).newPage();
    await signIn(page, place, email);
    trouble = listenForTrouble(page);
  });
  afterAll(() => browser?.close());

  test("every page is pressed where it is drawn, fits, and prints nothing", { timeout: 300_000 }, async () => {
    pages ??= await listPages(async (address) => {
      await page.goto(origin + address);
      return page.evaluate(findLinks);
    });
    const problems: string[] = [];
    for (const address of pages) {
      const found = await look(page, address).catch((error) => [String(error)]);
      problems.push(...found.map((problem) => `${address}: ${problem}`));
      if (PICTURES.includes(address)) await page.screenshot({ path: pictureOf(name, address), caret: "initial" });
    }
    expect(problems).toEqual([]);
    expect(trouble).toEqual([]);
  });
});

/** What is wrong with a page, at the width of a desk and of a phone. */
async function look(page: Page, address: string): Promise<string[]> {
  await page.goto(origin + address);
  const found = [...(await page.evaluate(findCovered)), ...(await page.evaluate(findStrayBars))];
  for (const width of [390, 1_440]) {
    await page.setViewportSize({ width, height: HEIGHT });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) found.push(`${wide} px wide in ${width}`);
  }
  return found;
}

/** In the page: what has a vertical scroll bar of its own although it is drawn as high as what it holds. */
function findStrayBars(): string[] {
  return [...document.querySelectorAll<HTMLElement>("body *:not(textarea):not(select)")].flatMap((element) => {
    const { overflowY, borderLeftWidth, borderRightWidth } = getComputedStyle(element);
    if (overflowY !== "auto" && overflowY !== "scroll") return [];
    const bar =
      element.offsetWidth -
      element.clientWidth -
      Number.parseFloat(borderLeftWidth) -
      Number.parseFloat(borderRightWidth);
    const over = element.scrollHeight - element.clientHeight;
    return bar > 2 || over > 0
      ? [`${element.tagName} ${element.className.slice(0, 40)}: a bar of ${bar} px for ${over} px`]
      : [];
  });
}
