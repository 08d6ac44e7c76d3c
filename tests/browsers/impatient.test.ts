import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { launchBrowser, launchFirefox } from "../../scripts/lib/browser.mjs";
import { findFirefox, findWebKit } from "../../scripts/lib/drivers.mjs";
import { until } from "../support/api-client";
import { isScripted, scripted } from "../support/fields";
import { listenForTrouble, newVisitor, signIn } from "../support/journey";
import { findRow } from "../support/presses";
import { type Choose, standBetween } from "../support/stand-between";
import { openFirefox } from "./firefox";
import { overhear } from "./overhear";
import { openSite, signInBy } from "./site";
import { type Visitor, visitorOf } from "./visitor";
import type { Session } from "./webdriver";
import { goingOn, openWebKit } from "./webkit";

/** Impatient people on a slow network: whatever is pressed last opens, and nothing is logged. */

const place = inject("app");
let site: Awaited<ReturnType<typeof openSite>>;

beforeAll(async () => {
  site = await openSite(place);
});

const BROWSERS = [
  { name: "Firefox", isThere: Boolean(findFirefox()), launch: () => launchFirefox(findFirefox()) },
  { name: "Chromium", isThere: true, launch: () => launchBrowser() },
];

const PRESSES = [
  { second: "a page of its own", wait: 1_500, ends: "/help" },
  { second: "another page of the product", wait: 0, ends: "/payments" },
];

/** A proxy that holds some requests back until they are released; the others have a set delay. */
function holding(isHeld: (url: string) => boolean, others: Choose = () => ({})) {
  const held: string[] = [];
  let release = () => {};
  const heldUntil = new Promise<void>((resolve) => {
    release = resolve;
  });
  const choose: Choose = (incoming) => {
    const { url = "" } = incoming;
    if (!isHeld(url)) return others(incoming);
    held.push(url);
    return { heldUntil };
  };
  return { choose, held, release };
}

const isScriptOfRow = (url: string) => /\/payees\._id-/.test(url);

/**
 * Requests that may be under way when somebody goes back: nothing waits for them, and nothing happens when they end.
 */
const ON_THEIR_WAY = [
  { what: "the script of the row's page", isHeld: isScriptOfRow, isPressed: true },
  {
    what: "what the row's page shows",
    isHeld: (url: string) => /^\/payees\/[0-9a-f-]{36}\.data/.test(url),
    isPressed: true,
  },
  { what: "what is behind the page's links", isHeld: (url: string) => url.startsWith("/__manifest"), isPressed: false },
];

/** What may be pressed while the page before is on its way. */
const AFTER_BACK = [
  { what: "a link", press: (sam: Visitor) => sam.press("Payments"), ends: "/payments" },
  {
    what: "a form",
    async press(sam: Visitor) {
      await sam.session.type("[role=search] [name=q]", "Albany");
      await sam.press("Search");
    },
    ends: "/payees?q=Albany",
  },
];

/** The scroll containers of a page. */
const MOVED = [
  { at: "/settings/members", box: "main nav", width: 390, height: 900 },
  { at: "/verifications", box: ".inbox-list", width: 1_280, height: 500 },
];

/** The script of a row's page waits, and documents are slow if one is pressed second. */
const slowly = (wait: number) =>
  holding(isScriptOfRow, ({ headers }) => ({ delayMs: headers["sec-fetch-dest"] === "document" ? wait : 100 }));

/** Holds back the scripts that a page loads only to show that it is waiting; its document names the others. */
async function withholding(address: string) {
  const { body: document } = await site.client.get(address);
  expect(document).toContain("<main");
  return holding((url) => url.endsWith(".js") && !document.includes(url));
}

/** Asks a page that may still arrive until it answers; the library's own wait can end with the page before it. */
async function answer<T>(page: Page, box: string, question: (box: string) => T): Promise<T> {
  const ask = () => page.evaluate(question, box).catch(() => null);
  return (await until(ask, Boolean, `${box} on ${page.url()}`)) as T;
}

/** In the page: true while the row's page is loading. */
const isOnItsWay = () => __remixRouter.state.navigation.state === "loading";

/** In the page: whatever was on its way before is here. A page of its own does not wait for anything of another. */
const isAllHere = (held: string) =>
  document.readyState === "complete" &&
  (!("__remixRouter" in window) ||
    location.pathname === "/help" ||
    performance.getEntriesByType("resource").some(({ name }) => name.endsWith(held)));

describe.each(BROWSERS.filter(({ isThere }) => isThere))("in $name", ({ launch }) => {
  let browser: Browser;
  let sam: BrowserContext;
  beforeAll(async () => {
    browser = await launch();
    sam = await newVisitor(browser, { scripts: true });
    await signIn(await sam.newPage(), place, site.email);
  });
  afterAll(() => browser?.close());

  test.each(PRESSES)("a press on a row, then $second while the row's page is on its way", async ({ wait, ends }) => {
    const { choose, held, release } = slowly(wait);
    const slow = await standBetween(place.origin, choose);
    try {
      const page = await sam.newPage();
      const trouble = listenForTrouble(page);
      await page.goto(`${slow.origin}/payees`, { waitUntil: "commit" });
      await page.waitForFunction(() => "__remixRouter" in window);
      await scripted(page);
      await page.locator("a[data-row]").first().click();
      await page.waitForFunction(isOnItsWay);
      await expect.poll(() => held).not.toEqual([]);
      if (ends === "/help") await page.evaluate(() => window.location.assign("/help"));
      else await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Payments" }).click();
      await page.waitForURL(slow.origin + ends);
      // The earlier request arrives now, and must change nothing.
      release();
      await page.waitForFunction(isAllHere, held[0] ?? "");
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
      const page = await sam.newPage();
      await page.goto(`${slow.origin}/payees`);
      await scripted(page);
      await page.locator("a[data-row]").first().click();
      await page.waitForURL(/\/payees\/[0-9a-f-]{36}$/);
      isLost = false;
      await page.reload();
      await page.getByRole("heading", { level: 1 }).waitFor();
    } finally {
      slow.close();
    }
  });

  test.each(MOVED)(
    "$box stays where somebody moved it when the page's scripts arrive",
    async ({ at, box, ...size }) => {
      const { choose, release } = holding((url) => url.endsWith(".js"));
      const slow = await standBetween(place.origin, choose);
      try {
        const page = await sam.newPage();
        const trouble = listenForTrouble(page);
        await page.setViewportSize(size);
        await page.goto(slow.origin + at, { waitUntil: "commit" });
        const moved = await answer(page, box, (box) => {
          const element = document.querySelector(box);
          // No further down than the list goes once its font has arrived and made it shorter.
          element?.scrollBy({ left: 150, top: 60, behavior: "instant" });
          const { scrollLeft = 0, scrollTop = 0 } = element ?? ({} as Partial<Element>);
          return scrollLeft + scrollTop;
        });
        release();
        // The effects of a render are finished two frames later.
        await answer(page, box, (box) => {
          const answers = Object.keys(document.querySelector(box) ?? {}).some((key) => key.startsWith("__reactProps"));
          if (!answers || "drawn" in document.documentElement.dataset) return answers;
          const drawn = () => document.documentElement.setAttribute("data-drawn", "");
          requestAnimationFrame(() => requestAnimationFrame(drawn));
          return false;
        });
        const now = await page
          .locator(box)
          .first()
          .evaluate(({ scrollLeft, scrollTop }) => scrollLeft + scrollTop);
        // A font that arrives may move it by some pixels; a jump is a row and more.
        expect(Math.abs(now - moved)).toBeLessThan(10);
        expect(trouble).toEqual([]);
      } finally {
        slow.close();
      }
    },
  );

  test("a page that is left while a part of it is on its way prints nothing", async () => {
    const { choose, held, release } = await withholding(site.verification);
    const slow = await standBetween(place.origin, choose);
    try {
      const page = await sam.newPage();
      const trouble = listenForTrouble(page);
      await page.goto(slow.origin + site.verification, { waitUntil: "commit" });
      await expect.poll(() => held).not.toEqual([]);
      await page.goto(`${slow.origin}/help`);
      release();
      await page.goto(`${slow.origin}/pricing`);
      expect(trouble).toEqual([]);
    } finally {
      slow.close();
    }
  });

  test("Back after logging out shows nothing of before, over plain http too", async () => {
    const page = await sam.newPage();
    await page.goto(`${place.origin}/payees`);
    await page.getByText("Albany Awnings").first().waitFor();
    await page.goto(`${place.origin}/payments`);
    await page.getByText("My Account").click();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL(`${place.origin}/`);
    for (const before of ["/payments", "/payees"]) {
      // The restored page is left again at once, so the library may not see it.
      await page.goBack({ waitUntil: "commit" }).catch(() => {});
      const isShown = page.evaluate(
        () => document.body?.checkVisibility() && document.body.innerText.includes("Albany"),
      );
      expect(await isShown.catch(() => false)).not.toBe(true);
      await page.waitForURL(`${place.origin}/auth?next=${encodeURIComponent(before)}`);
      expect(await page.locator("body").innerText()).not.toContain("Albany Awnings");
    }
  });
});

describe.runIf(findWebKit().found)("in WebKit", () => {
  const inBrowser = goingOn<Session>({
    async open() {
      const webkit = await openWebKit();
      await webkit.resize(1_280, 900);
      await signInBy(webkit, place.origin, site.email);
      return webkit;
    },
    close: (webkit) => webkit.close(),
  });
  afterAll(inBrowser.end);

  test.each(PRESSES)("a press on a row, then $second while the row's page is on its way", ({ wait, ends }) =>
    inBrowser.run(async (webkit) => {
      const { choose, held, release } = slowly(wait);
      const slow = await overhear(place.origin, choose);
      try {
        const sam = visitorOf(webkit, slow.origin);
        await sam.visit("/payees");
        await webkit.until("scripts that answer", isScripted);
        await webkit.press(await webkit.run(findRow, 0));
        await webkit.until("a page that is on its way", isOnItsWay);
        await expect.poll(() => held).not.toEqual([]);
        if (ends === "/help") await webkit.run(() => window.location.assign("/help"));
        else await sam.press("Payments");
        await sam.arrives(ends);
        release();
        await webkit.until("all that was on its way", isAllHere, held[0] ?? "");
        expect(await sam.path()).toBe(ends);
        expect(slow.trouble).toEqual([]);
      } finally {
        slow.close();
      }
    }),
  );

  test("a page that is left while a part of it is on its way prints nothing", () =>
    inBrowser.run(async (webkit) => {
      const { choose, held, release } = await withholding(site.verification);
      const slow = await overhear(place.origin, choose);
      try {
        const sam = visitorOf(webkit, slow.origin);
        // The driver would wait until the page is complete.
        await webkit.run((address) => window.location.assign(address), slow.origin + site.verification);
        await expect.poll(() => held).not.toEqual([]);
        await webkit.run(() => window.location.assign("/help"));
        await sam.arrives("/help");
        release();
        await sam.visit("/pricing");
        expect(slow.trouble).toEqual([]);
      } finally {
        slow.close();
      }
    }));
});

const BY_THEIR_DRIVERS = [
  { name: "WebKit", isThere: Boolean(findWebKit().found), open: openWebKit },
  // The library that the other tests use is not notified of a page from Firefox's back/forward cache.
  { name: "Firefox", isThere: Boolean(findFirefox()), open: () => openFirefox() },
];

describe.each(BY_THEIR_DRIVERS.filter(({ isThere }) => isThere))("in $name", ({ name, open }) => {
  const inBrowser = goingOn<Session>({
    async open() {
      const session = await open();
      await session.resize(1_280, 900);
      await signInBy(session, place.origin, site.email);
      return session;
    },
    close: (session) => session.close(),
  });
  afterAll(inBrowser.end);

  test.each(ON_THEIR_WAY)("Back while $what is on its way", ({ isHeld, isPressed }) =>
    inBrowser.run(async (session) => {
      const { choose, held, release } = holding(isHeld);
      const slow = await overhear(place.origin, choose);
      try {
        const sam = visitorOf(session, slow.origin);
        await sam.visit("/help");
        await sam.visit("/payees");
        await session.until("scripts that answer", isScripted);
        if (isPressed) {
          await session.press(await session.run(findRow, 0));
          await session.until("a page that is on its way", isOnItsWay);
        }
        await expect.poll(() => held).not.toEqual([]);
        await session.back();
        await sam.arrives("/help");
        release();
        await sam.visit("/pricing");
        await session.back();
        await sam.arrives("/help");
        expect(slow.trouble).toEqual([]);
      } finally {
        slow.close();
      }
    }),
  );

  // WebKit's driver does nothing while a document is on its way.
  test.runIf(name === "Firefox").each(AFTER_BACK)(
    "Back, then $what while the page before is on its way",
    ({ press, ends }) =>
      inBrowser.run(async (session) => {
        let isBack = false;
        const { choose, held } = holding((url) => isBack && url === "/search?q=kestrel");
        let isDropped = false;
        const slow = await overhear(place.origin, (incoming) => {
          const way = choose(incoming);
          if (way.heldUntil) incoming.socket.once("close", () => (isDropped = true));
          return way;
        });
        try {
          const sam = visitorOf(session, slow.origin);
          await sam.visit("/search?q=kestrel");
          await sam.visit("/payees");
          await session.until("scripts that answer", isScripted);
          // A press that leads nowhere: the menu opens and closes.
          await sam.press("My Account");
          await sam.press("My Account");
          isBack = true;
          // The driver's own Back would wait for the page.
          await session.run(() => history.back());
          await expect.poll(() => held).not.toEqual([]);
          await press(sam);
          await expect.poll(() => isDropped).toBe(true);
          await session.until(
            `the page ${ends}`,
            (asked) => location.pathname + location.search === asked && document.readyState === "complete",
            ends,
          );
          expect(slow.trouble).toEqual([]);
        } finally {
          slow.close();
        }
      }),
  );
});
