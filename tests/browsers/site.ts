import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { aDirectEntryFile } from "../support/aba-files";
import { type ApiClient, apiClient, until } from "../support/api-client";
import { confirmAddressByCall, linkFromMail, newTag, PASSWORD, type Place } from "../support/journey";
import { findCovered, findSmallFields } from "../support/presses";
import { pathOf } from "../support/route-path";
import type { Session } from "./webdriver";

/**
 * Every page in a window of any browser: presses reach whatever is visible, and nothing is wider than the window, on a
 * desktop, a small screen, a tablet and a phone.
 */
export const HEIGHT = 900;
const PICTURE_WIDTH = 1_440;
export const KEPT = path.resolve(import.meta.dirname, "../../screenshots/browsers");

/** A window of a browser, opened at the app. */
type Looking = {
  /** The widths to check, widest first. */
  widths: readonly number[];
  visit(path: string): Promise<unknown>;
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<string[]>;
  resize(width: number): Promise<unknown>;
  /** The pages to take screenshots of, and the function that saves one under a name. */
  pictured: readonly string[];
  keep(name: string): Promise<unknown>;
};

export const SUPPLIERS = ["Albany Awnings", "Broome Bricks", "Cairns Catering", "Dubbo Drains", "Esperance Energy"];

let made: ReturnType<typeof makeSite> | undefined;

/** A test organisation, created once per process, and all its pages. */
export async function openSite(place: Place) {
  made ??= makeSite(place);
  return made;
}

/** Paths of links in emails. */
const TOKENS = [
  ...["verify", "details", "report-message", "stop-emails", "confirm-email", "confirm-contact", "email-change"],
  ...["invitation", "reset-password"],
];

/** An organisation with payees, verifications, payments, files, an invoice, and a payee who has a link. */
async function makeSite(place: Place) {
  const tag = newTag();
  const email = `sam@${tag}.example`;
  const client = apiClient(place.origin);
  const person = { email, firstName: "Sam", password: PASSWORD, newOrganization: { name: `Office of ${email}` } };
  expect((await client.post("/api/register", person)).status).toBe(201);
  await confirmAddressByCall(client, place, email);
  for (const [at, name] of SUPPLIERS.entries()) await addSupplier(client, name, at);
  const paid = await addPaidSupplier(client);
  const invoice = await addInvoice(client);
  const hook = { url: `https://hooks.${tag}.example/payeeproof`, events: ["payment.held_again"] };
  const { body: hooked } = await client.post("/api/webhook-endpoints", hook);
  const table = "Name,Account name,BSB,Account number\nGeelong Gates,Geelong Gates Pty Ltd,062-000,66000006\n";
  const csv = { "Content-Type": "text/csv" };
  const { body: imported } = await client.send("/api/imports/payees?name=suppliers.csv", table, csv);
  const { body: counted } = await client.post("/api/bulk-checks", { payeeIds: [paid.payee] });

  const to = `pay@${tag}.example`;
  const payee = { name: "Kestrel Glass", accountName: "Kestrel Glass Pty Ltd", bsb: "062000", email: to };
  const { body } = await client.post("/api/payees", { ...payee, accountNumber: "70000123" });
  const verification = `/verifications/${body.verification.id}`;
  await client.post(`/api${verification}/send-link`, { channel: "email" });
  const link = new URL(await linkFromMail(place, to, "/verify/"));
  const map = await (await fetch(`${place.origin}/sitemap.xml`)).text();
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => new URL(address).pathname);
  expect(listed).toEqual(expect.arrayContaining(["/help", "/status"]));
  const { body: fixtures } = await client.post("/__local/fixtures", { password: PASSWORD });
  return {
    client,
    email,
    superAdmin: fixtures.people.superAdmin.email as string,
    verification,
    signedOut: [
      ...listed,
      "/auth",
      "/auth?tab=register",
      ...["/auth/company", "/auth/forgot", "/certificates", "/certificates/unknown?hash=none", "/nowhere"],
      ...TOKENS.map((folder) => `/${folder}/unknown`),
      ...["/bank-consent/return", "/bank-consent/continue"],
      link.pathname + link.search,
    ],
    /** Start pages, which no link leads to or only a later one; the others are found from these. */
    signedIn: [
      "/dashboard",
      "/payees/verify",
      "/payments/new",
      "/profile/two-step",
      "/profile/tokens",
      "/logout",
      `${verification}?from=inbox`,
      `${invoice}?from=inbox`,
      "/search?q=kestrel",
      ...["/subscription", "/select-organization", "/integrations/xero", "/sample-data"],
      ...[`/payees/${paid.payee}/accounting`, `/verifications/${paid.verification}/certificate`],
      ...[`/payments/files/${paid.file}/certificate`, `/payments/files/${paid.file}/outcomes`],
      `/settings/webhooks/${hooked.endpoint.id}`,
      `/payees/import/${imported.import.id}`,
      `/payees/checks/${counted.bulkCheck.id}`,
    ],
    ofPlatform: ["operations", "restores", "organizations", "bsb-directory", "users", "data-requests"].map(
      (name) => `/admin/${name}`,
    ),
    pictured: [
      ...["/", "/pricing", "/help", "/auth"],
      ...["/dashboard", "/verifications", "/payees", "/payments/files", "/settings", `${verification}?from=inbox`],
    ],
  };
}

async function addSupplier(client: ApiClient, name: string, at: number) {
  const payee = { name, accountName: `${name} Pty Ltd`, bsb: "062-000", accountNumber: `6600000${at}` };
  const { body } = await client.post("/api/payees", payee);
  const payment = { payeeId: body.payee.id, amount: 10_000 + at, reference: `R-${at}` };
  expect((await client.post("/api/payments", payment)).status).toBe(201);
  const line = { title: `${name} Pty Ltd`, accountNumber: payee.accountNumber, amount: 500, reference: `F-${at}` };
  const { body: uploaded } = await client.send(`/api/payment-files?name=run-${at}.aba`, aDirectEntryFile([line]));
  // The page of a file that is still being checked loads itself again.
  const read = async () => (await client.get(`/api/payment-files/${uploaded.file.id}`)).body.file.status;
  await until(read, (status) => status === "open", "a file that is checked");
}

/** A supplier who was called and approved, and a file of theirs that was cleared for the bank. */
async function addPaidSupplier(client: ApiClient) {
  const payee = { name: "Fremantle Fencing", accountName: "Fremantle Fencing Pty Ltd", bsb: "062-000" };
  const { body } = await client.post("/api/payees", { ...payee, accountNumber: "66000005" });
  const verification = body.verification.id as string;
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Called them on the number in the contract" };
  expect((await client.post(`/api/verifications/${verification}/review`, review)).status).toBe(200);
  const line = { title: payee.accountName, accountNumber: "66000005", amount: 500, reference: "F-5" };
  const { body: uploaded } = await client.send("/api/payment-files?name=run-5.aba", aDirectEntryFile([line]));
  const file = uploaded.file.id as string;
  const read = async () => (await client.get(`/api/payment-files/${file}`)).body.file.status;
  await until(read, (status) => status === "open", "a file that is checked");
  expect((await client.post(`/api/payment-files/${file}/clear`, {})).status).toBe(200);
  return { payee: body.payee.id as string, verification, file };
}

/** @returns the page of an invoice of somebody whom nobody knows */
async function addInvoice(client: ApiClient): Promise<string> {
  const lines = [
    "From: Supplier <accounts@supplier.example>",
    "To: office@sam.example",
    "Subject: Invoice INV-1",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Tax invoice INV-1",
    "Please pay $100.00 to BSB 062-000, account 54000001, account name Supplier Pty Ltd.",
  ];
  const type = { "Content-Type": "message/rfc822", "x-file-name": "invoice.eml" };
  const { body } = await client.send("/api/invoices", lines.join("\r\n"), type);
  const read = async () => (await client.get(`/api/invoices/${body.invoice.id}`)).body.invoice.status;
  await until(read, (status) => status !== "reading", "an invoice that is read");
  return `/invoices/${body.invoice.id}`;
}

export async function signInBy(session: Session, origin: string, email: string): Promise<void> {
  await session.visit(`${origin}/auth`);
  await session.type("main [name=email]", email);
  await session.type("main [name=password]", `${PASSWORD}\uE007`);
  await session.until(
    "the first page",
    () => location.pathname === "/dashboard" || location.pathname.startsWith("/admin/"),
  );
}

/** One page is checked for all of its kind: one payee for all payees. */
const kindOf = (address: string) => address.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id");

/** Excludes files, API calls and pages that redirect to another server. */
const isPage = (address: string) =>
  !/^\/(api\/(?!docs)|assets|build)|\/(connect|original|cleared|export)$|\.\w{2,6}$/.test(address);

/** In the page: where its links lead. */
const findLinks = () =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]:not([download]):not([target])')].map(
    ({ pathname }) => pathname,
  );

/** Runs in the page. */
const tellPath = () => [location.pathname];

/** In the page: whether the page scrolls sideways. */
function findWidth(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : [];
}

/** Combines functions into one expression, because a round trip to a busy browser takes longer than the check. */
const together = (asked: readonly (() => string[])[]) => `[${asked.map((each) => `(${each})()`)}].flat()`;

/**
 * Checks pages and the pages that they link to, each once.
 * @param seen the kinds of pages that were checked before, to which this adds
 * @returns problems, one per line
 */
export async function lookAt(window: Looking, starts: readonly string[], seen: Set<string>, follow = false) {
  const problems: string[] = [];
  const waiting = [...starts];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const kind = kindOf(address);
    if (seen.has(kind) || !isPage(address)) continue;
    seen.add(kind);
    // The window stays as wide as the page before left it: half of the pages are opened in the narrowest.
    const widths = seen.size % 2 === 0 ? window.widths : [...window.widths].reverse();
    const found = await lookAtPage({ ...window, widths }, address).catch((cause) => {
      throw new Error(`${address}: ${cause}`, { cause });
    });
    problems.push(...found);
    if (follow) waiting.push(...(await window.evaluate(together([findLinks]))));
  }
  return problems;
}

/** The message begins with the first problems, because a summary keeps its first lines. */
export const expectNone = (problems: readonly string[]) =>
  expect(problems, problems.slice(0, 5).join("\n")).toEqual([]);

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");

/** The path of every route that draws a page, e.g. `/payees/:id/edit`. */
function listPages(): string[] {
  const files = readdirSync(ROUTES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tsx"));
  const pages = files.filter((name) => readFileSync(path.join(ROUTES, name), "utf8").includes("export default"));
  return pages.map((name) => pathOf(name.split(path.sep).join("/"))).filter((page) => !page.endsWith("_layout"));
}

/** An address belongs to the route with the fewest parameters. */
const weigh = (page: string) => page.split(":").length + page.split("*").length * 9;

const isOf = (page: string, kind: string) =>
  new RegExp(`^${page.replace(/:\w+|\*/g, "[^/]+")}/?$`).test(kind.replace(/\?.*/, ""));

/** Pages that no address alone leads to: each stands between two steps of a person, or is where another party sends them. */
const BETWEEN_STEPS = [
  ...["/auth/company/:id/return", "/auth/company/go", "/auth/company/link", "/auth/company/renew"],
  ...["/auth/confirm", "/auth/kept-form", "/auth/two-step"],
  ...["/integrations/:system/connect", "/integrations/:system/return"],
  ...["/subscription/cancel", "/subscription/stripe-redirect"],
];

/** A walk that missed a page fails. */
export function expectWhole(seen: ReadonlySet<string>) {
  const pages = listPages().sort((one, other) => weigh(one) - weigh(other));
  const walked = new Set([...seen].map((kind) => pages.find((page) => isOf(page, kind))));
  expect(pages.filter((page) => !walked.has(page)).sort()).toEqual(BETWEEN_STEPS);
  expect([...seen]).toEqual(expect.arrayContaining(["/verifications/:id?from=inbox", "/invoices/:id?from=inbox"]));
}

async function lookAtPage(window: Looking, address: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [at, width] of window.widths.entries()) {
    await window.resize(width);
    if (at === 0) await window.visit(address);
    if (width === PICTURE_WIDTH && window.pictured.includes(address)) {
      await window.keep(kindOf(address).slice(1).replace(/\W+/g, "-") || "home");
    }
    const [shown, ...found] = await window.evaluate(together(LOOKS));
    if (shown !== address.replace(/\?.*/, "")) found.push(`leads to ${shown}`);
    problems.push(...found.map((problem) => `${address} at ${width} px: ${problem}`));
  }
  return problems;
}

/** In the page: what has a vertical scroll bar of its own although it is drawn as high as what it holds. */
function findStrayBars(): string[] {
  // What may be longer than the window has a bar on purpose: these are as high as the window, others say how high they get.
  const others = "body *:not(textarea, select, .inbox-list, .rail-words)";
  return [...document.querySelectorAll<HTMLElement>(others)].flatMap((element) => {
    const { overflowY, maxHeight, borderLeftWidth, borderRightWidth } = getComputedStyle(element);
    if ((overflowY !== "auto" && overflowY !== "scroll") || maxHeight !== "none") return [];
    const borders = Number.parseFloat(borderLeftWidth) + Number.parseFloat(borderRightWidth);
    const bar = element.offsetWidth - element.clientWidth - borders;
    const over = element.scrollHeight - element.clientHeight;
    return bar > 2 || over > 0
      ? [`${element.tagName} ${element.className.slice(0, 40)}: a bar of ${bar} px for ${over} px`]
      : [];
  });
}

/** The first function returns the page's address, the others its problems. */
const LOOKS = [tellPath, findCovered, findStrayBars, findSmallFields, findWidth];
