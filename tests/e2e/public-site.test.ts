import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { PUBLIC_PATHS } from "~/routes/_public+/sitemap[.]xml";
import { ARTICLES } from "../../app/components/marketing/blog/articles";
import { QUESTIONS } from "../../app/components/marketing/faq-content";
import { sitePaths } from "../../app/kernel/paths/site";
import { closeVisits, openBrowser } from "../support/browser";
import { endMoments, holdMoments } from "../support/moments";
import { findProblems } from "../support/page-checks";
import { findInvalidHtml } from "../support/valid-html";

const { origin, simulators } = inject("app");
const PAGES = [
  ...PUBLIC_PATHS,
  sitePaths.apiDocsGroup("payees"),
  ...ARTICLES.map((article) => sitePaths.article(article.slug)),
];

/** HTML and CSS of the home page, compressed. */
const HOME_BUDGET_BYTES = 30 * 1024;

let browser: Browser;
/** Reuses one page, because opening a new one is the slowest part. */
let reader: Page;
beforeAll(async () => {
  browser = await openBrowser();
  reader = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
});
afterAll(() => closeVisits(browser));

const opened: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map((context) => context.close())));

type Options = {
  javaScriptEnabled?: boolean;
  colorScheme?: "light" | "dark";
  width?: number;
  holdsMoments?: boolean;
};

async function open(path: string, { width = 1280, holdsMoments, ...options }: Options = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
  opened.push(context);
  const page = await context.newPage();
  if (holdsMoments) await holdMoments(page);
  await page.goto(origin + path);
  return page;
}

const get = (path: string, init?: RequestInit) => fetch(origin + path, { redirect: "manual", ...init });
const textOf = async (path: string) => (await get(path)).text();

describe.each(PAGES)("%s", (path) => {
  test("is one titled page with one heading, described, addressed, and without a script", async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(await findInvalidHtml(html)).toEqual([]);
    expect(html.match(/<h1[\s>]/g)).toHaveLength(1);
    expect(html.match(/<title>[^<]*PayeeProof[^<]*<\/title>/g)).toHaveLength(1);
    expect(html).toContain(`<link rel="canonical" href="${origin}${path}"/>`);
    expect(html).toMatch(/<meta name="description" content="[^"]{40,}"\/>/);
    expect(html).toContain(`<meta property="og:image" content="${origin}/social-card.png"/>`);
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.filter((tag) => !tag.includes("application/ld+json"))).toEqual([]);
    expect(html).not.toContain("modulepreload");
  });

  test("can be used by every person, at every width", async () => {
    await reader.goto(origin + path);
    expect(await findProblems(reader, { widths: [320, 768, 2560] })).toEqual([]);
  });
});

test("every link of every public page answers", async () => {
  const seen = new Map<string, string>();
  for (const path of PAGES) {
    for (const [, href] of (await textOf(path)).matchAll(/<a\b[^>]*\bhref="([^"]+)"/g)) {
      if (href?.startsWith("/") || href?.startsWith("#"))
        seen.set(new URL(href.replaceAll("&amp;", "&"), origin + path).href, path);
    }
  }
  expect(seen.size).toBeGreaterThan(40);
  const broken: string[] = [];
  const answers = new Map<string, { status: number; html: string }>();
  for (const [address, from] of seen) {
    const { pathname, search, hash } = new URL(address);
    const path = pathname + search;
    if (!answers.has(path)) {
      const response = await get(path);
      answers.set(path, { status: response.status, html: await response.text() });
    }
    const { status = 0, html = "" } = answers.get(path) ?? {};
    if (status >= 400) broken.push(`${from} -> ${address}: ${status}`);
    else if (hash && !html.includes(`id="${hash.slice(1)}"`)) broken.push(`${from} -> ${address}: no such place`);
  }
  expect(broken).toEqual([]);
});

test("the home page is small: HTML and CSS together, compressed", async () => {
  const html = await textOf("/");
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href ?? "");
  expect(sheets).toHaveLength(1);
  const css = await textOf(sheets[0] ?? "");
  expect(gzipSync(html).length + gzipSync(css).length).toBeLessThan(HOME_BUDGET_BYTES);
});

test.each([
  ["/", true],
  ["/how-it-works", false],
])("the demo of %s steps as the specification says (JavaScript: %s)", async (path, javaScriptEnabled) => {
  const page = await open(path, { javaScriptEnabled });
  const step = () =>
    page
      .locator("#demo")
      .getByText(/^Step \d of 4$/)
      .textContent();
  expect(await step()).toBe("Step 3 of 4");
  await page.getByRole("button", { name: "Verify & Continue" }).click();
  await page.getByText("Step 4 of 4").waitFor();
  await page.getByRole("button", { name: "Start again" }).click();
  await page.getByText("Step 3 of 4").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Step 2 of 4").waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
});

test("one of six questions is open at a time, and it can be closed, without a script", async () => {
  const page = await open("/faq", { javaScriptEnabled: false });
  const items = page.locator('details[name="faq"]');
  expect(await items.count()).toBe(6);
  expect(QUESTIONS).toHaveLength(6);
  const openOnes = () => page.locator('details[name="faq"][open]').count();
  expect(await openOnes()).toBe(0);
  await items.nth(1).locator("summary").click();
  await items.nth(4).locator("summary").click();
  await expect.poll(openOnes).toBe(1);
  await items.nth(4).locator("summary").click();
  await expect.poll(openOnes).toBe(0);
});

test("the menu of a narrow screen opens without a script and leads to every page of the header", async () => {
  const page = await open("/", { width: 390, javaScriptEnabled: false });
  await page
    .locator("summary", { has: page.locator("svg") })
    .first()
    .click();
  const menu = page.getByRole("navigation", { name: "Mobile" });
  expect(await menu.getByRole("link").allTextContents()).toEqual([
    "Home",
    "Features",
    "How It Works",
    "Pricing",
    "FAQ",
    "Contact",
    "Login",
  ]);
});

const ANSWERS = {
  "First name": "Mira",
  "Last name": "Okafor",
  Email: "mira@harbour.example",
  Company: "Harbour Joinery",
  Phone: "02 5550 0142",
} as const;

async function fillIn(page: Page, message: string) {
  for (const [label, value] of Object.entries(ANSWERS)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel("What is it about?").selectOption("demo");
  await page.getByRole("textbox", { name: "Message" }).fill(message);
  await page.getByLabel(/I agree to the/).check();
}

describe.each([
  ["/contact", false],
  ["/", true],
])("the contact form of %s (JavaScript: %s)", (path, javaScriptEnabled) => {
  test("thanks, empties itself, and emails what was written", async () => {
    const page = await open(path, { javaScriptEnabled });
    const message = `Please show us, ${crypto.randomUUID()}`;
    await fillIn(page, message);
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText("Submission successful").waitFor();
    await expect
      .poll(() => page.getByText("We've received your message and will contact you shortly.").count())
      .toBe(1);
    await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
    await expect.poll(() => mailsWith(message)).toBe(1);
  });

  test("keeps what was typed and puts each sentence beside its field", async () => {
    const page = await open("/contact", { javaScriptEnabled });
    await page.getByLabel("First name").fill("Mira");
    await page.getByRole("textbox", { name: "Message" }).fill("Too short");
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === "POST"),
      page.getByRole("button", { name: "Send message" }).click(),
    ]);
    expect(response.status()).toBe(400);
    await expect.poll(() => page.title()).toBe("Error: Contact · PayeeProof");
    const summary = page.getByRole("alert");
    await expect
      .poll(() => summary.getByRole("link").allTextContents())
      .toEqual([
        "Last name is required",
        "Invalid email address",
        "Company name is required",
        "Valid phone number is required",
        "Please select an option",
        "Message must be at least 10 characters",
        "You must agree to the privacy policy",
      ]);
    expect(await page.getByLabel("First name").inputValue()).toBe("Mira");
    expect(await page.getByRole("textbox", { name: "Message" }).getAttribute("aria-describedby")).toBe("message-error");
  });
});

async function mailsWith(text: string): Promise<number> {
  const messages = (await (await fetch(`${simulators}/mail/messages`)).json()) as { text: string }[];
  return messages.filter((message) => message.text.includes(text)).length;
}

test("with scripts the thanks is a toast that leaves by itself; the page itself asked for none", async () => {
  const page = await open("/contact", { holdsMoments: true });
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  expect(await page.locator("script[src], link[rel=modulepreload]").count()).toBe(0);
  await fillIn(page, `A toast please, ${crypto.randomUUID()}`);
  await page.getByRole("button", { name: "Send message" }).click();
  const toast = page.getByRole("region", { name: /Messages/ }).getByText("Submission successful");
  await toast.waitFor();
  expect(await endMoments(page, "message")).toBeGreaterThan(0);
  await toast.waitFor({ state: "detached" });
  expect(faults).toEqual([]);
});

test.each([true, false])(
  "the matcher can be tried, and says what is missing (JavaScript: %s)",
  async (javaScriptEnabled) => {
    const page = await open("/features", { javaScriptEnabled });
    const box = page.locator("#try");
    await box.getByLabel("Name on the invoice").fill("Nguyen & Sons P/L");
    await box.getByLabel("Name at the bank").fill("Nguyen and Sons Pty Ltd");
    await box.getByRole("button", { name: "Compare" }).click();
    await box.getByText("Exact").waitFor();
    await box.getByLabel("Name at the bank").fill("");
    await box.getByRole("button", { name: "Compare" }).click();
    await box.getByText("Enter the name at the bank").first().waitFor();
    expect(await box.getByLabel("Name on the invoice").inputValue()).toBe("Nguyen & Sons P/L");
  },
);

test("hostile names are drawn as text", async () => {
  const name = `<script>alert(1)</script> "O'Brien" ${"\u202e"}`;
  const body = new URLSearchParams({ submitted: name, held: "O'Brien" });
  const html = await (await get("/features", { method: "POST", body })).text();
  expect(html).not.toContain("<script>alert");
  expect(html).toContain("&lt;script&gt;");
});

test("an address that nobody has answers 404 inside the frame of the site", async () => {
  const response = await get("/no/such/page");
  expect(response.status).toBe(404);
  const html = await response.text();
  expect(html).toContain("<title>Page not found · PayeeProof</title>");
  expect(html).toContain("There is no page at this address");
  expect((await get("/blog/no-such-article")).status).toBe(404);
});

test("robots, site map, feed and security.txt name the site's own addresses", async () => {
  expect(await textOf("/robots.txt")).toContain(`Sitemap: ${origin}/sitemap.xml`);
  const map = await textOf("/sitemap.xml");
  for (const path of PAGES) expect(map).toContain(`<loc>${origin}${path}</loc>`);
  const feed = await textOf("/blog/rss.xml");
  for (const article of ARTICLES) expect(feed).toContain(`<link>${origin}${sitePaths.article(article.slug)}</link>`);
  const security = await textOf("/.well-known/security.txt");
  const expires = Date.parse(/^Expires: (.+)$/m.exec(security)?.[1] ?? "");
  expect(expires).toBeGreaterThan(Date.now());
  expect(security).toContain(`Contact: ${origin}/contact`);
});

test("structured data parses and says what the page says", async () => {
  const read = async (path: string) =>
    [...(await textOf(path)).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
      ([, json]) => JSON.parse(json ?? "") as Record<string, unknown>,
    );
  expect((await read("/")).map((data) => data["@type"])).toEqual(["Organization", "Product", "FAQPage"]);
  const [product] = await read("/pricing");
  expect(product).toMatchObject({ offers: { price: "500.00", priceCurrency: "AUD" } });
  const [faq] = (await read("/faq")) as { mainEntity?: { name: string }[] }[];
  expect(faq?.mainEntity?.map((entry) => entry.name)).toEqual(QUESTIONS.map((entry) => entry.question));
});

test("chosen colours are kept, without a script", async () => {
  const page = await open("/pricing", { javaScriptEnabled: false, colorScheme: "light" });
  await page.getByRole("button", { name: "Dark" }).click();
  await page.locator('html[data-theme="dark"]').waitFor({ state: "attached" });
  expect(new URL(page.url()).pathname).toBe("/pricing");
});

test("the script that checks evidence is downloaded and runs by itself", async () => {
  const page = await open(sitePaths.security, { javaScriptEnabled: false });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "verify-evidence.mjs" }).click(),
  ]);
  const folder = mkdtempSync(path.join(tmpdir(), "payeeproof-kit-"));
  try {
    const script = path.join(folder, download.suggestedFilename());
    await download.saveAs(script);
    writeFileSync(path.join(folder, "facts.json"), JSON.stringify({ format: "payeeproof-certificate-1", id: "c1" }));
    const { status, stdout } = spawnSync(process.execPath, [script, "facts.json"], { cwd: folder, encoding: "utf8" });
    expect(stdout).toContain("Record id c1");
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
