import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aDirectEntryFile } from "../support/aba-files";
import { type ApiClient, apiClient } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import { confirmAddressByCall, goOnInBrowser, newTag, newVisitor, PASSWORD } from "../support/journey";

/** A pay run of 100 payments by a person without scripts: check, decide, clear, prove, record the bank's outcome. */

const place = inject("app");
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

const SUPPLIERS = [
  { title: "Coolabah Concrete Pty Ltd", accountNumber: "71000001" },
  { title: "Spinifex Surveying Pty Ltd", accountNumber: "71000002" },
];
const UNVERIFIED = { title: "Mulga Mechanical Pty Ltd", accountNumber: "71000003" };
const STRANGER = { title: "Nobody Known Pty Ltd", accountNumber: "71000009" };

/** 94 payments to two trusted payees, 5 to one that nobody has verified, 1 to an account that belongs to no payee. */
const LINES = Array.from({ length: 100 }, (_, at) => {
  const payee = at < 94 ? SUPPLIERS[at % 2] : at < 99 ? UNVERIFIED : STRANGER;
  return { ...(payee ?? STRANGER), amount: 10_000 + at, reference: `RUN-${at + 1}` };
});

async function anOffice(): Promise<ApiClient> {
  const client = apiClient(place.origin);
  const tag = newTag();
  const email = `sam@${tag}.example`;
  const person = { email, firstName: "Sam", password: PASSWORD, newOrganization: { name: `Organisation ${tag}` } };
  expect((await client.post("/api/register", person)).status).toBe(201);
  for (const { title, accountNumber } of [...SUPPLIERS, UNVERIFIED]) {
    const payee = { name: title, accountName: title, bsb: "062-000", accountNumber };
    const { body } = await client.post("/api/payees", payee);
    if (accountNumber === UNVERIFIED.accountNumber) continue;
    const approval = { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" };
    expect((await client.post(`/api/verifications/${body.verification.id}/review`, approval)).status).toBe(200);
  }
  return client;
}

const shows = (page: Page, text: string) => expect.poll(() => page.locator("main").innerText()).toContain(text);

async function decide(page: Page, button: string, reason: string) {
  await page.getByLabel("Reason").fill(reason);
  await page.getByRole("button", { name: button }).click();
}

async function download(page: Page, link: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: link }).click()]);
  return readFileSync(await file.path());
}

test("a pay run of 100 payments, without scripts", async () => {
  const client = await anOffice();
  const context = await newVisitor(browser, { scripts: false });
  const page = await context.newPage();
  await goOnInBrowser(context, place, client);
  await page.goto(`${place.origin}/payments/files`);
  const upload = { name: "friday.aba", mimeType: "text/plain", buffer: Buffer.from(aDirectEntryFile(LINES)) };
  await page.getByLabel("Payment file", { exact: true }).setInputFiles(upload);
  await page.getByRole("button", { name: "Upload and check" }).click();

  await page.getByRole("heading", { level: 1, name: "friday.aba" }).waitFor();
  const address = page.url().replace(/[?#].*/, "");
  await shows(page, "94 payments");
  await shows(page, "6 payments");

  // All five of one payee by one decision; the stranger by its own.
  await page.getByRole("link", { name: `All payments to ${UNVERIFIED.title}` }).click();
  await decide(page, "Approve 5", "Called them about all five");
  await page.getByText("5 payments approved").waitFor();
  await page.getByRole("link", { name: /^Tick this one/ }).click();
  await expect.poll(() => page.getByRole("checkbox", { name: /101/ }).isChecked()).toBe(true);
  await decide(page, "Reject the ticked payments", "");
  await page.getByText("Nothing was decided").waitFor();
  await expect.poll(() => page.getByRole("checkbox", { name: /101/ }).isChecked()).toBe(true);
  await decide(page, "Reject the ticked payments", "We owe them nothing");
  await page.getByText("1 payment rejected").waitFor();

  await page.getByRole("button", { name: "Clear 99 for the bank" }).click();
  await page.getByText("99 payments, $").first().waitFor();
  const cleared = await download(page, "Download the cleared file");
  const records = cleared
    .toString("latin1")
    .split("\r\n")
    .filter((record) => record.startsWith("1"));
  expect(records).toHaveLength(99);
  expect(records.join()).not.toContain(STRANGER.accountNumber);
  await shows(page, createHash("sha256").update(cleared).digest("hex"));

  await page.goto(`${place.origin}/payments/files/prove`);
  await page.getByLabel("The file", { exact: true }).setInputFiles({ ...upload, buffer: cleared });
  await page.getByRole("button", { name: "Compare" }).click();
  await page
    .getByText(/was cleared/)
    .first()
    .waitFor();

  await page.goto(`${address}/outcomes`);
  await page.getByLabel("Lines that failed").fill("2-3");
  await page.getByLabel("Why they failed").fill("The account is closed");
  await page.getByRole("button", { name: "Record the outcomes" }).click();
  await page.getByText("97 successful, 2 failed.").waitFor();
  const { body } = await client.get(`/api${new URL(address).pathname.replace("payments/files", "payment-files")}`);
  expect(body.file).toMatchObject({ status: "settled", totals: { cleared: 99, settled: 99, rejected: 1 } });

  await page.goto(`${place.origin}/payments?status=failed`);
  await shows(page, "2 payments, $200.01");
  await page.getByRole("searchbox").fill("RUN-2");
  await page.getByRole("button", { name: "Search" }).click();
  await shows(page, "1 payment, $100.01");
  await page.locator("tbody").getByRole("link").first().click();
  await shows(page, "The account is closed");
  await context.close();
});

const CLOSED = { title: "Daintree Pest Control", accountNumber: "71000904" };
const ANOTHER_NAME = { title: "Coastline Electrical", accountNumber: "71000902" };

/** A bank has said that the account of one payee is closed, and that another's has a different name. */
async function anOfficeWhoseBankSpoke() {
  const client = apiClient(place.origin);
  const tag = newTag();
  const email = `una@${tag}.example`;
  const person = { email, firstName: "Una", password: PASSWORD, newOrganization: { name: `Organisation ${tag}` } };
  expect((await client.post("/api/register", person)).status).toBe(201);
  await confirmAddressByCall(client, place, email);
  for (const { title, accountNumber } of [CLOSED, ANOTHER_NAME, UNVERIFIED]) {
    const payee = { name: title, accountName: title, bsb: "062-000", accountNumber };
    const { body } = await client.post("/api/payees", payee);
    if (accountNumber === UNVERIFIED.accountNumber) continue;
    expect((await client.post(`/api/verifications/${body.verification.id}/check`, {})).status).toBe(200);
  }
  return client;
}

test("lines that a bank spoke against are decided one by one", async () => {
  const client = await anOfficeWhoseBankSpoke();
  const context = await newVisitor(browser, { scripts: true });
  const page = await context.newPage();
  await goOnInBrowser(context, place, client);
  await page.goto(`${place.origin}/payments/files`);
  const lines = [CLOSED, ANOTHER_NAME, UNVERIFIED].map((to, at) => ({ ...to, amount: 900_00, reference: `ONE-${at}` }));
  const upload = { name: "monday.aba", mimeType: "text/plain", buffer: Buffer.from(aDirectEntryFile(lines)) };
  await page.getByLabel("Payment file", { exact: true }).setInputFiles(upload);
  await page.getByRole("button", { name: "Upload and check" }).click();
  await page.getByRole("heading", { level: 1, name: "monday.aba" }).waitFor();
  await shows(page, "The bank says that this account is closed.");
  await shows(page, "The account exists, but not under the name you were given.");

  // Only the third line can be ticked, and a group of the other two cannot be decided.
  await expect.poll(() => page.getByRole("checkbox").count()).toBe(1);
  await page.getByRole("link", { name: "The bank's answer counts against the account" }).click();
  await page.getByText("Each of them is decided on its own, with its own reason").waitFor();
  expect(await page.getByRole("button", { name: /^(Approve|Reject)/ }).count()).toBe(0);

  // What is typed for one is never shown for another.
  await page.getByRole("link", { name: "Decide line 2" }).click();
  await page.getByRole("heading", { name: "Line 2: Daintree Pest Control, $900.00" }).waitFor();
  await page.getByLabel("Reason").fill("They sent us a new invoice");
  await page.getByRole("link", { name: "Decide line 3" }).click();
  await page.getByRole("heading", { name: "Line 3: Coastline Electrical, $900.00" }).waitFor();
  await expect.poll(() => page.getByLabel("Reason").inputValue()).toBe("");
  await page.getByRole("button", { name: "Approve this payment" }).click();
  await page.getByText("Nothing was decided").waitFor();
  await decide(page, "Approve this payment", "Mr Pellew trades under this name: contract of 2019");
  await page.getByText("1 payment approved").first().waitFor();

  await page.getByRole("link", { name: "Decide line 2" }).click();
  await page.getByRole("heading", { name: "Line 2: Daintree Pest Control, $900.00" }).waitFor();
  await decide(page, "Reject this payment", "The account is closed");
  await page.getByText("1 payment rejected").first().waitFor();
  await page.getByRole("checkbox", { name: /4/ }).check();
  await decide(page, "Approve the ticked payments", "Called them");
  await page.getByText("1 payment approved").first().waitFor();
  await page.getByRole("button", { name: "Clear 2 for the bank" }).waitFor();
  await context.close();
});
