import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { TestRunner } from "vitest";
import { type ApiClient, apiClient, until } from "./api-client";
import { isFirefox, PATIENCE_MS } from "./browser";

/** Steps of the main journey as a person takes them, with and without scripts. */

export const PASSWORD = "Correct-horse-9";

export type Place = { origin: string; simulators: string };

export const newTag = () => randomUUID().slice(0, 8);

/** Any unexpected console message or failed request fails the journey. */
export function listenForTrouble(page: Page): string[] {
  const trouble: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") trouble.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.push(`${page.url()}: ${error.message}`));
  return trouble;
}

export async function register(page: Page, { origin }: Place, tag: string): Promise<void> {
  await page.goto(`${origin}/auth?tab=register`);
  await page.getByLabel("Work email").fill(`robin@${tag}.example`);
  await page.getByLabel("First name").fill("Robin");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByLabel("Organisation name").fill(`Organisation ${tag}`);
  await page.getByLabel("I accept the Terms and Conditions").check();
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL(`${origin}/dashboard`);
}

/** Registers through the API, because the form has its own tests. */
export async function registerByCall({ origin }: Place, tag: string): Promise<ApiClient> {
  const client = apiClient(origin);
  const { status } = await client.post("/api/register", {
    email: `robin@${tag}.example`,
    firstName: "Robin",
    password: PASSWORD,
    newOrganization: { name: `Organisation ${tag}` },
  });
  if (status !== 201) throw new Error(`robin@${tag}.example was not registered: ${status}`);
  return client;
}

/** Signs the person who has just registered in to this browser. */
export const newcomer = async (context: BrowserContext, place: Place, tag: string): Promise<void> =>
  goOnInBrowser(context, place, await registerByCall(place, tag));

/** Confirms an address as a call, by the person who registered with this client. */
export async function confirmAddressByCall(client: ApiClient, place: Place, email: string): Promise<void> {
  const { pathname } = new URL(await linkFromMail(place, email, "/confirm-email/"));
  const { status } = await client.submit(pathname, { intent: "confirm" });
  if (status !== 303) throw new Error(`the address was not confirmed: ${status}`);
}

/** Signs in and waits for the first page: the dashboard, or for the platform's administrators the list of organisations. */
export async function signIn(page: Page, { origin }: Place, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${origin}/auth`);
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL(({ pathname }) => pathname === "/dashboard" || pathname.startsWith("/admin/"));
}

/** Uses the client's session in this browser, because the sign-in form has its own tests. */
export const goOnInBrowser = (context: BrowserContext, { origin }: Place, { jar }: ApiClient): Promise<void> =>
  context.addCookies([...jar].map(([name, value]) => ({ name, value, url: origin, httpOnly: true, sameSite: "Lax" })));

export type NewPayee = { name: string; accountName: string; accountNumber: string; email: string };

/** @returns the path of the verification that opened */
export async function addPayee(page: Page, { origin }: Place, payee: NewPayee): Promise<string> {
  await page.goto(`${origin}/payees/verify`);
  await page.getByLabel("Account name").fill(payee.accountName);
  await page.getByLabel("BSB").fill("062-000");
  await page.getByLabel("Account number").fill(payee.accountNumber);
  await page.getByLabel("Payee name").fill(payee.name);
  await page.getByLabel("Email").fill(payee.email);
  await page.getByRole("button", { name: "Add without a check" }).click();
  await page.waitForURL(/\/verifications\/[0-9a-f-]{36}$/);
  return new URL(page.url()).pathname;
}

/** The link to a path of the app in the newest email to a person. */
export async function linkFromMail({ simulators }: Place, to: string, path: string): Promise<string> {
  type Mail = { to: string; links: string[] };
  const mails = async () => (await (await fetch(`${simulators}/mail/messages`)).json()) as Mail[];
  const links = (all: Mail[]) =>
    all.filter((mail) => mail.to.includes(to)).flatMap((mail) => mail.links.filter((link) => link.includes(path)));
  const found = await until(mails, (all) => links(all).length > 0, `a mail to ${to}`);
  return links(found)[0] ?? "";
}

/** Confirms the address of the person who is signed in to this browser. Until then, payees get no emails. */
export async function confirmAddress(context: BrowserContext, place: Place, email: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(await linkFromMail(place, email, "/confirm-email/"));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await page.waitForURL(`${place.origin}/dashboard`);
  await page.close();
}

/** The payee opens the link on a device of their own, says yes, and lets the bank answer. */
export async function answerAsPayee(context: BrowserContext, link: string, persona: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole("button", { name: "Yes, these are my details" }).click();
  // The page continues automatically; its plain link does the same for people who do not want to wait.
  await page.waitForURL(/\/basiq\/consent\/home/);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator(`input[name="persona"][value="${persona}"]`).check();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/bank-consent\/return/);
  await page.close();
}

type Visiting = { scripts: boolean; width?: number; baseURL?: string };

/** A person's browser: fresh cookies, scripts on or off. */
export async function newVisitor(browser: Browser, { scripts, width = 1280, baseURL }: Visiting) {
  // The library cannot turn off scripts in Firefox; tests/browsers has the journeys without them.
  if (isFirefox && !scripts) TestRunner.getCurrentTest()?.context.skip("Firefox without scripts");
  const context = await browser.newContext({
    baseURL,
    javaScriptEnabled: scripts,
    viewport: { width, height: 900 },
    colorScheme: "light",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}
