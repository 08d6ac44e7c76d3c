import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { until } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import {
  addPayee,
  answerAsPayee,
  confirmAddress,
  linkFromMail,
  listenForTrouble,
  newTag,
  newVisitor,
  register,
} from "../support/journey";

const place = inject("app");
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

test.each([
  { scripts: true, how: "with JavaScript" },
  { scripts: false, how: "without JavaScript" },
])("a supplier's bank details become an authorised payment, and changed ones hold it, $how", async ({ scripts }) => {
  const staff = await newVisitor(browser, { scripts });
  const supplier = await newVisitor(browser, { scripts });
  const page = await staff.newPage();
  const trouble = listenForTrouble(page);
  const tag = newTag();
  const payee = {
    name: "Coastline Timber",
    accountName: "Coastline Timber Pty Ltd",
    accountNumber: "12345678",
    email: `accounts@${tag}.example`,
  };

  await register(page, place, tag);
  await confirmAddress(staff, place, `robin@${tag}.example`);
  const verification = await addPayee(page, place, payee);
  await expectText(page.locator("main"), "Commonwealth Bank of Australia");

  await page.getByRole("button", { name: /Verify with Basiq/ }).click();
  await answerAsPayee(supplier, await linkFromMail(place, payee.email, "/verify/"), "close");
  // Asked for without a browser until it is there, because drawing the page each time takes ten times the work.
  const asked = async () => (await staff.request.get(place.origin + verification)).text();
  await until(asked, (html) => /Strong/.test(html), "the bank's answer");
  await page.goto(place.origin + verification);
  await expectText(page.locator("main"), /Strong/);

  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.waitForURL(`${place.origin}/verifications/pending`);
  await expectText(page.locator("main"), "No Pending Verifications");

  await page.goto(`${place.origin}/payments/new`);
  await page.getByRole("link", { name: payee.name }).click();
  await page.getByLabel("Amount").fill("1,250.00");
  await page.getByLabel("Reference").fill("INV-2041");
  await page.getByRole("button", { name: "Check and record" }).click();
  await page.waitForURL(/\/payments\/[0-9a-f-]{36}$/);
  await expectText(page.locator("main"), "Authorised");
  await expectText(page.locator("main"), "$1,250.00");
  const authorised = page.url();

  await page.getByRole("link", { name: payee.name }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Account number").fill("87654321");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Change the bank details" }).click();
  await page.waitForURL(/\/payees\/[0-9a-f-]{36}$/);
  await page.goto(authorised);
  await expectText(page.locator("main"), "were changed after this payment was authorised");

  await page.goto(`${place.origin}/payments/new`);
  await page.getByRole("link", { name: payee.name }).click();
  await page.getByLabel("Amount").fill("980.00");
  await page.getByLabel("Reference").fill("INV-2042");
  await page.getByRole("button", { name: "Check and record" }).click();
  await page.waitForURL(/\/payments\/[0-9a-f-]{36}$/);
  await expectText(page.locator("main"), "Why this payment is held");

  await page.goto(`${place.origin}/dashboard`);
  await expectText(page.locator("main"), "Whitelisted Payees");
  expect(trouble).toEqual([]);

  await page.goto(`${place.origin}/payees`);
  await page.getByText("My Account").click();
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL(`${place.origin}/`);
  await page.goto(`${place.origin}/dashboard`);
  await page.waitForURL(/\/auth/);
  await Promise.all([staff.close(), supplier.close()]);
});

async function expectText(locator: { innerText(): Promise<string> }, text: string | RegExp) {
  await until(
    () => locator.innerText(),
    (shown) => (typeof text === "string" ? shown.includes(text) : text.test(shown)),
    String(text),
  );
}
