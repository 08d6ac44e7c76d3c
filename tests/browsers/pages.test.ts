import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, inject, test } from "vitest";
import { launchBrowser, launchFirefox } from "../../scripts/lib/browser.mjs";
import { findFirefox } from "../../scripts/lib/drivers.mjs";
import { listenForTrouble, newVisitor, signIn } from "../support/journey";
import { expectNone, expectWhole, HEIGHT, KEPT, lookAt, openSite } from "./site";

/**
 * Every page in Firefox, and some in Chromium with desktop scroll bars; other tests check the rest in Chromium. Nothing
 * may be logged to the console.
 */

const place = inject("app");

/** Answers that some pages must give are reported on the console too, and a style of the test library's for its pictures. */
const EXPECTED = /the server responded with a status of 40[04] |sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA=/;

beforeAll(() => {
  mkdirSync(KEPT, { recursive: true });
});

const windowOf = (name: string, widths: readonly number[], page: Page, pictured: readonly string[]) => ({
  widths,
  pictured,
  visit: (address: string) => page.goto(place.origin + address),
  evaluate: (expression: string) => page.evaluate<string[]>(expression),
  resize: (width: number) => page.setViewportSize({ width, height: HEIGHT }),
  keep: (picture: string) => page.screenshot({ path: path.join(KEPT, `${picture}-${name}.png`), caret: "initial" }),
});

test.runIf(findFirefox())("every page is pressed where it is drawn, fits, and prints nothing, in Firefox", async () => {
  const site = await openSite(place);
  const browser = await launchFirefox(findFirefox());
  try {
    const visitor = await newVisitor(browser, { scripts: true, width: 1_440 });
    const page = await visitor.newPage();
    const trouble = listenForTrouble(page);
    const window = windowOf("firefox", [1_440, 390], page, site.pictured);
    const seen = new Set<string>();
    const problems = await lookAt(window, site.signedOut, seen);
    await signIn(page, place, site.email);
    problems.push(...(await lookAt(window, site.signedIn, seen, true)));
    await visitor.clearCookies();
    await signIn(page, place, site.superAdmin);
    problems.push(...(await lookAt(window, site.ofPlatform, seen)));
    expectNone(problems);
    expect(trouble.filter((line) => !EXPECTED.test(line))).toEqual([]);
    expectWhole(seen);
  } finally {
    await browser.close();
  }
});

test("what is pictured fits where scroll bars take room, in Chromium", async () => {
  const site = await openSite(place);
  const browser = await launchBrowser({ showScrollBars: true });
  try {
    const page = await (await newVisitor(browser, { scripts: true, width: 1_440 })).newPage();
    const trouble = listenForTrouble(page);
    const window = windowOf("chromium", [1_440, 1_024, 834, 390], page, site.pictured);
    const isPublic = (address: string) => site.signedOut.includes(address);
    const problems = await lookAt(window, site.pictured.filter(isPublic), new Set());
    await signIn(page, place, site.email);
    const inside = site.pictured.filter((address) => !isPublic(address));
    problems.push(...(await lookAt(window, inside, new Set())));
    expectNone(problems);
    expect(trouble.filter((line) => !EXPECTED.test(line))).toEqual([]);
  } finally {
    await browser.close();
  }
});
