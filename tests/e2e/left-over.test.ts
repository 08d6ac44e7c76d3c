import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { FIRST_TENANT } from "../../simulators/xero/state";
import { aDirectEntryFile } from "../support/aba-files";
import { type ApiClient, apiClient, until } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import { fillFields, navigate, readFields, scripted, settled } from "../support/fields";
import { confirmAddressByCall, goOnInBrowser, newTag, newVisitor, PASSWORD } from "../support/journey";
import { pathOf } from "../support/route-path";

/**
 * Whatever was typed or ticked for one subject must never appear for another. Every page with a form whose subject can
 * change without a new document is filled in, left for another subject, and checked.
 */

const place = inject("app");
const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");
const TYPED = "Typed for another";

let browser: Browser;
let context: BrowserContext;
/** Signed in: one for all these pages, because opening one is the slowest part. */
let shared: Page;
let pairs: Pairs;

type Pair = readonly [string, string];
/** Two addresses of each page, for two subjects or two views. */
type Pairs = Record<string, Pair>;

/** Pages with a form that shows one subject after another: those with a parameter, and those that read their address. */
function listPages(): string[] {
  const files = readdirSync(ROUTES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  return files
    .map((name) => ({
      route: pathOf(name.split(path.sep).join("/")),
      source: readFileSync(path.join(ROUTES, name), "utf8"),
    }))
    .filter(({ source }) => /export const action =/.test(source) && /export default/.test(source))
    .filter(({ source }) => !/scripts: false|publicPage/.test(source))
    .filter(({ route, source }) => route.includes(":") || /searchParams/.test(source))
    .map(({ route }) => route)
    .sort();
}

/** Pages that no link of ours leads to from another subject of theirs, or that hold nothing to type into. */
const NOT_WALKED: Readonly<Record<string, string>> = {
  "/alerts": "buttons",
  "/admin/organizations": "rows of buttons for the platform's administrators, nothing to type but the search",
  "/auth/company": "one address, on the way to its provider",
  "/auth/confirm": "one person's code, once",
  "/auth/kept-form": "what was typed elsewhere, hidden, and a button",
  "/auth/two-step": "one person's code, once",
  "/email-change/:token": "a button",
  "/integrations/:system": "buttons",
  "/payees/checks/:id": "buttons",
  "/confirm-contact/:token": "a button",
  "/report-message/:token": "a button",
  "/stop-emails/:token": "a button",
  "/subscription": "buttons, and the card provider's own form",
};

beforeAll(async () => {
  browser = await openBrowser();
  context = await newVisitor(browser, { scripts: true });
  pairs = await makeTwoOfEach();
  shared = await context.newPage();
});

afterAll(() => closeVisits(browser));

const mailLinks = async (to: string, start: string): Promise<string[]> => {
  type Mail = { to: string; links: string[] };
  const mails = (await (await fetch(`${place.simulators}/mail/messages`)).json()) as Mail[];
  const links = mails.filter((mail) => mail.to.includes(to)).flatMap(({ links }) => links);
  return [...new Set(links.filter((link) => new URL(link).pathname.startsWith(start)))].map((link) => {
    const { pathname, search } = new URL(link);
    return pathname + search;
  });
};

async function pairOfLinks(people: readonly string[], start: string): Promise<Pair> {
  const find = async () => (await Promise.all(people.map((to) => mailLinks(to, start)))).map(([first]) => first);
  const [one, other] = await until(find, (links) => links.every(Boolean), `two mails with a link to ${start}`);
  return [one ?? "", other ?? ""];
}

async function registered(email: string): Promise<ApiClient> {
  const client = apiClient(place.origin);
  const person = { email, firstName: "Lee", password: PASSWORD, newOrganization: { name: `Office of ${email}` } };
  expect((await client.post("/api/register", person)).status).toBe(201);
  return client;
}

async function makeTwoOfEach(): Promise<Pairs> {
  const tag = newTag();
  const email = `lee@${tag}.example`;
  const client = await registered(email);
  await confirmAddressByCall(client, place, email);
  await goOnInBrowser(context, place, client);
  return {
    ...(await makePayees(client, tag)),
    ...(await makeFiles(client)),
    ...(await makeAccountChanges(client, tag)),
    ...(await makeEndpoints(client)),
    ...(await makeLinks(client, tag)),
    ...(await makeInvoices(client)),
    ...(await makeFindings()),
    ...LISTS,
  };
}

/** Lists, and pages that an address fills in. */
const LISTS: Pairs = {
  "/admin/users": ["/admin/users", "/admin/users?q=lee"],
  "/auth": ["/auth", "/auth?tab=register"],
  "/auth/forgot": ["/auth/forgot", "/auth/forgot?email=lee%40office.example"],
  "/invoices": ["/invoices", "/invoices?q=glazing"],
  "/payees": ["/payees", "/payees?q=glazing"],
  "/payees/checks": ["/payees/checks", "/payees/checks?q=glazing"],
  "/payees/import": ["/payees/import", "/payees/import?view=other"],
  "/payees/requests": ["/payees/requests", "/payees/requests?view=other"],
  "/payments": ["/payments?status=held", "/payments?status=held&q=glazing"],
  "/payments/files": ["/payments/files", "/payments/files?view=other"],
  "/settings/members": ["/settings/members", "/settings/members?q=lee"],
  "/verifications/pending": ["/verifications/pending", "/verifications/pending?match=none"],
};

/** Two payees that nobody has verified, with a payment that is held for each. */
async function makePayees(client: ApiClient, tag: string): Promise<Pairs> {
  const made: { payee: string; verification: string; payment: string }[] = [];
  for (const [name, accountNumber] of [
    ["Northside Glazing", "51000001"],
    ["Southbank Catering", "51000002"],
  ]) {
    const payee = {
      name,
      accountName: `${name} Pty Ltd`,
      bsb: "062-000",
      accountNumber,
      email: inboxOf(name ?? "", tag),
    };
    const { body } = await client.post("/api/payees", payee);
    const paid = await client.post("/api/payments", { payeeId: body.payee.id, amount: 99_950, reference: name });
    await client.post(`/api/verifications/${body.verification.id}/send-link`, {});
    made.push({ payee: body.payee.id, verification: body.verification.id, payment: paid.body.payment.id });
  }
  const pair = (address: (one: (typeof made)[number]) => string) => made.map(address) as unknown as Pair;
  return {
    "/payees/:id": pair(({ payee }) => `/payees/${payee}`),
    "/payees/:id/edit": pair(({ payee }) => `/payees/${payee}/edit`),
    "/payees/verify": ["/payees/verify", "/payees/verify?payment=other"],
    "/payments/:id": pair(({ payment }) => `/payments/${payment}`),
    "/payments/new": pair(({ payee }) => `/payments/new?payeeId=${payee}`),
    "/verifications/:id": pair(({ verification }) => `/verifications/${verification}`),
    "/verifications/:id/notes": pair(({ verification }) => `/verifications/${verification}/notes`),
    "/verify/:token": await pairOfLinks(
      ["Northside Glazing", "Southbank Catering"].map((name) => inboxOf(name, tag)),
      "/verify/",
    ),
  };
}

const inboxOf = (name: string, tag: string) => `${name.split(" ")[0]?.toLowerCase()}@payee-${tag}.example`;

/** Two payment files with held lines, of which a part was cleared, and two imports that wait for their columns. */
async function makeFiles(client: ApiClient): Promise<Pairs> {
  const files: string[] = [];
  const imports: string[] = [];
  const trusted = {
    name: "Trusted Timber",
    accountName: "Trusted Timber Pty Ltd",
    bsb: "062-000",
    accountNumber: "51000003",
  };
  const { body } = await client.post("/api/payees", trusted);
  const approval = { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" };
  await client.post(`/api/verifications/${body.verification.id}/review`, approval);
  for (const n of [1, 2]) {
    const lines = [
      { title: trusted.accountName, accountNumber: trusted.accountNumber, amount: 5_000 + n, reference: `T-${n}` },
      { title: "Nobody Known Pty Ltd", accountNumber: "51000009", amount: 6_000 + n, reference: `N-${n}` },
    ];
    const { id } = (await client.send(`/api/payment-files?name=run-${n}.aba`, aDirectEntryFile(lines))).body.file;
    await client.post(`/api/payment-files/${id}/clear`, {});
    files.push(id);
    const rows = `Name,Account name,BSB,Account number\nImported ${n},Imported ${n} Pty Ltd,062-000,5200000${n}\n`;
    const file = { name: `payees-${n}.csv`, mimeType: "text/csv", buffer: Buffer.from(rows) };
    const uploaded = await context.request.post(`${place.origin}/payees/import`, { multipart: { file } });
    imports.push(new URL(uploaded.url()).pathname.split("/").at(-1) ?? "");
  }
  const pair = (ids: string[], address: (id: string) => string) => ids.map(address) as unknown as Pair;
  return {
    "/payments/files/:id": pair(files, (id) => `/payments/files/${id}`),
    "/payments/files/:id/outcomes": pair(files, (id) => `/payments/files/${id}/outcomes`),
    "/payees/import/:id": pair(imports, (id) => `/payees/import/${id}`),
  };
}

/** Two suppliers of an accounting system whose accounts were changed there. */
async function makeAccountChanges(client: ApiClient, tag: string): Promise<Pairs> {
  const inXero = async (address: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    return fetch(`${place.simulators}/xero${address}`, { method: "POST", body, redirect: "manual" });
  };
  const names = [`Wattle ${tag}`, `Banksia ${tag}`];
  const contacts = [];
  for (const [at, name] of names.entries()) {
    const added = await inXero("/contacts", {
      tenantId: FIRST_TENANT,
      name,
      bankAccount: `062-000 5300000${at}`,
      isSupplier: "yes",
    });
    contacts.push(added.headers.get("location")?.split("/").at(-1));
  }
  const page = await context.newPage();
  await page.goto(`${place.origin}/integrations/xero/connect`);
  // The page continues automatically; the first organisation is ticked on the next one.
  await page.waitForURL(/\/authorize/);
  await page.getByRole("button", { name: /Allow/ }).click();
  await page.waitForURL(/\/integrations\/xero$/);
  await page.close();
  const find = async (name: string) =>
    (await client.get(`/api/payees?q=${encodeURIComponent(name)}`)).body.payees[0]?.id;
  const ids: string[] = [];
  for (const [at, name] of names.entries()) {
    ids.push(await until<string>(() => find(name), Boolean, `the supplier ${name}`));
    await inXero(`/contacts/${contacts[at]}`, { bankAccount: `063-001 9988000${at}` });
  }
  return { "/payees/:id/accounting": ids.map((id) => `/payees/${id}/accounting`) as unknown as Pair };
}

/** Two invoices of suppliers that nobody knows, as emails. */
async function makeInvoices(client: ApiClient): Promise<Pairs> {
  const ids: string[] = [];
  for (const n of [1, 2]) {
    const lines = [
      `From: Supplier ${n} <accounts@supplier-${n}.example>`,
      "To: office@lee.example",
      `Subject: Invoice INV-${n}`,
      "Content-Type: text/plain; charset=utf-8",
      "",
      `Tax invoice INV-${n}`,
      `Please pay $${n}00.00 to BSB 062-000, account 5400000${n}, account name Supplier ${n} Pty Ltd.`,
    ];
    const type = { "Content-Type": "message/rfc822", "x-file-name": `invoice-${n}.eml` };
    const { body } = await client.send("/api/invoices", lines.join("\r\n"), type);
    ids.push(body.invoice.id);
  }
  return { "/invoices/:id": ids.map((id) => `/invoices/${id}`) as unknown as Pair };
}

/** Two lists of what is wrong with payees. */
async function makeFindings(): Promise<Pairs> {
  const pair: Pair = ["/payees/health?kind=never_verified", "/payees/health?kind=no_contact"];
  await context.request.post(`${place.origin}/payees/health`, { form: {} });
  for (const address of pair) {
    const ask = async () => (await context.request.get(place.origin + address)).text();
    await until(ask, (html) => html.includes('name="payeeId"'), `payees on ${address}`);
  }
  return { "/payees/health": pair };
}

async function makeEndpoints(client: ApiClient): Promise<Pairs> {
  const ids = [];
  for (const name of ["one", "two"]) {
    const form = { intent: "create", url: `https://hooks.example.com/${name}`, events: "verification.approved" };
    const { headers } = await client.submit("/settings/webhooks", form);
    ids.push(headers.get("location"));
  }
  return { "/settings/webhooks/:id": ids as unknown as Pair };
}

/** Links that people get by email: two of each. */
async function makeLinks(client: ApiClient, tag: string): Promise<Pairs> {
  const people = [`ann@${tag}-a.example`, `bob@${tag}-b.example`];
  for (const email of people) {
    await registered(email);
    await client.post("/api/forgot-password", { email });
    await client.submit("/settings/members", { intent: "invite", email: `new-${email}`, role: "member" });
    await client.post("/api/payee-requests", { name: `Payee of ${email}`, email: `payee-${email}` });
  }
  return {
    "/confirm-email/:token": await pairOfLinks(people, "/confirm-email/"),
    "/reset-password/:token": await pairOfLinks(people, "/reset-password/"),
    "/invitation/:token": await pairOfLinks(
      people.map((email) => `new-${email}`),
      "/invitation/",
    ),
    "/details/:token": await pairOfLinks(
      people.map((email) => `payee-${email}`),
      "/details/",
    ),
  };
}

test("every page with a form and a changing subject is walked, or it is said why not", () => {
  expect([...Object.keys(pairs), ...Object.keys(NOT_WALKED)].sort()).toEqual(listPages());
});

/** Pages of people without a session. */
const SIGNED_OUT = /^\/(auth|confirm-email|reset-password|invitation|details|verify)(\/|$)/;

/** The fields as the server renders them for a new visitor. */
const freshFields = async (page: Page, address: string) =>
  readFields(page, await (await page.request.get(place.origin + address)).text());

async function expectUntouched(page: Page, address: string, fields: string[]) {
  await settled(page, address);
  await expect.poll(() => readFields(page)).toEqual(fields);
  expect(await page.locator("body").innerText()).not.toContain(TYPED);
}

/** The build's file with the card that asks the payee. */
const cardScript = () => {
  const folder = path.resolve(import.meta.dirname, "../../public/build");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
  const found = files.find((name) => readFileSync(path.join(folder, name), "utf8").includes("has not been asked yet"));
  if (!found) throw new Error("no script draws the card");
  return path.basename(found);
};

test("a form whose script is still on its way is sent once it is there, and what another form holds stays", async () => {
  const email = `westside@${newTag()}.example`;
  const payee = {
    name: "Westside Roofing",
    accountName: "Westside Roofing",
    bsb: "062-000",
    accountNumber: "51000009",
  };
  const added = await context.request.post(`${place.origin}/api/payees`, { data: { ...payee, email } });
  const { verification } = (await added.json()) as { verification: { id: string } };
  const page = await context.newPage();
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(`**/${cardScript()}`, async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto(`${place.origin}/verifications/${verification.id}`, { waitUntil: "commit" });
  const reason = page.locator("#decision textarea[name=reason]").first();
  await expect
    .poll(() => reason.evaluate((field) => Object.keys(field).some((key) => key.startsWith("__react"))))
    .toBe(true);
  await reason.fill(TYPED);
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  // Nothing seems to happen, so it is pressed again.
  for (const _ of [1, 2]) await page.getByRole("button", { name: "Send by email" }).click();
  expect(await page.getByText("The payee has not been asked yet.").count()).toBe(1);
  letGo();
  await page.getByText("Verification Link Sent").first().waitFor();
  expect(await reason.inputValue()).toBe(TYPED);
  expect(posts).toHaveLength(1);
  await page.close();
});

describe("what was filled in for one subject", () => {
  test("of the Inbox: nothing typed for one item beside the list is there for the next", async () => {
    const page = shared;
    const inInbox = (pair: Pair = ["", ""]) => pair.map((address) => `${address}?from=inbox`) as unknown as Pair;
    for (const [one, other] of [inInbox(pairs["/verifications/:id"]), inInbox(pairs["/payments/:id"])]) {
      await page.goto(place.origin + one);
      await scripted(page);
      const second = await freshFields(page, other);
      expect(await fillFields(page, TYPED)).toBeGreaterThan(0);
      await navigate(page, other);
      await expectUntouched(page, other, second);
    }
  });

  test.each(listPages().filter((route) => !(route in NOT_WALKED)))("%s shows it for no other", async (route) => {
    const [one, other] = pairs[route] ?? ["", ""];
    const visitor = SIGNED_OUT.test(route) ? await newVisitor(browser, { scripts: true }) : undefined;
    const page = (await visitor?.newPage()) ?? shared;
    const first = await freshFields(page, one);
    const second = await freshFields(page, other);
    await page.goto(place.origin + one);
    await scripted(page);
    expect(await fillFields(page, TYPED)).toBeGreaterThan(0);
    expect(await readFields(page)).not.toEqual(first);

    await navigate(page, other);
    await expectUntouched(page, other, second);
    await fillFields(page, TYPED);
    await page.goBack();
    await expectUntouched(page, one, first);
    await fillFields(page, TYPED);
    await page.goForward();
    await expectUntouched(page, other, second);
    await visitor?.close();
  });
});
