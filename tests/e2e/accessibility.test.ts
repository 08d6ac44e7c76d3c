import { readFileSync } from "node:fs";
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { apiClient } from "../support/api-client";
import { launchBrowser } from "../support/browser";
import { listenForTrouble, newTag, newVisitor, signIn } from "../support/journey";

/** Every page of the main job: axe in both colour schemes, nothing wider than a small phone, a quiet console. */

const place = inject("app");
const secrets = JSON.parse(readFileSync(path.join(place.stateDir, "secrets.json"), "utf8")) as {
  DEMO_PASSWORD: string;
};
const EMAIL = "alex@harbour.example";
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A page that answers 400 or 404, as some here must, is reported on the console too. */
const REFUSED = /the server responded with a status of 40[04] /;

let browser: Browser;
let pages: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  pages = await furnish();
});

afterAll(() => browser.close());

/** One of everything, so that no page is looked at empty. */
async function furnish(): Promise<string[]> {
  const client = apiClient(place.origin);
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

  const pending = await add("Northside Glazing", "31000001");
  const approved = await add("Southbank Catering", "31000002");
  await client.post(`/api/verifications/${approved.verificationId}/review`, {
    approved: true,
    addToGlobalWhitelist: false,
  });
  const held = await pay(pending.payeeId, "A-1");
  const authorised = await pay(approved.payeeId, "A-2");
  return [
    "/dashboard",
    "/payees",
    "/payees/verify",
    `/payees/${pending.payeeId}`,
    `/payees/${approved.payeeId}/edit`,
    "/verifications/pending",
    `/verifications/${pending.verificationId}`,
    `/verifications/${approved.verificationId}`,
    "/payments",
    "/payments/new",
    `/payments/${held}`,
    `/payments/${authorised}`,
    "/audit",
    "/profile",
    "/settings",
    "/settings/members",
    "/admin/users",
    "/subscription",
    "/nowhere",
  ];
}

async function lookAt(context: BrowserContext, addresses: readonly string[]) {
  const page = await context.newPage();
  const trouble = listenForTrouble(page);
  const found: string[] = [];
  for (const address of addresses) {
    await page.goto(place.origin + address);
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
    found.push(...violations.map((one) => `${address}: ${one.id}: ${one.nodes.map((node) => node.target).join(" ")}`));
  }
  await page.close();
  return { found, trouble: trouble.filter((line) => !REFUSED.test(line)) };
}

test.each(["light", "dark"] as const)("the signed-in pages pass axe in %s colours", async (scheme) => {
  const context = await newVisitor(browser, { scripts: true, scheme });
  await signIn(await context.newPage(), place, EMAIL, secrets.DEMO_PASSWORD);
  expect(await lookAt(context, pages)).toEqual({ found: [], trouble: [] });
  await context.close();
});

test.each(["light", "dark"] as const)("the pages around sign-in pass axe in %s colours", async (scheme) => {
  const context = await newVisitor(browser, { scripts: true, scheme });
  const addresses = [
    "/auth",
    "/auth?tab=register",
    "/logout",
    "/verify/unknown?vid=1&pid=2",
    "/verify/unknown",
    "/bank-consent/return",
  ];
  expect(await lookAt(context, addresses)).toEqual({ found: [], trouble: [] });
  await context.close();
});

test("no page is wider than a phone of 320 pixels", async () => {
  const context = await newVisitor(browser, { scripts: false, width: 320 });
  const page = await context.newPage();
  await signIn(page, place, EMAIL, secrets.DEMO_PASSWORD);
  const wide: string[] = [];
  for (const address of pages) {
    await page.goto(place.origin + address);
    const client = await context.newCDPSession(page);
    const { cssContentSize, cssLayoutViewport } = await client.send("Page.getLayoutMetrics");
    if (cssContentSize.width > cssLayoutViewport.clientWidth) wide.push(`${address}: ${cssContentSize.width}`);
    await client.detach();
  }
  expect(wide).toEqual([]);
  await context.close();
});

/** In the browser: controls without an edge, text in the colour of what it stands on, and no mark of the current page. */
function findInvisible(): string[] {
  const problems: string[] = [];
  const isShown = (element: Element) => element.getClientRects().length > 0 && !element.closest(".sr-only");
  const nameOf = (element: Element) => `${element.tagName} ${(element.textContent ?? "").trim().slice(0, 30)}`;
  for (const control of document.querySelectorAll("input:not([type=hidden]), select, textarea, main button")) {
    const { borderTopWidth, borderTopStyle } = getComputedStyle(control);
    const isNative = control.matches(".tick, [type=file]");
    if (
      isShown(control) &&
      !isNative &&
      !control.closest("details") &&
      (borderTopWidth === "0px" || borderTopStyle === "none")
    ) {
      problems.push(`no edge: ${nameOf(control)}`);
    }
  }
  for (const filled of document.querySelectorAll(".bg-accent, .bg-danger, mark, [aria-current=page]")) {
    const { color, backgroundColor } = getComputedStyle(filled);
    if (isShown(filled) && color === backgroundColor) problems.push(`text in its ground's colour: ${nameOf(filled)}`);
  }
  for (const current of document.querySelectorAll("nav [aria-current=page]")) {
    const other = current.closest("nav")?.querySelector("a:not([aria-current])");
    const groundOf = (element: Element) => getComputedStyle(element).backgroundColor;
    if (other && isShown(current) && groundOf(other) === groundOf(current))
      problems.push(`not marked: ${nameOf(current)}`);
  }
  return problems;
}

test.each(["light", "dark"] as const)(
  "with forced colours on %s every control and the current page can be seen",
  async (scheme) => {
    const context = await newVisitor(browser, { scripts: true, scheme, forcedColors: "active" });
    const page = await context.newPage();
    const found: string[] = [];
    const lookAtAll = async (addresses: readonly string[]) => {
      for (const address of addresses) {
        await page.goto(place.origin + address);
        found.push(...(await page.evaluate(findInvisible)).map((problem) => `${address}: ${problem}`));
      }
    };
    await lookAtAll(["/", "/contact", "/pricing", "/auth", "/auth?tab=register"]);
    await signIn(page, place, EMAIL, secrets.DEMO_PASSWORD);
    await lookAtAll(pages);
    expect(found).toEqual([]);
    await context.close();
  },
);
