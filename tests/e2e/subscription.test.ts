import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { until } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import { scripted } from "../support/fields";
import { listenForTrouble, newcomer, newTag } from "../support/journey";
import { findProblems } from "../support/page-checks";

const app = inject("app");
const inventory = JSON.parse(readFileSync("docs/payment-page.json", "utf8")) as { scripts: { source: string }[] };
const SUBSCRIPTION = `${app.origin}/subscription`;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => closeVisits(browser));

async function aPerson(options: { javaScriptEnabled?: boolean } = {}) {
  const context = await browser.newContext(options);
  await newcomer(context, app, newTag());
  const page = await context.newPage();
  const trouble = listenForTrouble(page);
  return { context, page, trouble };
}

async function typeCard(page: Page, number: string) {
  const frame = page.frameLocator('iframe[title="Secure card payment input frame"]');
  await frame.getByLabel("Card number").fill(number);
  await frame.getByLabel("Expiry date").fill("12 / 34");
  await frame.getByLabel("Security code").fill("314");
  await page.getByRole("button", { name: "Pay $500.00" }).click();
}

async function subscribe(page: Page, number = "4242 4242 4242 4242") {
  await page.goto(SUBSCRIPTION);
  await page.getByRole("button", { name: "Subscribe now" }).click();
  await typeCard(page, number);
}

/** The provider is responsible for its frame. */
const faultsOf = (page: Page) => findProblems(page, { exclude: "iframe" });

async function api(context: BrowserContext) {
  return (await context.request.get(`${app.origin}/api/billing/subscription`)).json();
}

test("a person subscribes with the card form: declined, confirmed by their bank, active, cancelled, resumed", async () => {
  const { context, page, trouble } = await aPerson();
  await page.goto(`${app.origin}/dashboard`);
  await page.getByText("My Account").click();
  await page.getByRole("link", { name: "Organisation" }).click();
  await page.getByText("Trial until").waitFor();
  await subscribe(page, "4000 0000 0000 0002");
  await page.locator("main").getByRole("alert").getByText("Your card was declined.").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(trouble.splice(0).filter((line) => !line.includes("402"))).toEqual([]);

  await typeCard(page, "4000 0025 0000 3155");
  await page.getByRole("button", { name: "Fail authentication" }).click();
  await page.getByText("Your payment was not successful, please try again.").waitFor();
  // Nothing was paid, so nothing is subscribed: the page offers to subscribe again. The provider led back to it, so that its
  // scripts are still on their way; without them a press leads to the provider's own page.
  await scripted(page);
  await page.getByRole("button", { name: "Subscribe now" }).click();
  await typeCard(page, "4000 0025 0000 3155");
  await page.getByRole("button", { name: "Complete authentication" }).click();
  await page.getByText("Payment succeeded!").waitFor();
  expect(page.url()).toBe(`${SUBSCRIPTION}?payment=succeeded`);
  await page.getByText("Visa ending in 3155").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(await api(context)).toMatchObject({
    success: true,
    subscription: { status: "active", cancelAtPeriodEnd: false },
  });

  await scripted(page);
  await page.getByRole("link", { name: "Cancel subscription" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, cancel the subscription" }).click();
  await page.getByText("Subscription Cancelled").first().waitFor();
  await page.getByRole("button", { name: "Resume subscription" }).click();
  await page.getByRole("link", { name: "Cancel subscription" }).waitFor();
  expect(await api(context)).toMatchObject({ subscription: { status: "active", cancelAtPeriodEnd: false } });

  const pdf = await context.request.get(
    new URL((await page.getByRole("link", { name: /^PDF/ }).getAttribute("href")) ?? "", app.origin).href,
  );
  expect((await pdf.body()).subarray(0, 5).toString()).toBe("%PDF-");
  expect(trouble).toEqual([]);
  await context.close();
});

test("without scripts the whole life works on plain pages and the provider's own", async () => {
  const { context, page, trouble } = await aPerson({ javaScriptEnabled: false });
  await page.goto(SUBSCRIPTION);
  await page.getByRole("button", { name: "Subscribe now" }).click();
  await page.getByRole("heading", { name: "Checkout" }).waitFor();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("Payment succeeded!").waitFor();
  await page.getByText("Active", { exact: true }).waitFor();

  await page.getByRole("link", { name: "Change card" }).click();
  await page.getByRole("heading", { name: "Customer portal" }).waitFor();
  await page.getByLabel("Card number").fill("5555 5555 5555 4444");
  await page.getByRole("button", { name: "Save card" }).click();
  await page.getByText("Mastercard ending in 4444").waitFor();

  await page.getByRole("link", { name: "Cancel subscription" }).click();
  await page.getByRole("heading", { name: "Cancel the subscription?" }).waitFor();
  await page.getByRole("button", { name: "Yes, cancel the subscription" }).click();
  await page.getByText("Subscription Cancelled").waitFor();
  await page.getByRole("button", { name: "Resume subscription" }).click();
  await page.getByText("Subscription resumed").waitFor();
  expect(await api(context)).toMatchObject({ subscription: { status: "active", cancelAtPeriodEnd: false } });
  expect(trouble).toEqual([]);
  await context.close();
});

test("when the provider's script cannot load the person is shown the provider's page instead", async () => {
  const { context, page } = await aPerson();
  await context.route("**/stripe/stripe.js", (route) => route.abort());
  await page.goto(SUBSCRIPTION);
  await page.getByRole("button", { name: "Subscribe now" }).click();
  await page.getByText("The card form could not be loaded").waitFor();
  await page.getByRole("button", { name: "Pay on Stripe's page" }).click();
  await page.getByRole("heading", { name: "Checkout" }).waitFor();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("Payment succeeded!").waitFor();
  await context.close();
});

test("a renewal that fails is told on the page and paid with another card, events alone bringing the news", async () => {
  const { context, page } = await aPerson();
  await subscribe(page);
  await page.getByText("Payment succeeded!").waitFor();
  await page.getByRole("link", { name: "Billing portal" }).click();
  await page.getByLabel("Card number").fill("4000 0000 0000 0341");
  await page.getByRole("button", { name: "Save card" }).click();
  await page.getByRole("link", { name: "Return to PayeeProof" }).click();
  await page.getByText("Visa ending in 0341").waitFor();

  const customer = await customerOf(page);
  await fetch(`${app.simulators}/stripe/advance`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ customer, days: 31 }),
  });
  await until(
    () => api(context),
    (body) => body.subscription.status === "past_due",
    "the failed renewal",
  );
  await page.goto(SUBSCRIPTION);
  await page.getByText("Past due - please update payment method").waitFor();
  await page.getByRole("button", { name: "Pay now" }).click();
  await typeCard(page, "4242 4242 4242 4242");
  await page.getByText("Payment succeeded!").waitFor();
  await page.getByText("Active", { exact: true }).waitFor();
  await context.close();
});

/** The simulator's page lists customers by the name of their organisation. */
async function customerOf(page: Page): Promise<string> {
  await page.goto(SUBSCRIPTION);
  const organization = await page
    .locator("header")
    .getByText(/^Organisation [0-9a-f]{8}$/)
    .first()
    .textContent();
  const overview = await (await fetch(`${app.simulators}/stripe`)).text();
  const part = overview.split("<h2>").find((section) => section.startsWith(organization ?? "nobody"));
  const found = /cus_[A-Za-z0-9]+/.exec(part ?? "")?.[0];
  if (!found) throw new Error("the customer is not at the provider");
  return found;
}

test("the page of the card form runs the scripts of its inventory and no other, and no card reaches us", async () => {
  const { context, page } = await aPerson();
  const scripts = new Set<string>();
  const posted: string[] = [];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    const isTopPage = request.frame() === page.mainFrame();
    if (request.resourceType() === "script" && isTopPage)
      scripts.add(origin === app.origin ? "self" : origin + pathname);
    if (origin === app.origin) posted.push(request.url() + (request.postData() ?? ""));
  });
  await subscribe(page);
  await page.getByText("Payment succeeded!").waitFor();
  const standIn = `${app.simulators}/stripe/stripe.js`;
  const named = new Set(inventory.scripts.map(({ source }) => (source === "https://js.stripe.com" ? standIn : source)));
  expect(scripts).toEqual(named);
  expect(posted.filter((text) => text.replace(/\D/g, "").includes("4242424242424242"))).toEqual([]);

  const policyOf = async (path: string) =>
    (await context.request.get(app.origin + path)).headers()["content-security-policy"];
  expect(await policyOf("/subscription")).not.toContain(app.simulators);
  expect(await policyOf("/dashboard")).not.toContain(app.simulators);
  await context.close();
});
