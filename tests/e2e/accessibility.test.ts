import { readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aDirectEntryFile } from "../support/aba-files";
import { type ApiClient, apiClient } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import { goOnInBrowser, listenForTrouble, newTag, newVisitor, signIn } from "../support/journey";
import { findProblems } from "../support/page-checks";
import { findDeadLinks } from "../support/valid-html";

/**
 * Every main page: axe in both colour schemes, forced colours, a small phone, and a quiet console. The Worker's tests
 * validate the HTML of every page that they load.
 */

const place = inject("app");
const secrets = JSON.parse(readFileSync(path.join(place.stateDir, "secrets.json"), "utf8")) as {
  DEMO_PASSWORD: string;
};
const EMAIL = "alex@harbour.example";

/** The console also reports pages that respond with 400 or 404, as some here should. */
const REFUSED = /the server responded with a status of 40[04] /;

/** Ids of the things that the pages show. */
type Things = {
  pending: string;
  unverified: string;
  approved: string;
  reviewed: string;
  held: string;
  authorised: string;
  /** A payment file of which a part was cleared. */
  file: string;
};

const SIGNED_IN: ((things: Things) => string)[] = [
  () => "/dashboard",
  () => "/payees",
  () => "/payees/verify",
  () => "/payees/import",
  () => "/payees/health",
  () => "/payees/requests",
  () => "/payees/checks",
  ({ unverified }) => `/payees/${unverified}`,
  ({ reviewed }) => `/payees/${reviewed}/edit`,
  () => "/verifications",
  () => "/verifications/all",
  () => "/search?q=glazing",
  ({ pending }) => `/verifications/${pending}?from=inbox`,
  () => "/verifications/pending",
  ({ pending }) => `/verifications/${pending}`,
  ({ pending }) => `/verifications/${pending}/notes`,
  ({ approved }) => `/verifications/${approved}`,
  ({ approved }) => `/verifications/${approved}/certificate`,
  () => "/payees/trusted-next",
  () => "/alerts",
  () => "/sample-data",
  () => "/profile/alerts",
  () => "/settings/single-sign-on",
  () => "/settings/webhooks",
  () => "/payments",
  () => "/payments?status=held&q=none&from=2026-01-01",
  () => "/payments/files",
  () => "/payments/files/prove",
  () => "/payments/files/settings",
  ({ file }) => `/payments/files/${file}`,
  ({ file }) => `/payments/files/${file}/outcomes`,
  ({ file }) => `/payments/files/${file}/replay`,
  ({ file }) => `/payments/files/${file}/certificate`,
  () => "/payments/new",
  ({ held }) => `/payments/${held}`,
  ({ held }) => `/payments/${held}/replay`,
  ({ authorised }) => `/payments/${authorised}`,
  () => "/audit",
  () => "/reports",
  () => "/profile",
  () => "/profile/password",
  () => "/profile/two-step",
  () => "/profile/sessions",
  () => "/profile/tokens",
  () => "/profile/reviewing",
  () => "/settings",
  () => "/settings/members",
  () => "/settings/domains",
  () => "/settings/policies",
  () => "/settings/staff-accounts",
  () => "/settings/stopped-addresses",
  () => "/integrations",
  () => "/integrations/xero",
  () => "/admin/users",
  () => "/select-organization",
  () => "/subscription",
  () => "/nowhere",
];

const SIGNED_OUT = [
  "/auth",
  "/auth?tab=register",
  "/logout",
  "/verify/unknown?vid=1&pid=2",
  "/verify/unknown",
  "/details/unknown",
  "/bank-consent/return",
  "/certificates",
  "/certificates/unknown?hash=none",
];

/** Pages of the platform's own administrators. */
const PLATFORM = [
  "/admin/organizations",
  "/admin/users",
  "/admin/operations",
  "/admin/data-requests",
  "/admin/restores",
  "/admin/bsb-directory",
];
const DIRECTORY = [
  "062-000,CBA,Merged,Refer to BSB 062-001,Sydney,NSW,2000,PEH",
  "062-001,CBA,Haymarket,431 Sussex Street,Haymarket,NSW,2000,PEH",
];

let browser: Browser;
/**
 * Signed in and signed out, each moving from page to page, because starting a page from scratch is the slowest part.
 */
let person: Visit;
let nobody: Visit;
let things: Things;

beforeAll(async () => {
  browser = await openBrowser();
  const client = apiClient(place.origin);
  things = await makeOneOfEach(client);
  const context = await newVisitor(browser, { scripts: true });
  await goOnInBrowser(context, place, client);
  person = await aVisit(context);
  nobody = await aVisit(await newVisitor(browser, { scripts: true }));
});

afterAll(() => closeVisits(browser));

/** Creates one of everything, so that no page is checked empty. */
async function makeOneOfEach(client: ApiClient): Promise<Things> {
  expect((await client.post("/api/login", { email: EMAIL, password: secrets.DEMO_PASSWORD })).status).toBe(200);
  const add = async (name: string, accountNumber: string) => {
    const answer = await client.post("/api/payees", {
      name,
      accountName: `${name} Pty Ltd`,
      bsb: "062000",
      accountNumber,
      email: `accounts@${newTag()}.example`,
    });
    expect(answer.status).toBe(201);
    return { payeeId: answer.body.payee.id as string, verificationId: answer.body.verification.id as string };
  };
  const pay = async (payeeId: string, reference: string) =>
    (await client.post("/api/payments", { payeeId, amount: 99_950, reference })).body.payment.id as string;

  const waiting = await add("Northside Glazing", "31000001");
  const decided = await add("Southbank Catering", "31000002");
  await client.post(`/api/verifications/${decided.verificationId}/review`, {
    approved: true,
    addToGlobalWhitelist: false,
    reason: "Called them on the number in the contract",
  });
  return {
    pending: waiting.verificationId,
    unverified: waiting.payeeId,
    approved: decided.verificationId,
    reviewed: decided.payeeId,
    held: await pay(waiting.payeeId, "A-1"),
    authorised: await pay(decided.payeeId, "A-2"),
    file: await clearPart(client),
  };
}

/** A file with a payment that was cleared and one that is held. */
async function clearPart(client: ApiClient): Promise<string> {
  const text = aDirectEntryFile([
    { title: "Southbank Catering Pty Ltd", accountNumber: "31000002", amount: 5_000, reference: "A-3" },
    { title: "Nobody Known Pty Ltd", accountNumber: "31000009", amount: 6_000, reference: "A-4" },
  ]);
  const { body } = await client.send("/api/payment-files?name=run.aba", text);
  expect((await client.post(`/api/payment-files/${body.file.id}/clear`, {})).status).toBe(200);
  return body.file.id;
}

type Visit = { page: Page; trouble: string[] };

async function aVisit(context: BrowserContext): Promise<Visit> {
  const page = await context.newPage();
  return { page, trouble: listenForTrouble(page) };
}

async function expectUsable({ page, trouble }: Visit, address: string) {
  const sent = await page.goto(place.origin + address);
  const html = (await sent?.text()) ?? "";
  expect({
    found: await findProblems(page, { everyContrast: true }),
    invalid: findDeadLinks(html),
    trouble: trouble.splice(0).filter((line) => !REFUSED.test(line)),
  }).toEqual({
    found: [],
    invalid: [],
    trouble: [],
  });
}

test.each(SIGNED_IN.map((address) => [String(address).replace(/^.*=> /, ""), address] as const))(
  "%s can be used by everybody",
  (_, address) => expectUsable(person, address(things)),
);

test.each(SIGNED_OUT)("%s can be used by everybody, signed out", (address) => expectUsable(nobody, address));

test("the pages of the platform's administrators can be used by everybody", async () => {
  const client = apiClient(place.origin);
  const { body } = await client.post("/__local/fixtures", { password: secrets.DEMO_PASSWORD });
  const visitor = await newVisitor(browser, { scripts: true });
  const visit = await aVisit(visitor);
  const { page } = visit;
  await signIn(page, place, body.people.superAdmin.email, secrets.DEMO_PASSWORD);
  await page.goto(`${place.origin}/admin/bsb-directory`);
  const file = { name: "november.csv", mimeType: "text/csv", buffer: Buffer.from(DIRECTORY.join("\r\n")) };
  await page.getByLabel("New directory").setInputFiles(file);
  await page.getByRole("button", { name: "Show the changes" }).click();
  await page.getByRole("button", { name: "Use this directory" }).waitFor();
  for (const address of PLATFORM) await expectUsable(visit, address);
  await visitor.close();
});
