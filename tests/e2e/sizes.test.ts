import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { PUBLIC_PATHS } from "~/routes/_public+/sitemap[.]xml";
import { sitePaths } from "../../app/kernel/paths/site";
import { type ApiClient, apiClient } from "../support/api-client";
import { isFirefox, launch } from "../support/browser";
import { confirmAddressByCall, goOnInBrowser, newTag, newVisitor, PASSWORD } from "../support/journey";
import { findSmallFields, layoutShifts, recordLayoutShifts } from "../support/presses";
import { standBetween } from "../support/stand-between";

/** Sizes that depend on the browser: scroll bars that take room, letters in fields, and the height of text boxes. */

const place = inject("app");
const PAGES = [
  "/auth",
  "/auth?tab=register",
  "/dashboard",
  "/payees",
  "/payees/verify",
  "/settings",
  "/settings/policies",
];

const CAIRNS = { name: "Cairns Catering", accountName: "Cairns Catering Pty Ltd" };

let browser: Browser;
let client: ApiClient;
let verification: string;
/** The bank does not confirm the name: an approval needs a reason. */
let doubtful: string;

beforeAll(async () => {
  // The other journeys hide scroll bars, as the test library does by itself.
  browser = await launch(true);
  const email = `sam@${newTag()}.example`;
  client = apiClient(place.origin);
  const person = { email, firstName: "Sam", password: PASSWORD, newOrganization: { name: `Office of ${email}` } };
  expect((await client.post("/api/register", person)).status).toBe(201);
  await confirmAddressByCall(client, place, email);
  const checked = async (name: string, accountNumber: string) => {
    const payee = { name, accountName: name, bsb: "062-000", accountNumber };
    const { id } = (await client.post("/api/payees", payee)).body.verification;
    expect((await client.post(`/api/verifications/${id}/check`, {})).status).toBe(200);
    return `/verifications/${id}`;
  };
  verification = await checked("Albany Awnings", "68000001");
  doubtful = await checked("Broome Bricks", "68000902");
});

afterAll(() => browser?.close());

/** In the page: finds elements that scroll vertically, other than text boxes. */
const findBars = () =>
  [...document.querySelectorAll<HTMLElement>("body *:not(textarea):not(select)")].flatMap((element) => {
    const { overflowY } = getComputedStyle(element);
    const over = element.scrollHeight - element.clientHeight;
    return (overflowY === "auto" || overflowY === "scroll") && over > 0
      ? [`${element.tagName} ${element.getAttribute("aria-label") ?? element.className.slice(0, 40)}: ${over} px`]
      : [];
  });

/** Each page is opened once and looked at in every width, signed out and signed in. */
async function findAtWidths(page: Page, addresses: string[], widths: number[], find: () => string[]) {
  const found: string[] = [];
  for (const address of addresses) {
    await page.goto(place.origin + address);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 820 });
      found.push(...(await page.evaluate(find)).map((fault) => `${address} at ${width} px: ${fault}`));
    }
  }
  return found;
}

test("nothing but the page has a vertical scroll bar", async () => {
  const context = await newVisitor(browser, { scripts: true });
  const page = await context.newPage();
  const widths = [390, 1_024, 1_440];
  expect(await findAtWidths(page, PAGES.slice(0, 2), widths, findBars)).toEqual([]);
  await goOnInBrowser(context, place, client);
  expect(await findAtWidths(page, [...PAGES.slice(2), verification], widths, findBars)).toEqual([]);
  await context.close();
});

/** In the page: an organisation's name in the rail that is not shown whole. */
const findCutName = () =>
  [...document.querySelectorAll(".rail-name")].flatMap(({ scrollHeight, scrollWidth, clientHeight, clientWidth }) =>
    scrollHeight > clientHeight + 1 || scrollWidth > clientWidth ? [`${scrollWidth} x ${scrollHeight} px`] : [],
  );

/** In the page: lists that are drawn as cards, and cells whose words reach beyond their column. */
const findNoTable = () =>
  [...document.querySelectorAll("main .lines > table")].flatMap((table) => {
    if (getComputedStyle(table).display !== "table") return ["drawn as cards"];
    return [...table.querySelectorAll("td > div")].flatMap(({ scrollWidth, clientWidth, textContent }) =>
      scrollWidth > clientWidth ? [`${textContent}: ${scrollWidth} px in ${clientWidth}`] : [],
    );
  });

test("beside the narrow rail the organisation's name is whole, and lists are tables that fit", async () => {
  const context = await newVisitor(browser, { scripts: false });
  await goOnInBrowser(context, place, client);
  const page = await context.newPage();
  const lists = ["/payees", "/verifications/pending", "/verifications/all", "/payments", "/settings/members", "/audit"];
  expect(await findAtWidths(page, lists, [1_024, 1_280], findCutName)).toEqual([]);
  expect(await findAtWidths(page, lists, [1_024], findNoTable)).toEqual([]);
  await context.close();
});

test("without scripts the filters of a phone's list are one row with the current one in view", async () => {
  const context = await newVisitor(browser, { scripts: false, width: 390 });
  await goOnInBrowser(context, place, client);
  const page = await context.newPage();
  for (const filter of ["", "?status=archived"]) {
    await page.goto(`${place.origin}/payees${filter}`);
    const row = page.getByRole("navigation", { name: "Status" });
    expect((await row.boundingBox())?.height).toBeLessThan(80);
    const current = await row.locator("[aria-current]").boundingBox();
    expect(current && current.x >= 0 && current.x + current.width <= 390).toBe(true);
  }
  await context.close();
});

test.skipIf(isFirefox)(
  "with letters of twice the size in the browser's settings, public pages fit a phone",
  async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 820 } });
    const page = await context.newPage();
    const settings = await context.newCDPSession(page);
    await settings.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    await page.goto(place.origin);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("32px");
    const wide = () => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth ? [`${scrollWidth} px wide`] : [];
    };
    const addresses = [...PUBLIC_PATHS, sitePaths.apiDocsGroup("connections"), sitePaths.apiDocsGroup("verifications")];
    expect(await findAtWidths(page, addresses, [390], wide)).toEqual([]);
    await context.close();
  },
);

test("letters in fields have 16 px or more where fingers press", async () => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const widths = [390, 844, 1_180];
  expect(await findAtWidths(page, ["/auth"], widths, findSmallFields)).toEqual([]);
  await goOnInBrowser(context, place, client);
  const addresses = [...PAGES.slice(2), "/payments/files", "/payees/import", verification];
  expect(await findAtWidths(page, addresses, widths, findSmallFields)).toEqual([]);
  await context.close();
});

/** What a person presses to reject: the button of the form, or the link of the short bar that leads to its reason. */
const inReach = async (page: Page, height: number) => {
  const button = page.getByRole("button", { name: "Reject", exact: true });
  const controls = await button.or(page.getByRole("link", { name: "Reject...", exact: true })).all();
  const boxes = await Promise.all(controls.map((control) => control.boundingBox()));
  return boxes.some((box) => box && box.y >= 0 && box.y + box.height <= height);
};

test("where text boxes do not grow by themselves, Reject is in reach at 900 px and two lines fit", async () => {
  const context = await newVisitor(browser, { scripts: true, width: 1_440 });
  await goOnInBrowser(context, place, client);
  const page = await context.newPage();
  for (const width of [1_024, 1_440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const address of [verification, doubtful]) {
      await page.goto(place.origin + address);
      await forgetFieldSizing(page);
      await expect.poll(async () => [width, address, await inReach(page, 900)]).toEqual([width, address, true]);
      const height = (await page.getByLabel("Reason for rejecting").boundingBox())?.height ?? 0;
      expect(height).toBeGreaterThan(50);
      expect(height).toBeLessThan(120);
    }
  }
  expect(await page.getByLabel("How did you confirm the details?").isVisible()).toBe(true);
  await context.close();
});

test.each([true, false])(
  "a red verdict leaves its comparison free and rejects with its reason in view (scripts: %s)",
  async (scripts) => {
    const context = await newVisitor(browser, { scripts, width: 1_440 });
    await goOnInBrowser(context, place, client);
    const page = await context.newPage();
    for (const height of [900, 650]) {
      await page.setViewportSize({ width: 1_440, height });
      await page.goto(place.origin + doubtful);
      for (const y of [0, 400]) {
        await page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), y);
        await expect.poll(async () => [height, y, await inReach(page, height)]).toEqual([height, y, true]);
      }
      // Each row of the comparison can be scrolled to where nothing covers it.
      const row = page.getByRole("rowheader", { name: "Account number" });
      await row.scrollIntoViewIfNeeded();
      await row.click({ trial: true });
      expect(await page.getByRole("link", { name: /^Approve/ }).count()).toBe(0);
      await page.getByRole("link", { name: "Reject...", exact: true }).click();
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("reject-reason");
      // The page may scroll there slowly.
      const isInView = async () => {
        const box = await page.getByLabel("Reason for rejecting").boundingBox();
        return box && box.y > 0 && box.y + box.height <= height;
      };
      await expect.poll(isInView).toBe(true);
      expect(await page.getByRole("button", { name: "Reject", exact: true }).isVisible()).toBe(true);
    }
    await context.close();
  },
);

test("beside the Inbox at 1,024 px the bar of a red verdict is beside the reason for rejecting, not over it", async () => {
  const context = await newVisitor(browser, { scripts: false, width: 1_024 });
  await goOnInBrowser(context, place, client);
  const page = await context.newPage();
  await page.goto(`${place.origin}${doubtful}?from=inbox`);
  const reason = await page.getByLabel("Reason for rejecting").boundingBox();
  const bar = await page.locator(".decision-bar").boundingBox();
  expect(reason && bar && reason.x + reason.width <= bar.x).toBe(true);
  await context.close();
});

/** As in a browser without support for `field-sizing`. */
const forgetFieldSizing = (page: Page) =>
  page.evaluate(() => {
    for (const box of document.querySelectorAll("textarea")) box.style.setProperty("field-sizing", "fixed");
  });

test("an iPhone can choose each file that is taken: endings it does not know come with their types", async () => {
  const context = await newVisitor(browser, { scripts: false });
  await goOnInBrowser(context, place, client);
  const page = await context.newPage();
  await page.goto(`${place.origin}/payments/files`);
  expect(await page.locator("input[type=file]").getAttribute("accept")).toBeNull();
  await page.goto(`${place.origin}/payees/import`);
  const accept = await page.locator("input[type=file]").getAttribute("accept");
  expect(accept?.split(",")).toEqual(
    expect.arrayContaining([
      "text/csv",
      "text/tab-separated-values",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]),
  );
  await context.close();
});

test("nothing moves away under the pointer when the scripts of a page arrive", async () => {
  // The Inbox says how much waits, which takes room beside its title.
  const { body } = await client.post("/api/payees", { ...CAIRNS, bsb: "062-000", accountNumber: "68000003" });
  await client.post("/api/payments", { payeeId: body.payee.id, amount: 52_510, reference: "R-1" });
  const slow = await standBetween(place.origin, ({ url = "" }) => ({ delayMs: url.endsWith(".js") ? 300 : 0 }));
  const context = await newVisitor(browser, { scripts: true });
  try {
    await goOnInBrowser(context, { ...place, origin: slow.origin }, client);
    const page = await context.newPage();
    await page.addInitScript(recordLayoutShifts);
    const found: string[] = [];
    for (const width of [1_024, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const address of ["/verifications", "/verifications/pending", verification, `${verification}?from=inbox`]) {
        await page.goto(slow.origin + address);
        await page.getByRole("button", { name: "Keys", exact: true }).waitFor();
        found.push(...(await page.evaluate(layoutShifts)).map((move) => `${address} at ${width} px: ${move}`));
      }
    }
    expect(found).toEqual([]);
  } finally {
    await context.close();
    slow.close();
  }
});
