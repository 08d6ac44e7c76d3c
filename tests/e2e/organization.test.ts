import { readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeVisits, isFirefox, openBrowser } from "../support/browser";
import { linkFromMail, listenForTrouble, newTag, newVisitor, PASSWORD } from "../support/journey";
import { findProblems } from "../support/page-checks";

/** Organisations in a real browser: choosing one, inviting people and managing them. */

const place = inject("app");
const { DEMO_PASSWORD } = JSON.parse(readFileSync(path.join(place.stateDir, "secrets.json"), "utf8")) as {
  DEMO_PASSWORD: string;
};
const ADMIN = "alex@harbour.example";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

/** Signs in through the API, because the sign-in form has its own tests. */
async function enter(context: BrowserContext, email: string, password: string): Promise<Page> {
  const answer = await context.request.post(`${place.origin}/api/login`, { data: { email, password } });
  expect(answer.status()).toBe(200);
  return context.newPage();
}

/** A person with a confirmed address at the demo organisation's domain, and no organisation yet. */
async function aNewcomer(context: BrowserContext): Promise<{ email: string; page: Page }> {
  const email = `new-${newTag()}@harbour.example`;
  const data = { email, firstName: "Noor", password: PASSWORD };
  expect((await context.request.post(`${place.origin}/api/register`, { data })).status()).toBe(201);
  const page = await context.newPage();
  await page.goto(await linkFromMail(place, email, "/confirm-email/"));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await page.waitForURL(`${place.origin}/dashboard`);
  return { email, page };
}

test("a newcomer chooses an organisation, waits, and is approved", async () => {
  const context = await newVisitor(browser, { scripts: true });
  const { email, page } = await aNewcomer(context);
  const trouble = listenForTrouble(page);
  const picker = page.getByRole("dialog", { name: "Select your Organisation" });
  await picker.waitFor();
  await picker.getByText(/match(es)? your email domain\. Please select/).waitFor();
  const join = picker.getByRole("button", { name: "Join Organisation" });
  await expect.poll(() => join.isDisabled()).toBe(true);
  expect(await findProblems(page)).toEqual([]);
  await picker.getByRole("radio", { name: "Harbour Joinery Pty Ltd" }).check();
  await join.click();
  await page.getByText("Organisation selected").first().waitFor();
  await page.getByRole("heading", { name: "Your account is waiting for approval" }).waitFor();
  expect(await page.getByRole("link", { name: "Manage Payees" }).count()).toBe(0);

  const desk = await newVisitor(browser, { scripts: isFirefox });
  const admin = await enter(desk, ADMIN, DEMO_PASSWORD);
  await admin.goto(`${place.origin}/admin/users?q=${encodeURIComponent(email)}`);
  await admin.getByRole("button", { name: "Approve Noor" }).click();
  await admin.getByText("Approved").first().waitFor();
  await page.goto(`${place.origin}/dashboard`);
  await page.getByRole("heading", { name: "Welcome, Noor" }).waitFor();
  expect(trouble).toEqual([]);
  await desk.close();
  await context.close();
});

test("an admin invites a person, who joins from their mail, and is shut out again", async () => {
  const scripts = isFirefox;
  const desk = await newVisitor(browser, { scripts });
  const admin = await enter(desk, ADMIN, DEMO_PASSWORD);
  const email = `guest@${newTag()}.example`;
  await admin.goto(`${place.origin}/settings/members`);
  await admin.getByLabel("Email", { exact: true }).fill(email);
  await admin.getByRole("radio", { name: /Read only/ }).check();
  await admin.getByRole("button", { name: "Send invitation" }).click();
  await admin.getByText("Invitation sent").first().waitFor();

  const context = await newVisitor(browser, { scripts });
  const guest = await context.newPage();
  await guest.goto(await linkFromMail(place, email, "/invitation/"));
  await guest.getByRole("heading", { name: "Join Harbour Joinery Pty Ltd" }).waitFor();
  await guest.getByLabel("First name").fill("Gil");
  await guest.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await guest.getByLabel("Confirm password").fill("something else");
  await guest.getByLabel("I accept the Terms and Conditions").check();
  await guest.getByRole("button", { name: "Register and join" }).click();
  await guest.getByRole("alert").getByText("Passwords do not match").waitFor();
  await guest.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await guest.getByLabel("Confirm password").fill(PASSWORD);
  await guest.getByRole("button", { name: "Register and join" }).click();
  await guest.waitForURL(`${place.origin}/dashboard`);
  await guest.getByText("Invitation accepted").first().waitFor();
  await guest.goto(`${place.origin}/settings`);
  await guest.getByText("Only administrators of your organisation can change these settings.").waitFor();

  await admin.goto(`${place.origin}/settings/members?q=${encodeURIComponent(email)}`);
  await admin.getByRole("button", { name: "Deactivate Gil" }).click();
  await admin.getByText("Access ended").first().waitFor();
  await guest.goto(`${place.origin}/payees`);
  expect(new URL(guest.url()).pathname).toBe("/auth");
  await desk.close();
  await context.close();
});

test("policies and details are saved, and what was wrong is shown beside its field", async () => {
  const context = await newVisitor(browser, { scripts: true });
  const page = await enter(context, ADMIN, DEMO_PASSWORD);
  await page.goto(`${place.origin}/settings/policies`);
  await page.getByRole("heading", { name: "Amounts and hours" }).click();
  await page.getByLabel("First payment limit").fill("a lot");
  await page.getByRole("button", { name: "Save policies" }).click();
  await page.getByRole("alert").getByText("Enter an amount in dollars, such as 10,000").waitFor();
  await page.getByLabel("First payment limit").fill("9,600");
  await page.getByRole("button", { name: "Save policies" }).click();
  await page.getByText("Policies saved").first().waitFor();
  await expect.poll(() => page.getByLabel("First payment limit").inputValue()).toBe("9,600.00");

  await page.goto(`${place.origin}/settings`);
  await page.getByLabel("Logo").setInputFiles({
    name: "logo.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from("<svg/>"),
  });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("A logo is a PNG, JPEG or WebP picture").waitFor();
  await page.getByLabel("Website").fill("harbour.example/trades");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Details saved").first().waitFor();
  await expect.poll(() => page.getByLabel("Website").inputValue()).toBe("https://harbour.example/trades");
  await context.close();
});
