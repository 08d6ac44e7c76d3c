import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type ApiClient, apiClient } from "../support/api-client";
import { closeVisits, isFirefox, openBrowser } from "../support/browser";
import { goOnInBrowser, newTag, newVisitor, PASSWORD } from "../support/journey";
import { findCovered, findRow } from "../support/presses";

/** A press anywhere in a list row opens that row's record, and no element covers another. */

const place = inject("app");
const CERTIFIED = { name: "Dubbo Dairies", accountName: "Dubbo Dairies Pty Ltd" };
const SUPPLIERS = ["Albany Awnings", "Broome Bricks", "Cairns Catering"];

let browser: Browser;
let client: ApiClient;

beforeAll(async () => {
  browser = await openBrowser();
  const email = `sam@${newTag()}.example`;
  client = apiClient(place.origin);
  const person = { email, firstName: "Sam", password: PASSWORD, newOrganization: { name: `Office of ${email}` } };
  expect((await client.post("/api/register", person)).status).toBe(201);
  for (const [at, name] of SUPPLIERS.entries()) {
    const payee = { name, accountName: `${name} Pty Ltd`, bsb: "062-000", accountNumber: `6700000${at}` };
    const { body } = await client.post("/api/payees", payee);
    await client.post("/api/payments", { payeeId: body.payee.id, amount: 10_000 + at, reference: `R-${at}` });
  }
});

afterAll(() => closeVisits(browser));

const WIDTHS = [390, 1_024, 1_100, 1_440];

test.each([
  { scripts: true, width: 1_440, how: "with JavaScript on a desk" },
  { scripts: false, width: 390, how: "without JavaScript on a phone" },
])("a press in the middle of a row opens its record and covers nothing, $how", async ({ scripts, width }) => {
  const visitor = await newVisitor(browser, { scripts });
  await goOnInBrowser(visitor, place, client);
  const page = await visitor.newPage();
  for (const list of ["/payees", "/verifications/all", "/verifications/pending", "/payments"]) {
    for (const index of [0, 1]) {
      await page.goto(place.origin + list);
      for (const each of index === 0 ? [...WIDTHS, width] : []) {
        await page.setViewportSize({ width: each, height: 900 });
        expect([each, await page.evaluate(findCovered)]).toEqual([each, []]);
      }
      const row = await page.evaluate(findRow, index);
      await page.mouse.click(row.x, row.y);
      await page.waitForURL(({ pathname }) => pathname === row.path);
    }
  }
  await visitor.close();
});

test("a press on the word of a payee's risk opens the payee, on a desk and on a phone", async () => {
  const visitor = await newVisitor(browser, { scripts: true });
  await goOnInBrowser(visitor, place, client);
  const page = await visitor.newPage();
  for (const width of [1_440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${place.origin}/payees`);
    const row = await page.evaluate(findRow, 1);
    const shown = page.getByTitle("Never verified.").nth(1);
    const word = await shown.getByText("Medium", { exact: true }).boundingBox();
    if (!word) throw new Error("the row says no risk");
    // The row's link lies over the word.
    await page.mouse.click(word.x + word.width / 2, word.y + word.height / 2);
    await page.waitForURL(({ pathname }) => pathname === row.path);
  }
  await visitor.close();
});

/** In the page: cells that do not begin below the heading of their column. */
const findAstray = () => {
  const shown = (row: HTMLTableRowElement | undefined) =>
    [...(row?.cells ?? [])].filter((cell) => cell.offsetWidth > 0);
  return [...document.querySelectorAll<HTMLTableElement>("main table")].flatMap(({ tHead, tBodies }) => {
    const heads = shown(tHead?.rows[0]).map((head) => head.getBoundingClientRect().left);
    const cells = [...tBodies].flatMap(({ rows }) =>
      [...rows].flatMap((row) => shown(row).map((cell, at) => ({ cell, at }))),
    );
    return cells.flatMap(({ cell, at }) =>
      Math.abs(cell.getBoundingClientRect().left - (heads[at] ?? Number.NaN)) < 2 ? [] : [`${at}: ${cell.textContent}`],
    );
  });
};

// Firefox cannot emulate print media.
test.skipIf(isFirefox)("what is printed of a list: every row below its headings, and nothing to press", async () => {
  const visitor = await newVisitor(browser, { scripts: false, width: 794 });
  await goOnInBrowser(visitor, place, client);
  const page = await visitor.newPage();
  await page.emulateMedia({ media: "print" });
  for (const list of [
    "/payees",
    "/verifications/all",
    "/verifications/pending",
    "/payments",
    "/payments?status=held",
  ]) {
    await page.goto(place.origin + list);
    const rows = page.locator("main tbody tr");
    expect(await rows.count()).toBe(SUPPLIERS.length);
    for (const row of await rows.all()) expect(await row.isVisible()).toBe(true);
    expect([list, await page.evaluate(findAstray)]).toEqual([list, []]);
    expect(await page.locator("main :is(button, input, select, textarea):visible").count()).toBe(0);
  }
  await page.goto(`${place.origin}/settings/members`);
  // The list to choose a role from is not printed, the role is.
  expect(await page.locator("main tbody span:visible", { hasText: /^Administrator$/ }).count()).toBe(1);
  expect(await page.locator("main :is(button, select):visible").count()).toBe(0);
  await page.goto(`${place.origin}/verifications`);
  expect(await page.locator("main [data-item]:visible").count()).toBeGreaterThanOrEqual(SUPPLIERS.length);
  await visitor.close();
});

test.skipIf(isFirefox)("the certificate of a verification fits one sheet", async () => {
  const { body } = await client.post("/api/payees", { ...CERTIFIED, bsb: "062-000", accountNumber: "67000009" });
  const review = `/api/verifications/${body.verification.id}/review`;
  const decision = { approved: true, addToGlobalWhitelist: false, reason: "Called them on the number in the contract" };
  expect((await client.post(review, decision)).status).toBe(200);
  const visitor = await newVisitor(browser, { scripts: false });
  await goOnInBrowser(visitor, place, client);
  const page = await visitor.newPage();
  await page.goto(`${place.origin}/verifications/${body.verification.id}/certificate`);
  const printed = await page.pdf({ format: "A4" });
  expect(printed.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(1);
  await visitor.close();
});
