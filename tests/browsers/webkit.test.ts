import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findWebKit } from "../../scripts/lib/drivers.mjs";
import { findRow } from "../support/presses";
import { overhear } from "./overhear";
import { expectWhole, HEIGHT, KEPT, lookAt, openSite, SUPPLIERS, signInBy } from "./site";
import type { Session } from "./webdriver";
import { openWebKit } from "./webkit";

/** Every page in Safari's engine, and a press on a row of every list; nothing is printed on its console. */

const place = inject("app");
/** Rows are cards where the page's column is narrow; there a finger presses them. */
const ROW_WIDTHS = [390, 834, 1_024, 1_440];
const LISTS = [
  ...["/payees", "/verifications", "/verifications/all", "/verifications/pending"],
  ...["/payments", "/payments/files", "/invoices"],
];

let webkit: Session;
let way: Awaited<ReturnType<typeof overhear>>;
let site: Awaited<ReturnType<typeof openSite>>;
const seen = new Set<string>();

/** Pages of links that nobody sent answer as they must. */
const isOfUnknown = (line: string) => /^GET \/(\S+\/unknown|nowhere|bank-consent)\S*: 40[04]$/.test(line);

const windowAt = () => ({
  widths: [1_440, 1_024, 390],
  pictured: site.pictured,
  visit: (address: string) => webkit.visit(way.origin + address),
  run: <R>(script: () => R) => webkit.run(script),
  resize: resizeTo,
  async keep(picture: string) {
    // The window may still show the page in the width before.
    await webkit.run(() => {
      const drawn = () => document.documentElement.setAttribute("data-drawn", "");
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    });
    await webkit.until("a page that is drawn", () => document.documentElement.hasAttribute("data-drawn"));
    writeFileSync(path.join(KEPT, `${picture}-webkit.png`), await webkit.picture());
  },
});

/** WebKit goes on to count some boxes as wide as they were in a wider window, until they are laid out anew. */
async function resizeTo(width: number) {
  await webkit.resize(width, HEIGHT);
  await webkit.run(() => {
    const { style } = document.body;
    style.display = "none";
    void document.body.offsetWidth;
    style.display = "";
  });
}

describe.runIf(findWebKit().found)("in WebKit", () => {
  beforeAll(async () => {
    mkdirSync(KEPT, { recursive: true });
    site = await openSite(place);
    way = await overhear(place.origin);
    webkit = await openWebKit();
  });

  afterAll(async () => {
    await webkit?.close();
    way?.close();
  });

  test("what a page prints is heard, and what its policy refuses", async () => {
    await webkit.visit(`${way.origin}/pricing`);
    await webkit.run(() => {
      console.error("told on purpose");
      setTimeout(() => {
        throw new Error("thrown on purpose");
      });
      const image = document.createElement("img");
      image.src = "http://elsewhere.example/a.png";
      document.body.appendChild(image);
    });
    await expect.poll(() => way.trouble.join("\n")).toMatch(/refused by the policy: .*elsewhere\.example/);
    await expect.poll(() => way.trouble.join("\n")).toMatch(/thrown on purpose/);
    expect(way.trouble.join("\n")).toContain("/pricing: told on purpose");
    way.trouble.length = 0;
  });

  test("every public page is pressed where it is drawn, fits, and prints nothing", async () => {
    expect(await lookAt(windowAt(), site.signedOut, seen)).toEqual([]);
    expect(way.trouble.filter((line) => !isOfUnknown(line))).toEqual([]);
  });

  test("every page of the product is pressed where it is drawn, fits, and prints nothing", async () => {
    way.trouble.length = 0;
    await signInBy(webkit, way.origin, site.email);
    expect(await lookAt(windowAt(), site.signedIn, seen, true)).toEqual([]);
    expect(way.trouble).toEqual([]);
  });

  describe.each(ROW_WIDTHS)("at %d px", (width) => {
    beforeAll(() => webkit.resize(width, HEIGHT));

    test.each(LISTS)("a press in the middle of a row of %s opens that row's record", async (list) => {
      way.trouble.length = 0;
      await webkit.visit(way.origin + list);
      const isLong = list !== "/invoices";
      await webkit.until(
        `rows on ${list}`,
        (rows) => document.querySelectorAll("a[data-row], a[data-item]").length >= rows,
        isLong ? SUPPLIERS.length : 1,
      );
      // Neither the first nor the last: either could be the one that lies over all others.
      const row = await webkit.run(findRow, isLong ? 2 : 0);
      await webkit.press(row, width < 1_000 ? "touch" : "mouse");
      await webkit.until(`the record of ${row.name}`, (path) => location.pathname === path, row.path);
      await webkit.until(
        `the name ${row.name}`,
        (name) => document.querySelector("main")?.innerText.includes(name) === true,
        row.name,
      );
      expect(way.trouble).toEqual([]);
    });
  });

  test("every page of the platform's administrators, too", async () => {
    way.trouble.length = 0;
    await webkit.forgetCookies();
    await signInBy(webkit, way.origin, site.superAdmin);
    expect(await lookAt(windowAt(), site.ofPlatform, seen)).toEqual([]);
    expect(way.trouble).toEqual([]);
    expectWhole(seen);
  });
});
