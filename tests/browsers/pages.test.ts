import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import { launchBrowser, launchFirefox } from "../../scripts/lib/browser.mjs";
import { findFirefox } from "../../scripts/lib/drivers.mjs";
import { listenForTrouble, newVisitor, signIn } from "../support/journey";
import { HEIGHT, KEPT, lookAt, openSite, WIDTHS } from "./site";

/**
 * Every page in Firefox, and some in Chromium with scroll bars as on a desk, whose other pages the gate has looked at.
 * Nothing is printed on the console.
 */

const place = inject("app");

/** Answers that some pages must give are reported on the console too, and a style of the test library's for its pictures. */
const EXPECTED = /the server responded with a status of 40[04] |sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=/;

const BROWSERS = [
  {
    name: "firefox",
    what: "every",
    widths: [1_440, 390],
    isThere: Boolean(findFirefox()),
    launch: () => launchFirefox(findFirefox()),
  },
  {
    name: "chromium",
    what: "each pictured",
    widths: WIDTHS,
    isThere: true,
    launch: () => launchBrowser({ showScrollBars: true }),
  },
];

beforeAll(() => {
  mkdirSync(KEPT, { recursive: true });
});

const windowOf = (name: string, widths: readonly number[], page: Page) => ({
  widths,
  visit: (address: string) => page.goto(place.origin + address),
  run: <R>(script: () => R) => page.evaluate(script),
  resize: (width: number) => page.setViewportSize({ width, height: HEIGHT }),
  keep: (picture: string) => page.screenshot({ path: path.join(KEPT, `${picture}-${name}.png`), caret: "initial" }),
});

test.each(BROWSERS.filter(({ isThere }) => isThere))(
  "$what page is pressed where it is drawn, fits, and prints nothing, in $name",
  { timeout: 1_800_000 },
  async ({ name, what, widths, launch }) => {
    const { email, whole, pictured } = await openSite(place);
    const isWhole = what === "every";
    const { signedOut, signedIn } = isWhole ? whole : pictured;
    const browser: Browser = await launch();
    try {
      const page = await (await newVisitor(browser, { scripts: true, width: 1_440 })).newPage();
      const trouble = listenForTrouble(page);
      const window = windowOf(name, widths, page);
      const outside = await lookAt(window, signedOut, { follow: false });
      expect(outside.problems).toEqual([]);
      await signIn(page, place, email);
      const inside = await lookAt(window, signedIn, { follow: isWhole });
      expect(inside.problems).toEqual([]);
      expect(inside.pages.length).toBeGreaterThan(isWhole ? 40 : 5);
      expect(trouble.filter((line) => !EXPECTED.test(line))).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
