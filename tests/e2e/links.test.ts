import type { APIRequestContext, Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeVisits, openBrowser } from "../support/browser";
import { goOnInBrowser, newTag, newVisitor, registerByCall } from "../support/journey";

/** Every link on the signed-in pages leads to a page. */

const place = inject("app");
const MAX_PAGES = 150;
/** The days of the audit trail and reports link to each other endlessly, so this many addresses per page are enough. */
const MAX_OF_ONE_PAGE = 8;
/** Pages in the signed-in layout are searched for more links; other pages only have to respond. */
const SIGNED_IN =
  /^\/(dashboard|verifications|payees|payments|subscription|settings|profile|admin|audit|reports)(\/|\?|$)/;

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

const linksIn = (html: string) =>
  [...html.matchAll(/<a\s[^>]*href="([^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));

/** Follows every link from the dashboard. @returns links that failed, with their pages */
async function crawl(request: APIRequestContext) {
  const seen = new Map([["/dashboard", "the crawl"]]);
  const dead: string[] = [];
  const known = new Map<string, number>();
  for (const [path, from] of seen) {
    if (seen.size > MAX_PAGES) throw new Error("more pages than a new organisation can have");
    const answer = await request.get(place.origin + path);
    if (!answer.ok()) dead.push(`${path} (${answer.status()}), drawn on ${from}`);
    if (!SIGNED_IN.test(path) || !answer.headers()["content-type"]?.startsWith("text/html")) continue;
    for (const href of linksIn(await answer.text())) {
      const { origin, pathname, search } = new URL(href, place.origin + path);
      const count = known.get(pathname) ?? 0;
      if (origin !== place.origin || seen.has(pathname + search) || count === MAX_OF_ONE_PAGE) continue;
      known.set(pathname, count + 1);
      seen.set(pathname + search, path);
    }
  }
  return { dead, paths: [...seen.keys()] };
}

async function signedIn(visitor: BrowserContext) {
  const client = await registerByCall(place, newTag());
  const payee = {
    name: "Coastline Timber",
    accountName: "Coastline Timber Pty Ltd",
    bsb: "062-000",
    accountNumber: "12345678",
  };
  expect((await client.post("/api/payees", payee)).status).toBe(201);
  await goOnInBrowser(visitor, place, client);
  return visitor.request;
}

test("every link of the signed-in pages answers", async () => {
  const visitor = await newVisitor(browser, { scripts: false });
  const { dead, paths } = await crawl(await signedIn(visitor));
  expect(dead).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining(["/payees/verify", "/payments/new", "/audit", "/settings", "/profile", "/help", "/terms"]),
  );
});

test("who registers can read what is accepted", async () => {
  const visitor = await newVisitor(browser, { scripts: false });
  const page = await visitor.newPage();
  await page.goto(`${place.origin}/auth?tab=register`);
  for (const [name, heading] of [
    ["Terms and Conditions", "Terms"],
    ["Privacy Policy", "Privacy"],
  ] as const) {
    const opened = visitor.waitForEvent("page");
    await page.getByRole("link", { name }).click();
    await (await opened).getByRole("heading", { level: 1, name: heading }).waitFor();
  }
});
