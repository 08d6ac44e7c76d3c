import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeVisits, isFirefox, openBrowser } from "../support/browser";
import { confirmAddressByCall, goOnInBrowser, newVisitor, registerByCall } from "../support/journey";
import { endMoments, holdMoments } from "../support/moments";

/** The review queue in a real browser, with and without JavaScript. */

const place = inject("app");
const { origin } = place;
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await closeVisits(browser);
});

/** A person of a new organisation, signed in, with payees whose verifications are pending. */
async function aReviewer(names: readonly string[], options: { scripts: boolean }) {
  const context = await newVisitor(browser, { baseURL: origin, ...options });
  const tag = randomUUID().slice(0, 8);
  const client = await registerByCall(place, tag);
  await confirmAddressByCall(client, place, `robin@${tag}.example`);
  await goOnInBrowser(context, place, client);
  const ids: string[] = [];
  for (const [i, name] of names.entries()) ids.push(await addPayee(context, name, String(60_000_000 + i)));
  const page = await context.newPage();
  if (options.scripts) await holdMoments(page);
  return { context, page, ids };
}

async function addPayee(context: BrowserContext, name: string, accountNumber: string): Promise<string> {
  const data = { name, accountName: `${name} Pty Ltd`, bsb: "062-000", accountNumber, email: "pay@supplier.example" };
  const headers = { "Idempotency-Key": randomUUID() };
  const added = await context.request.post("/api/payees", { data, headers });
  expect(added.status()).toBe(201);
  return (await added.json()).verification.id;
}

const rows = (page: Page) => page.locator("tbody tr");

test("a reviewer approves, sees it, and is back at the list a moment later", async () => {
  const { context, page, ids } = await aReviewer(["Fernhill Flowers", "Ironbark Fencing"], { scripts: true });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto("/verifications/pending");
  expect(await rows(page).count()).toBe(2);
  await page.getByRole("link", { name: "Review Fernhill Flowers" }).click();
  await page.waitForURL(`**/verifications/${ids[0]}`);
  await page.getByText("60000000").first().waitFor();
  await page.getByRole("checkbox", { name: "Also add to the global whitelist" }).check();
  await page.getByRole("button", { name: "Approve" }).click();
  const card = page.locator("main").getByText("Verification Approved");
  await card.waitFor();
  expect(new URL(page.url()).pathname).toBe(`/verifications/${ids[0]}`);
  expect(await endMoments(page, "decision")).toBeGreaterThan(0);
  await page.waitForURL("**/verifications/pending");
  await page.getByText("Fernhill Flowers is on the whitelist.").waitFor();
  // The message may be there before the list is drawn.
  await page.getByRole("link", { name: "Review Ironbark Fencing" }).waitFor();
  await expect.poll(() => rows(page).count()).toBe(1);
  const decided = await (await context.request.get(`/api/verifications/${ids[0]}`)).json();
  expect(decided).toMatchObject({ status: "verified", payee: { whitelistGlobal: true } });
  expect(problems).toEqual([]);
  await context.close();
});

test("a reviewer who is too late is told who decided, and sees the decision", async () => {
  const { context, page, ids } = await aReviewer(["Saltbush Signs"], { scripts: true });
  await page.goto(`/verifications/${ids[0]}`);
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.waitFor();
  const url = `/api/verifications/${ids[0]}/review`;
  await context.request.post(url, { data: { approved: false, reason: "The supplier was never ours" } });
  await approve.click();
  const alert = page.getByRole("alert");
  await alert.getByText("Error Approving Verification").waitFor();
  await alert.getByText("Robin rejected this verification").waitFor();
  await page.locator("main").getByText("Verification Rejected").waitFor();
  await context.close();
});

test("without JavaScript the queue is searched, filtered, decided, and its end is good news", async () => {
  const { context, page, ids } = await aReviewer(["Fernhill Flowers", "Ironbark Fencing"], { scripts: false });
  await page.goto("/verifications/pending");
  await page.getByRole("searchbox").fill("iron");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL("**/pending?q=iron");
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.getByRole("link", { name: "Exact" }).click();
  await page.waitForURL("**/pending?q=iron&match=exact");
  await page.getByText("No Pending Verifications").waitFor();
  await page.getByRole("link", { name: "No match" }).click();
  await page.waitForURL("**/pending?q=iron&match=none");

  await page.getByRole("link", { name: "Review Ironbark Fencing" }).click();
  await page.getByLabel("Reason for rejecting").fill("  ");
  await page.getByRole("button", { name: "Reject" }).click();
  await page.waitForURL("**/verifications/pending?q=iron&match=none");
  await page.getByText("Verification Rejected").waitFor();
  await page.getByText("Ironbark Fencing is not trusted.").waitFor();
  await page.getByRole("link", { name: "See the verification" }).click();
  await page.waitForURL(`**/verifications/${ids[1]}`);
  await page.locator("main").getByText("Reason: Manual rejection", { exact: true }).waitFor();
  const decided = await (await context.request.get(`/api/verifications/${ids[1]}`)).json();
  expect(decided).toMatchObject({ status: "rejected", rejectedReason: "Manual rejection" });
  await page.getByRole("link", { name: "Back to pending verifications" }).click();

  await page.getByRole("link", { name: "Review Fernhill Flowers" }).click();
  await page.getByRole("button", { name: "Verify with Basiq" }).click();
  await page.getByText("Basiq Verification Initiated").waitFor();
  await page.getByRole("link", { name: "Check again" }).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Verification Approved").waitFor();
  await page.getByText("Everything has been reviewed.").waitFor();
  await context.close();
});

/** Everything under a red verdict that is drawn in green: text, ground or edge. */
const greensUnderRed = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("[data-red] *")].flatMap((element) => {
      const { color, backgroundColor, borderTopColor } = getComputedStyle(element);
      return [color, backgroundColor, borderTopColor].filter((text) => {
        const [, chroma = 0, hue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
        return text.startsWith("oklch") && chroma > 0.02 && hue > 130 && hue < 185;
      });
    }),
  );

test("a new payee on another payee's former account is red although the bank confirms the name, and approving asks why", async () => {
  const { context, page, ids } = await aReviewer(["Cassowary Cleaning"], { scripts: true });
  const { payee } = await (await context.request.get(`/api/verifications/${ids[0]}`)).json();
  const { version } = await (await context.request.get(`/api/payees/${payee.id}`)).json();
  const data = { accountNumber: "61234567", version };
  expect((await context.request.patch(`/api/payees/${payee.id}`, { data })).status()).toBe(200);
  const id = await addPayee(context, "Bowerbird Events", "60000000");
  expect((await context.request.post(`/api/verifications/${id}/check`)).status()).toBe(200);

  await page.goto(`/verifications/${id}`);
  const verdict = page.getByRole("region", { name: "Verdict" });
  await verdict.getByText("Another payee's former account").waitFor();
  await verdict.getByText(/^This account was Cassowary Cleaning's until /).waitFor();
  expect(await page.getByText("Approve it, if you see no other problem.").count()).toBe(0);
  await page.getByRole("heading", { name: "The names match" }).waitFor();
  await page.getByText(/^Name score \d+ of 100, Exact$/).waitFor();
  expect(await greensUnderRed(page)).toEqual([]);
  await page.getByText(/Needed because the account was another payee's before/).waitFor();

  // Nothing typed: the field asks for it, and nothing is decided.
  await page.getByRole("button", { name: "Approve" }).click();
  const undecided = await (await context.request.get(`/api/verifications/${id}`)).json();
  expect(undecided).toMatchObject({ status: "pending", verdict: { name: "former_account", tone: "review" } });
  await page.getByLabel("How did you confirm the details?").fill("One owner of both, seen on the register");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Verification Approved").first().waitFor();
  await context.close();
});

test("the audit trail shows what was done, and its check says that it is whole", async () => {
  const { context, page } = await aReviewer(["Fernhill Flowers"], { scripts: isFirefox });
  const exported = await context.request.get("/api/audit/export.ndjson");
  const count = (await exported.text()).trimEnd().split("\n").length;
  await page.goto("/audit");
  await rows(page)
    .getByText(/ opened a verification of Fernhill Flowers because the payee was added\.$/)
    .waitFor();
  await page.getByRole("link", { name: "Check the whole trail" }).click();
  await page.getByRole("status").getByText(`${count} entries are exactly as they were sealed`).waitFor();
  await page.getByText("Payee, person, area and days").click();
  await page.getByRole("combobox", { name: "Area" }).selectOption("payees");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL("**/audit?*area=payees*");
  await page.getByRole("combobox", { name: "What was done" }).selectOption("payee.added");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL("**/audit?*action=payee.added*");
  await expect.poll(() => rows(page).count()).toBe(1);
  await context.close();
});
