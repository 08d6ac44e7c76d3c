import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { CLIENT_ID, CLIENT_SECRET } from "../../simulators/identity/party";
import { apiClient } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import {
  confirmAddressByCall,
  goOnInBrowser,
  listenForTrouble,
  newTag,
  newVisitor,
  PASSWORD,
} from "../support/journey";
import { findProblems } from "../support/page-checks";

/** Sign-in at a company's own provider in a real browser, with and without scripts. */

const place = inject("app");
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => closeVisits(browser));

const SETTINGS = `${place.origin}/settings/single-sign-on`;

/** The administrator of a new organisation, whose domain is claimed with their confirmed address. */
async function anAdmin(context: BrowserContext, domain: string): Promise<void> {
  const email = `ada@${domain}`;
  const newOrganisation = { name: `Bigcorp ${domain.slice(0, 8)}` };
  const client = apiClient(place.origin);
  const person = { email, firstName: "Ada", password: PASSWORD, newOrganisation };
  expect((await client.post("/api/register", person)).status).toBe(201);
  await confirmAddressByCall(client, place, email);
  await goOnInBrowser(context, place, client);
}

/** The form of the page that this button sends. */
const formOf = (page: Page, button: string) =>
  page.locator("form").filter({ has: page.getByRole("button", { name: button, exact: true }) });

const signInThere = async (page: Page) => {
  await page.waitForURL(/\/identity\/okta\/authorize/);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};

test.each([
  ["with scripts", true],
  ["without scripts", false],
] as const)(
  "an administrator sets the company's sign-in up, and a colleague comes in by it, %s",
  async (_, scripts) => {
    const domain = `${newTag()}.example`;
    const desk = await newVisitor(browser, { scripts });
    await anAdmin(desk, domain);
    const page = await desk.newPage();
    const trouble = listenForTrouble(page);
    await page.goto(SETTINGS);
    const provider = formOf(page, "Save the provider");
    await provider.getByLabel("Issuer").fill(`${place.simulators}/identity/okta`);
    await provider.getByLabel("Client id").fill(CLIENT_ID);
    await provider.getByLabel("Client secret").fill(CLIENT_SECRET);
    await provider.getByLabel("Current password").fill(PASSWORD);
    await provider.getByRole("button", { name: "Save the provider" }).click();
    await page.getByText("Not tested with these settings yet.").waitFor();
    expect(await page.content()).not.toContain(CLIENT_SECRET);

    await page.getByRole("button", { name: "Test with your own account" }).click();
    await signInThere(page);
    await page.waitForURL(SETTINGS);
    await page.getByText("It worked on").waitFor();
    const mode = formOf(page, "Save sign-in");
    await mode.getByRole("radio", { name: /^Allow/ }).check();
    await mode.getByLabel("Current password").fill(PASSWORD);
    await mode.getByRole("button", { name: "Save sign-in" }).click();
    await page.getByText("Sign-in saved").first().waitFor();
    if (scripts) expect(await findProblems(page)).toEqual([]);
    expect(trouble).toEqual([]);

    const phone = await newVisitor(browser, { scripts, width: 390 });
    const theirs = await phone.newPage();
    const theirTrouble = listenForTrouble(theirs);
    await theirs.goto(`${place.origin}/auth?next=/payees`);
    await theirs.getByRole("link", { name: "Sign in with your company" }).click();
    await theirs.getByLabel("Work email").fill("mira@nobody.example");
    await theirs.getByRole("button", { name: "Continue" }).click();
    await theirs
      .getByText("No organisation has set up a sign-in of its own for addresses at nobody.example.")
      .first()
      .waitFor();
    if (scripts) expect(await findProblems(theirs)).toEqual([]);
    await theirs.getByLabel("Work email").fill(`mira@${domain}`);
    await theirs.getByRole("button", { name: "Continue" }).click();
    await signInThere(theirs);
    await theirs.waitForURL(`${place.origin}/payees`);
    await theirs.getByText("Welcome back, Mira").first().waitFor();
    const expected = /status of 400/;
    expect(theirTrouble.filter((line) => !expected.test(line))).toEqual([]);
  },
);
