import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type ApiClient, apiClient } from "../support/api-client";
import { closeVisits, isFirefox, openBrowser } from "../support/browser";
import { confirmAddress, linkFromMail, listenForTrouble, newTag, newVisitor, PASSWORD } from "../support/journey";
import { findProblems } from "../support/page-checks";

/** A payee opens the link in an email on a phone, with and without JavaScript. */

const place = inject("app");
const PHONE = 390;
let browser: Browser;
let staff: ApiClient;
let organization: string;

beforeAll(async () => {
  browser = await openBrowser();
  staff = apiClient(place.origin);
  const tag = newTag();
  organization = `Organisation ${tag}`;
  const person = { email: `jo@${tag}.example`, firstName: "Jo", password: PASSWORD };
  const context = await newVisitor(browser, { scripts: false });
  const data = { ...person, newOrganization: { name: organization } };
  expect((await context.request.post(`${place.origin}/api/register`, { data })).status()).toBe(201);
  await confirmAddress(context, place, person.email);
  await context.close();
  const { email, password } = person;
  expect((await staff.post("/api/login", { email, password })).status).toBe(200);
});

afterAll(() => closeVisits(browser));

let accounts = 70_000_000;

/** The link that a new payee was mailed. */
async function aLink(options: { bankCheck: boolean }): Promise<{ link: string; verificationId: string }> {
  const email = `pay@${newTag()}.example`;
  const payee = { name: "Kestrel Glass", accountName: "Kestrel Glass Pty Ltd", bsb: "062000", email };
  const added = await staff.post("/api/payees", { ...payee, accountNumber: String(accounts++) });
  expect(added.status).toBe(201);
  const verificationId = added.body.verification.id as string;
  const call = options.bankCheck ? "verify-basiq" : "send-link";
  const started = await staff.post(
    `/api/verifications/${verificationId}/${call}`,
    options.bankCheck ? {} : { channel: "email" },
  );
  expect(started.status).toBe(202);
  return { link: await linkFromMail(place, email, "/verify/"), verificationId };
}

async function aPayee(options: { scripts: boolean; width?: number }): Promise<Page> {
  const context = await newVisitor(browser, { width: PHONE, ...options });
  return context.newPage();
}

/** The page is drawn a moment after its address is reached. */
const isHeaded = (page: Page, heading: string) => expect.poll(() => page.locator("h1").innerText()).toBe(heading);
const says = (page: Page, text: string) => expect.poll(() => page.locator("main").innerText()).toContain(text);
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

test("a payee says that these are not their details", async () => {
  const { link, verificationId } = await aLink({ bankCheck: false });
  const page = await aPayee({ scripts: isFirefox });
  const trouble = listenForTrouble(page);
  await page.goto(link);
  expect(await page.title()).toBe("Confirm your bank details · PayeeProof");
  expect(await page.locator("header").innerText()).toContain(organization);
  expect(await page.locator("dl").innerText()).toMatch(/Kestrel Glass Pty Ltd[\s\S]*062-000[\s\S]*700\d{5}/);
  await page.getByLabel("What is wrong").fill("We closed this account.");
  await press(page, "These are not my details");
  await page.waitForURL(/answered=no/);
  await isHeaded(page, "Thank you for telling us");
  expect(trouble).toEqual([]);
  const known = await staff.get(`/api/verifications/${verificationId}`);
  expect(known.body).toMatchObject({ status: "pending", disputedByPayeeAt: expect.any(String) });

  const again = await page.goto(link);
  expect(again?.status()).toBe(409);
  await isHeaded(page, "You told us these are not your details");
  await page.context().close();
});

test("a payee confirms without a bank check, and the link then says so", async () => {
  const { link } = await aLink({ bankCheck: false });
  const page = await aPayee({ scripts: true });
  await page.goto(link);
  await press(page, "Yes, these are my details");
  await page.waitForURL(/answered=yes/);
  await isHeaded(page, "Thank you");
  const again = await page.goto(link);
  expect(again?.status()).toBe(409);
  await isHeaded(page, "Already Verified");
  await page.getByRole("link", { name: "Go to PayeeProof" }).click();
  await page.waitForURL(`${place.origin}/auth`);
  await page.context().close();
});

test("a payee whose answer came while the provider was down goes on later", async () => {
  const { link, verificationId } = await aLink({ bankCheck: true });
  const page = await aPayee({ scripts: isFirefox });
  await page.goto(link);
  await failNextClientToken(verificationId);
  await press(page, "Yes, these are my details");
  await page.waitForURL(/bank=unavailable/);
  await says(page, "Your bank cannot be reached right now");
  await page.goto(link);
  await isHeaded(page, "Already Verified");
  await press(page, "Continue to your bank");
  await page.waitForURL(/\/basiq\/consent\/home/);
  await page.context().close();
});

/** The provider fails once for this verification's payee, and for no other payee: other journeys run at the same time. */
async function failNextClientToken(verificationId: string): Promise<void> {
  const told = await fetch(`${place.origin}/__local/bank-checks/${verificationId}`);
  const check = (await told.json()) as { providerUserId: string };
  const fault = { party: "basiq", fault: "503", times: 1, path: "/token", body: `userId=${check.providerUserId}` };
  const headers = { "Content-Type": "application/json" };
  const added = await fetch(`${place.simulators}/faults`, { method: "POST", headers, body: JSON.stringify(fault) });
  expect(added.status).toBe(201);
}

test("links that lead nowhere say so, with the way out", async () => {
  const page = await aPayee({ scripts: isFirefox });
  const missing = await page.goto(`${place.origin}/verify/whatever`);
  expect(missing?.status()).toBe(400);
  await isHeaded(page, "Verification Failed");
  await says(page, "Missing required parameters");
  const unknown = await page.goto(`${place.origin}/verify/whatever?vid=1&pid=2`);
  expect(unknown?.status()).toBe(404);
  await isHeaded(page, "Verification Failed");
  const stray = await page.goto(`${place.origin}/bank-consent/continue`);
  expect(stray?.status()).toBe(404);
  await isHeaded(page, "Please open your link again");
  const back = await page.goto(`${place.origin}/bank-consent/return?state=guess&jobId=1`);
  expect(back?.status()).toBe(200);
  await isHeaded(page, "Thank you");
  await page.context().close();
});

test("a page with a token tells no other site where it was, and is kept nowhere", async () => {
  const { link } = await aLink({ bankCheck: false });
  const { headers } = await fetch(link);
  expect(headers.get("Referrer-Policy")).toBe("same-origin");
  expect(headers.get("Cache-Control")).toBe("no-store");
});

test("a payee's page can be used by every person", async () => {
  const { link } = await aLink({ bankCheck: true });
  const page = await aPayee({ scripts: true, width: 320 });
  await page.goto(link);
  expect(await findProblems(page)).toEqual([]);
  await page.context().close();
});
