import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { launchBrowser, launchFirefox } from "../../scripts/lib/browser.mjs";
import { findFirefox, findWebKit } from "../../scripts/lib/drivers.mjs";
import { listenForTrouble, newTag, newVisitor, signIn } from "../support/journey";
import { findRow } from "../support/presses";
import { type Choose, standBetween } from "../support/stand-between";
import { makeOffice, signInBy } from "./an-office";
import { overhear } from "./overhear";
import { visitorOf } from "./visitor";
import { openWebKit } from "./webkit";

/** A slow network and somebody who does not wait: the last thing pressed is what opens, and nothing is printed. */

const place = inject("app");
const SLOW_MS = 3_000;
let email: string;

beforeAll(async () => {
  email = `sam@${newTag()}.example`;
  await makeOffice(place.origin, email);
});

const BROWSERS = [
  { name: "Firefox", isThere: Boolean(findFirefox()), launch: () => launchFirefox(findFirefox()) },
  { name: "Chromium", isThere: true, launch: () => launchBrowser() },
];

const PRESSES = [
  { second: "a page of its own", wait: 1_500, ends: "/help" },
  { second: "another page of the product", wait: 0, ends: "/payments" },
];

/** The row's page is slow, and so are documents where a document is pressed second. */
const slowly =
  (wait: number): Choose =>
  ({ url = "", headers }) => {
    if (/\/payees\._id-/.test(url)) return { delayMs: SLOW_MS };
    return { delayMs: headers["sec-fetch-dest"] === "document" ? wait : 100 };
  };

describe.each(BROWSERS.filter(({ isThere }) => isThere))("in $name", ({ launch }) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  test.each(PRESSES)("a press on a row, then $second while the row's page is on its way", async ({ wait, ends }) => {
    const slow = await standBetween(place.origin, slowly(wait));
    try {
      const page = await (await newVisitor(browser, { scripts: true })).newPage();
      await signIn(page, place, email);
      const trouble = listenForTrouble(page);
      await page.goto(`${slow.origin}/payees`, { waitUntil: "commit" });
      await page.waitForFunction(() => "__remixRouter" in window);
      const asked = page.waitForRequest(/payees\._id-/);
      await page.locator("a[data-row]").first().click();
      await asked;
      await page.waitForTimeout(200);
      if (ends === "/help") await page.evaluate(() => window.location.assign("/help"));
      else await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Payments" }).click();
      await page.waitForURL(slow.origin + ends);
      // What was on its way first arrives now, and changes nothing.
      await page.waitForTimeout(SLOW_MS);
      expect(page.url()).toBe(slow.origin + ends);
      expect(trouble).toEqual([]);
    } finally {
      slow.close();
    }
  });

  test("a row whose page cannot be loaded in the open page is asked for as a page of its own", async () => {
    let isLost = true;
    const slow = await standBetween(place.origin, ({ url = "" }) => ({ isLost: isLost && /\/payees\._id-/.test(url) }));
    try {
      const page = await (await newVisitor(browser, { scripts: true })).newPage();
      await signIn(page, place, email);
      await page.goto(`${slow.origin}/payees`);
      await page.locator("a[data-row]").first().click();
      await page.waitForURL(/\/payees\/[0-9a-f-]{36}$/);
      isLost = false;
      await page.reload();
      await page.getByRole("heading", { level: 1 }).waitFor();
    } finally {
      slow.close();
    }
  });

  test("Back after logging out shows nothing of before, over plain http too", async () => {
    const page = await (await newVisitor(browser, { scripts: true })).newPage();
    await signIn(page, place, email);
    await page.goto(`${place.origin}/payees`);
    await page.getByText("Albany Awnings").first().waitFor();
    await page.goto(`${place.origin}/payments`);
    await page.getByText("My Account").click();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL(`${place.origin}/`);
    for (let back = 0; back < 3; back++) {
      await page.goBack().catch(() => {});
      await page.waitForURL(/\/auth|\/$/);
      expect(await page.locator("body").innerText()).not.toContain("Albany Awnings");
    }
  });
});

describe.runIf(findWebKit().found)("in WebKit", () => {
  test.each(PRESSES)("a press on a row, then $second while the row's page is on its way", async ({ wait, ends }) => {
    let isAsked = false;
    const slow = await overhear(place.origin, (incoming) => {
      isAsked ||= /\/payees\._id-/.test(incoming.url ?? "");
      return slowly(wait)(incoming);
    });
    const webkit = await openWebKit();
    try {
      await webkit.resize(1_280, 900);
      await signInBy(webkit, place.origin, email);
      const sam = visitorOf(webkit, slow.origin);
      await sam.visit("/payees");
      await webkit.until("scripts", () => "__remixRouter" in window);
      await webkit.press(await webkit.run(findRow, 0));
      await expect.poll(() => isAsked, { timeout: 20_000 }).toBe(true);
      if (ends === "/help") await webkit.run(() => window.location.assign("/help"));
      else await sam.press("Payments");
      await sam.arrives(ends);
      await new Promise((done) => setTimeout(done, SLOW_MS));
      expect(await sam.path()).toBe(ends);
      expect(slow.trouble).toEqual([]);
    } finally {
      await webkit.close();
      slow.close();
    }
  });
});
