import { readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeVisits, isFirefox, openBrowser } from "../support/browser";
import { listenForTrouble, newVisitor, signIn } from "../support/journey";
import { holdMoments } from "../support/moments";

/** What happens around a navigation: focus, what is said, slow and lost networks, messages, and pages that refuse. */

const place = inject("app");
const { DEMO_PASSWORD } = JSON.parse(readFileSync(path.join(place.stateDir, "secrets.json"), "utf8")) as {
  DEMO_PASSWORD: string;
};

let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  context = await newVisitor(browser, { scripts: true });
  page = await context.newPage();
  await holdMoments(page);
  await signIn(page, place, "alex@harbour.example", DEMO_PASSWORD);
});

afterAll(() => closeVisits(browser));

const mainLink = (name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

test("after a navigation the heading has the focus and the title is said", async () => {
  await page.goto(`${place.origin}/dashboard`);
  await mainLink("Manage Payees").click();
  await page.waitForURL(`${place.origin}/payees`);
  await page.getByRole("status").getByText("Payees · PayeeProof").waitFor({ state: "attached" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("page-title");
});

/** When the browser asked for the first script, painted the page and had loaded it, in milliseconds of the visit. */
const firstMoments = () => {
  const asked = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"));
  const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return {
    scripts: Math.min(...asked.map(({ startTime }) => startTime)),
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.POSITIVE_INFINITY,
    loaded: loaded?.loadEventStart ?? Number.POSITIVE_INFINITY,
  };
};

test("scripts are asked for once the page is painted, or was loaded and nobody sees it", async () => {
  const shown = await context.newPage();
  await shown.goto(`${place.origin}/dashboard`);
  const { scripts, paint, loaded } = await shown.evaluate(firstMoments);
  // A page that is not painted soon after it was loaded does not wait longer.
  expect(scripts).toBeGreaterThanOrEqual(Math.min(paint, loaded + 299));
  await shown.addInitScript(() => {
    Object.defineProperty(document, "hidden", { get: () => true });
    PerformanceObserver.prototype.observe = () => {};
  });
  await shown.goto(`${place.origin}/payees`);
  await shown.waitForFunction(() => "__remixRouter" in window, null, { polling: 50 });
  await shown.close();
});

test("a bank is named although its BSB was typed and left before the scripts arrived", async () => {
  const early = await context.newPage();
  const held: (() => void)[] = [];
  let isHeld = true;
  await early.route(/\.js(\?|$)/, (route) => (isHeld ? held.push(() => route.continue()) : route.continue()));
  await early.goto(`${place.origin}/payees/verify`, { waitUntil: "domcontentloaded" });
  await early.getByLabel("BSB").fill("062-000");
  await early.getByLabel("Payee name").fill("Kestrel");
  await expect.poll(() => held.length).toBeGreaterThan(0);
  isHeld = false;
  for (const go of held) go();
  await early.getByText("Commonwealth Bank of Australia").waitFor();
  await early.close();
});

test("a filter of the same page keeps the focus where it is", async () => {
  await page.goto(`${place.origin}/verifications/pending`);
  await page.getByRole("link", { name: "Fuzzy" }).click();
  await page.waitForURL(/match=fuzzy/);
  await page.locator('[aria-current="page"]', { hasText: "Fuzzy" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).not.toBe("page-title");
});

test("a slow navigation shows a bar until the page is there", async () => {
  await page.goto(`${place.origin}/dashboard`);
  let isHeldUp = true;
  const answers: (() => void)[] = [];
  await page.route("**/payments.data*", (route) => {
    if (!isHeldUp) return route.continue();
    answers.push(() => route.continue());
  });
  await mainLink("Payments").click();
  const bar = page.locator(".slow-bar");
  await bar.waitFor({ state: "attached" });
  await page.waitForFunction(() => getComputedStyle(document.querySelector(".slow-bar") as Element).opacity === "1");
  isHeldUp = false;
  for (const answer of answers) answer();
  await page.waitForURL(`${place.origin}/payments`);
  await bar.waitFor({ state: "detached" });
  await page.unroute("**/payments.data*");
});

test.each([
  ["/dashboard", "Payee Verification", "Error Loading Verifications", "Inbox"],
  ["/dashboard", "Manage Payees", "Error Loading Payees", "Payees"],
])(
  "from %s, %s without a network says what could not be loaded, in the signed-in layout",
  async (from, link, title, heading) => {
    await page.goto(place.origin + from);
    await page.route("**/*.data*", (route) => route.abort());
    await mainLink(link).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.unroute("**/*.data*");
    expect(await page.getByRole("link", { name: "Get Started" }).count()).toBe(0);
    expect(await mainLink("Dashboard").count()).toBe(1);
    await page.getByRole("link", { name: "Try Again" }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  },
);

/** The scripts that the page has asked for and not got, from now on. */
function scriptsOnTheirWay(page: Page): ReadonlySet<Request> {
  const asked = new Set<Request>();
  page.on("request", (request) => request.resourceType() === "script" && asked.add(request));
  page.on("requestfinished", (request) => asked.delete(request));
  page.on("requestfailed", (request) => asked.delete(request));
  return asked;
}

test("a connection lost on the page keeps the page: list, detail and logout say so in its layout", async () => {
  const onTheirWay = scriptsOnTheirWay(page);
  await page.goto(`${place.origin}/dashboard`);
  // The scripts of the next page and of messages are loaded ahead, to say what happened without a connection.
  await page.waitForFunction(() => {
    const linked = Object.values(__remixManifest.routes).flatMap(({ module, imports = [] }) => [module, ...imports]);
    const isThere = (href: string) => performance.getEntriesByName(new URL(href, location.href).href).length > 0;
    return linked.some((href) => href.includes("verifications.pending")) && linked.every(isThere);
  });
  await expect.poll(() => onTheirWay.size).toBe(0);
  await context.setOffline(true);
  await page.getByRole("banner").getByText("My Account").click();
  await page.getByRole("banner").getByRole("button", { name: "Logout" }).click();
  const messages = page.getByRole("region", { name: "Messages (F8)" });
  await messages.getByText("Logout failed").waitFor();
  await messages.getByText("We could not reach PayeeProof").waitFor();
  expect(page.url()).toBe(`${place.origin}/dashboard`);
  await mainLink("Payee Verification").click();
  await page.getByRole("heading", { level: 1, name: "Error Loading Verifications" }).waitFor();
  await context.setOffline(false);
});

test("a connection lost at sign-in is told in the form, with the address kept", async () => {
  const visitor = await newVisitor(browser, { scripts: true });
  const other = await visitor.newPage();
  for (const [tab, title, button, field] of [
    ["login", "Login failed", "Login", "Email"],
    ["register", "Registration failed", "Register", "Work email"],
  ] as const) {
    await other.goto(`${place.origin}/auth?tab=${tab}`);
    const email = other.getByRole("textbox", { name: field });
    await email.fill("kim@kept.example");
    await visitor.setOffline(true);
    await other.getByRole("button", { name: button, exact: true }).click();
    await other.getByRole("main").getByText(title).waitFor();
    await other.getByRole("main").getByText("We could not reach PayeeProof").first().waitFor();
    expect(await email.inputValue()).toBe("kim@kept.example");
    await visitor.setOffline(false);
  }
  await visitor.close();
});

/**
 * Runs in the page before its scripts: replaces the timer of React's scheduler, so that the page is not rendered until
 * released.
 */
function holdDrawing() {
  const tasks: (() => void)[] = [];
  const page = window as { setImmediate?: (task: () => void) => void; draw?: () => void };
  page.setImmediate = (task) => void tasks.push(task);
  page.draw = () => {
    page.setImmediate = (task) => void setTimeout(task);
    for (const task of tasks) task();
  };
}

test("what is typed while the page wakes up stays, and is no error", async () => {
  const visitor = await newVisitor(browser, { scripts: true });
  const other = await visitor.newPage();
  const trouble = listenForTrouble(other);
  await other.addInitScript(holdDrawing);
  await other.goto(`${place.origin}/auth`, { waitUntil: "load" });
  const email = other.getByRole("textbox", { name: "Email" });
  await email.click();
  await other.keyboard.type("kim@kept.example");
  expect(trouble).toEqual([]);
  await other.evaluate(() => (window as { draw?: () => void }).draw?.());
  // The button that shows the password is there once scripts run.
  await other.getByRole("button", { name: "Show password" }).waitFor();
  expect(await email.inputValue()).toBe("kim@kept.example");
  expect(trouble).toEqual([]);
  await visitor.close();
});

/** A toast, as a saved form leaves it. */
async function saveNames() {
  await page.goto(`${place.origin}/profile`);
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  const region = page.getByRole("region", { name: "Messages (F8)" });
  const toast = region.locator(".toast");
  await toast.waitFor();
  return { region, toast };
}

test("F8 leads to the messages, and a message ends when the person leaves its page", async () => {
  const { region, toast } = await saveNames();
  await page.keyboard.press("F8");
  await expect.poll(() => region.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.mouse.move(5, 5);
  await toast.hover();
  await mainLink("Dashboard").press("Enter");
  await page.waitForURL(`${place.origin}/dashboard`);
  await toast.waitFor({ state: "detached" });
});

test("a swipe of more than 50 pixels puts a message away, a shorter one does not", async () => {
  const { toast } = await saveNames();
  const swipe = async (distance: number) => {
    const box = await toast.boundingBox();
    if (!box) throw new Error("no toast");
    await page.mouse.move(box.x + 60, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 60 + distance, box.y + 10, { steps: 4 });
    await page.mouse.up();
  };
  await swipe(40);
  expect(await toast.getAttribute("data-state")).toBe("open");
  await swipe(70);
  await toast.waitFor({ state: "detached" });
});

test("a read-only person is told before the form, with a way on", async () => {
  const reader = await newVisitor(browser, { scripts: isFirefox });
  const other = await reader.newPage();
  await signIn(other, place, "ros@harbour.example", DEMO_PASSWORD);
  for (const [address, section] of [
    ["/payees/verify", "Manage Payees"],
    ["/payments/new", "Payments"],
  ] as const) {
    expect((await other.goto(place.origin + address))?.status()).toBe(403);
    await other.getByRole("heading", { level: 1, name: "Your role is read only" }).waitFor();
    expect(await other.getByRole("main").getByRole("textbox").count()).toBe(0);
    expect(await other.getByRole("link", { name: "Try Again" }).count()).toBe(0);
    await other
      .getByRole("main")
      .getByRole("link", { name: `Go to ${section}` })
      .waitFor();
  }
  await reader.close();
});

test.each([
  ["/reset-password", "Send a new link"],
  ["/confirm-email", "Go to Login"],
  ["/invitation", "Go to Login"],
  ["/email-change", "Go to Login"],
])("an unknown link under %s says so, offers a way on and does not repeat the token", async (folder, way) => {
  const visitor = await newVisitor(browser, { scripts: isFirefox });
  const other = await visitor.newPage();
  const token = "unknown-token-of-nobody";
  await other.goto(`${place.origin}${folder}/${token}`);
  const main = other.getByRole("main");
  expect(await main.getByRole("heading", { level: 1 }).count()).toBe(1);
  expect(await main.textContent()).not.toContain(token);
  await main
    .getByRole("link", { name: way })
    .or(main.getByRole("button", { name: way }))
    .first()
    .waitFor();
  await visitor.close();
});
