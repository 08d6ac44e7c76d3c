import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { totpCode, totpStep } from "~/modules/accounts/identity/proof.server";
import { apiClient, until } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import { linkFromMail, listenForTrouble, newcomer, newTag, newVisitor, PASSWORD, signIn } from "../support/journey";
import { findProblems } from "../support/page-checks";

/** A person and their own account in a real browser: each journey once, with scripts or without. */

const place = inject("app");
const NEW = "Brighter-heron-8";
const NEWER = "Quieter-heron-9";
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

/** To another account page, whose fields have the same names. */
async function turnTo(page: Page, tab: string, path: string): Promise<void> {
  await page.getByRole("link", { name: tab, exact: true }).click();
  await page.waitForURL(`${place.origin}/profile/${path}`);
  await page.locator('main [aria-current="page"]', { hasText: tab }).waitFor();
}

const shows = (page: Page, text: string) => page.getByText(text).first().waitFor();

/** Deliberate errors are expected on the console: a rejected form responds with 4xx. */
const isExpected = (line: string) => /status of 4\d\d/.test(line);

/** A code of the app that was not used before, because codes work once. */
async function freshCode(secret: string, last: number): Promise<{ code: string; step: number }> {
  const step = await until(
    async () => totpStep(Date.now()) + 1,
    (next) => next > last,
    "the next code",
  );
  return { code: await totpCode(secret, step), step };
}

test("someone who forgot their password sets a new one by email", async () => {
  const context = await newVisitor(browser, { scripts: true });
  const page = await context.newPage();
  const trouble = listenForTrouble(page);
  const tag = newTag();
  const email = `robin@${tag}.example`;
  await newcomer(context, place, tag);

  const visitor = await newVisitor(browser, { scripts: true });
  const other = await visitor.newPage();
  await other.goto(`${place.origin}/auth`);
  await other.getByRole("link", { name: "Forgot your password?" }).click();
  const form = other.getByRole("dialog");
  await form.getByLabel("Email").fill("robin");
  await form.getByRole("button", { name: "Send the link" }).click();
  await shows(other, "Please enter a valid email address");
  await other.locator("main").getByLabel("Email").last().fill(email);
  await other.getByRole("button", { name: "Send the link" }).last().click();
  await shows(other, "Password reset email sent");

  await other.goto(await linkFromMail(place, email, "/reset-password/"));
  await other.getByLabel("New password", { exact: true }).fill(NEW);
  await other.getByLabel("Confirm new password").fill(NEW);
  await other.getByRole("button", { name: "Set the password" }).click();
  await other.waitForURL(`${place.origin}/auth`);
  await shows(other, "Password changed");
  await signIn(other, place, email, NEW);

  await page.goto(`${place.origin}/dashboard`);
  await page.waitForURL(/\/auth/);
  expect(trouble).toEqual([]);
  await Promise.all([context.close(), visitor.close()]);
});

test("a person looks after their account", async () => {
  const context = await newVisitor(browser, { scripts: true });
  const page = await context.newPage();
  const trouble = listenForTrouble(page);
  const tag = newTag();
  const email = `robin@${tag}.example`;
  await newcomer(context, place, tag);
  await page.goto(`${place.origin}/dashboard`);
  await page.getByText("My Account").click();
  await page.getByRole("link", { name: "Profile" }).click();
  await page.waitForURL(`${place.origin}/profile`);
  await page.getByLabel("First name").fill("R");
  await page.getByRole("button", { name: "Save" }).click();
  await shows(page, "First name must be at least 2 characters");
  await expect.poll(() => page.title()).toBe("Error: Profile · PayeeProof");
  await page.getByLabel("First name").fill("Robyn");
  await page.getByRole("button", { name: "Save" }).click();
  await shows(page, "Profile saved");
  await page.getByRole("button", { name: "Send the link again" }).click();
  await shows(page, "Link sent");

  await turnTo(page, "Password", "password");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password", { exact: true }).fill("Password-1");
  await page.getByLabel("Confirm new password").fill("Password-1");
  await page.getByRole("button", { name: "Change password" }).click();
  await shows(page, "This password is one of those that attackers try first");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByLabel("New password", { exact: true }).fill(NEWER);
  await page.getByLabel("Confirm new password").fill(NEWER);
  await page.getByRole("button", { name: "Change password" }).click();
  await shows(page, "Password changed");

  await turnTo(page, "Two-step sign-in", "two-step");
  await page.getByLabel("Current password").fill(NEWER);
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByAltText(/QR code/).waitFor();
  const shown = await page.locator("main").innerText();
  const secret = (/((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})/.exec(shown)?.[1] ?? "").replaceAll(" ", "");
  const first = await freshCode(secret, 0);
  await page.getByLabel("Code").fill(first.code);
  await page.getByLabel("Current password").fill(NEWER);
  await page.getByRole("button", { name: "Turn on" }).click();
  await shows(page, "Keep these recovery codes now");
  const [recovery = ""] = /(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}/.exec(await page.locator("main").innerText()) ?? [];
  expect(recovery).not.toBe("");

  const elsewhere = await newVisitor(browser, { scripts: false });
  const other = await elsewhere.newPage();
  await other.goto(`${place.origin}/auth?next=%2Fprofile%2Fsessions`);
  await other.getByLabel("Email", { exact: true }).first().fill(email);
  await other.getByLabel("Password", { exact: true }).fill(NEWER);
  await other.getByRole("button", { name: "Login" }).click();
  await other.waitForURL(/\/auth\/two-step/);
  await other.getByLabel("Code").fill("000000");
  await other.getByRole("button", { name: "Continue" }).click();
  await shows(other, "This code is not right");
  await other.getByLabel("Code").fill(recovery);
  await other.getByRole("button", { name: "Continue" }).click();
  await other.waitForURL(`${place.origin}/profile/sessions`);

  await turnTo(page, "Sessions", "sessions");
  // The same message may still be visible from the change of password, so the test waits for the response.
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    page.getByRole("button", { name: "Sign out everywhere else" }).click(),
  ]);
  await shows(page, "Signed out everywhere else");
  await other.goto(`${place.origin}/profile/sessions`);
  await other.waitForURL(/\/auth/);

  await turnTo(page, "API tokens", "tokens");
  await page.getByLabel("Name").fill("Nightly import");
  await page.getByLabel("See payees payees:read").check();
  await page.getByLabel("Current password").fill(NEWER);
  await page.getByRole("button", { name: "Create the token" }).click();
  await shows(page, 'Copy the token "Nightly import" now');
  const token = await page.getByText(/^pp_/).innerText();
  const call = (path: string) =>
    fetch(new URL(path, place.origin), { headers: { Authorization: `Bearer ${token}` } }).then(({ status }) => status);
  expect([await call("/api/payees"), await call("/api/payments")]).toEqual([200, 403]);
  await page.getByRole("button", { name: "Revoke" }).click();
  await shows(page, "Token revoked");
  expect(await call("/api/payees")).toBe(401);

  expect(trouble.filter((line) => !isExpected(line))).toEqual([]);
  await Promise.all([context.close(), elsewhere.close()]);
});

test("an address changes when both mailboxes have agreed, without JavaScript", async () => {
  const context = await newVisitor(browser, { scripts: false });
  const page = await context.newPage();
  const tag = newTag();
  const [email, newEmail] = [`robin@${tag}.example`, `robyn@new-${tag}.example`];
  await newcomer(context, place, tag);
  await page.goto(await linkFromMail(place, email, "/confirm-email/"));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await page.waitForURL(`${place.origin}/dashboard`);
  await page.goto(`${place.origin}/profile`);
  await page.getByLabel("New email address").fill(newEmail);
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change the address" }).click();
  await shows(page, `Your address is about to change to ${newEmail}`);

  await page.goto(await linkFromMail(place, newEmail, "/email-change/"));
  await page.getByRole("button", { name: "Yes, change it" }).click();
  await shows(page, `Now ${email} has to agree`);
  await page.goto(await linkFromMail(place, email, "/email-change/"));
  await page.getByRole("button", { name: "Yes, change it" }).click();
  await page.waitForURL(`${place.origin}/auth`);
  await signIn(page, place, newEmail);
  await context.close();
});

test("a network that fails is told in the form, with the address kept", async () => {
  const context = await newVisitor(browser, { scripts: true });
  const page = await context.newPage();
  await page.goto(`${place.origin}/auth/forgot`);
  await page.route("**/auth/forgot**", (route) => route.abort());
  await page.getByLabel("Email").fill("robin@harbour.example");
  await page.getByRole("button", { name: "Send the link" }).click();
  await shows(page, "An unexpected error occurred. Please try again.");
  expect(await page.getByLabel("Email").inputValue()).toBe("robin@harbour.example");
  await context.close();
});

test("the steps of an account can be used by every person", async () => {
  const context = await newVisitor(browser, { scripts: true, width: 320 });
  const page = await context.newPage();
  const tag = newTag();
  await newcomer(context, place, tag);
  const found: string[] = [];
  const look = async (what: string) => {
    found.push(...(await findProblems(page)).map((problem) => `${what}: ${problem}`));
  };
  await page.goto(`${place.origin}/profile/tokens`);
  await page.getByRole("button", { name: "Create the token" }).click();
  await shows(page, "Choose at least one");
  await look("a refused token");

  await page.goto(`${place.origin}/profile/two-step`);
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByAltText(/QR code/).waitFor();
  await look("setting up");
  const shown = await page.locator("main").innerText();
  const secret = (/((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})/.exec(shown)?.[1] ?? "").replaceAll(" ", "");
  await page.getByLabel("Code").fill((await freshCode(secret, 0)).code);
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Turn on" }).click();
  await shows(page, "Keep these recovery codes now");
  await look("recovery codes");

  const email = `robin@${tag}.example`;
  await apiClient(place.origin).post("/api/forgot-password", { email });
  const link = await linkFromMail(place, email, "/reset-password/");
  await context.clearCookies();
  for (const address of [link, `${place.origin}/auth/forgot`]) {
    await page.goto(address);
    await look(address);
  }
  await page.goto(`${place.origin}/auth`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("dialog").waitFor();
  await look("the dialog");
  expect(found).toEqual([]);
  await context.close();
});
