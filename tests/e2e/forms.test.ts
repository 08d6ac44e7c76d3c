import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeVisits, openBrowser } from "../support/browser";
import { scripted } from "../support/fields";
import { listenForTrouble, newcomer, newTag, newVisitor } from "../support/journey";

/** How people see, hear and correct a refused form. */

const place = inject("app");
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

const TITLE = "Verify a payee · PayeeProof";
const REFUSED = /status of 400/;
const summary = (page: Page) => page.getByRole("alert");

async function onTheForm(scripts: boolean) {
  const visitor = await newVisitor(browser, { scripts });
  await newcomer(visitor, place, newTag());
  const page = await visitor.newPage();
  const trouble = listenForTrouble(page);
  await page.goto(`${place.origin}/payees/verify`);
  return { page, unexpected: () => trouble.filter((line) => !REFUSED.test(line)) };
}

test.each([
  { scripts: true, how: "with JavaScript" },
  { scripts: false, how: "without JavaScript" },
])("a refused form keeps what was typed, leads to each field and says so in its title, $how", async ({ scripts }) => {
  const { page, unexpected } = await onTheForm(scripts);
  expect(await page.title()).toBe(TITLE);
  await page.getByLabel("BSB").fill("12");
  await page.getByRole("button", { name: "Add without a check" }).click();

  await summary(page).getByRole("link", { name: "A BSB has 6 digits, such as 062-000" }).click();
  const bsb = page.getByLabel("BSB");
  await expect.poll(() => bsb.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await bsb.inputValue()).toBe("12");
  expect(await bsb.getAttribute("aria-invalid")).toBe("true");
  expect(await summary(page).count()).toBe(1);
  await expect.poll(() => page.title()).toBe(`Error: ${TITLE}`);

  await page.getByLabel("Account name").fill("Coastline Timber Pty Ltd");
  await page.getByRole("button", { name: "Add without a check" }).click();
  await summary(page).getByText("Enter the account name").waitFor({ state: "detached" });
  await expect.poll(() => page.title()).toBe(`Error: ${TITLE}`);
  expect(await page.getByLabel("Account name").getAttribute("aria-invalid")).toBeNull();

  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Payees", exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe("Payees · PayeeProof");
  expect(unexpected()).toEqual([]);
});

test("a refused form that arrived before the scripts did is taken over by them as it is", async () => {
  const { page, unexpected } = await onTheForm(true);
  await page.getByLabel("BSB").fill("12");
  await Promise.all([
    page.waitForEvent("load"),
    page.evaluate(() => document.querySelector<HTMLInputElement>("main form [name=bsb]")?.form?.submit()),
  ]);
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "alert");
  await scripted(page);
  await expect.poll(() => page.title()).toBe(`Error: ${TITLE}`);

  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Payees", exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe("Payees · PayeeProof");
  expect(unexpected()).toEqual([]);
});

test("the fields say by themselves how much they take", async () => {
  const { page } = await onTheForm(true);
  const attributes = await page.getByLabel("Account name").evaluate((field: HTMLInputElement) => ({
    required: field.required,
    minLength: field.minLength,
    maxLength: field.maxLength,
  }));
  expect(attributes).toEqual({ required: true, minLength: 2, maxLength: 140 });
  expect(await page.getByLabel("Address").evaluate((field: HTMLTextAreaElement) => field.required)).toBe(false);
});

test("invoices that are sent in parts: a part that is lost or refused keeps the page, and is sent again", async () => {
  const visitor = await newVisitor(browser, { scripts: true });
  await newcomer(visitor, place, newTag());
  const page = await visitor.newPage();
  await page.goto(`${place.origin}/invoices`);
  let posts = 0;
  await page.route(/\/invoices\.data/, async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return route.continue();
    posts += 1;
    if (posts === 2) return route.abort("internetdisconnected");
    // Without its files, so that the server refuses it.
    if (posts === 3) {
      const headers = { ...request.headers(), "content-type": "application/x-www-form-urlencoded" };
      return route.continue({ headers, postData: "nothing=1" });
    }
    return route.continue();
  });
  const files = Array.from({ length: 7 }, (_, at) => ({
    name: `invoice-${at}.eml`,
    mimeType: "message/rfc822",
    buffer: Buffer.from(`From: Karri <hello@karri.example>\r\nSubject: Invoice ${at}\r\n\r\nTax invoice INV-${at}\r\n`),
  }));
  await page.getByLabel("Invoices", { exact: true }).setInputFiles(files);
  await page.getByRole("button", { name: "Read and check" }).click();
  const others = page.getByRole("button", { name: "Send the other 2" });
  const rows = page.getByRole("table").getByRole("link");

  await page.getByText("We could not reach PayeeProof").waitFor();
  await page.getByText("5 uploaded").waitFor();
  expect(await rows.count()).toBe(0);
  await others.click();
  await page.getByText("Choose an invoice").waitFor();
  await expect.poll(() => rows.count()).toBe(5);
  await others.click();
  await page.getByText("7 uploaded").waitFor();
  await expect.poll(() => rows.count()).toBe(7);
  expect(posts).toBe(4);
});
