import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findWebKit } from "../../scripts/lib/drivers.mjs";
import { signInBy } from "./an-office";
import { overhear } from "./overhear";
import { HEIGHT, KEPT, lookAt, openSite, WIDTHS } from "./site";
import type { Session } from "./webdriver";
import { openWebKit } from "./webkit";

/** Every page in Safari's engine; nothing is printed on its console. */

const place = inject("app");
let webkit: Session;
let way: Awaited<ReturnType<typeof overhear>>;
let site: Awaited<ReturnType<typeof openSite>>;

const window = {
  widths: WIDTHS,
  visit: (address: string) => webkit.visit(way.origin + address),
  run: <R>(script: () => R) => webkit.run(script),
  resize: (width: number) => webkit.resize(width, HEIGHT),
  async keep(picture: string) {
    // The window may still show the page in the width before.
    await webkit.run(() => {
      const drawn = () => document.documentElement.setAttribute("data-drawn", "");
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    });
    await webkit.until("a page that is drawn", () => document.documentElement.hasAttribute("data-drawn"));
    writeFileSync(path.join(KEPT, `${picture}-webkit.png`), await webkit.picture());
  },
};

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

  test("every public page is pressed where it is drawn, fits, and prints nothing", { timeout: 1_800_000 }, async () => {
    expect((await lookAt(window, site.whole.signedOut, { follow: false })).problems).toEqual([]);
    expect(way.trouble.filter((line) => !/^GET \/(verify|certificates)\/unknown/.test(line))).toEqual([]);
  });

  test("every page of the product is pressed where it is drawn, fits, and prints nothing", {
    timeout: 1_800_000,
  }, async () => {
    way.trouble.length = 0;
    await signInBy(webkit, way.origin, site.email);
    const { problems, pages } = await lookAt(window, site.whole.signedIn, { follow: true });
    expect(problems).toEqual([]);
    expect(pages.length).toBeGreaterThan(40);
    expect(way.trouble).toEqual([]);
  });
});
