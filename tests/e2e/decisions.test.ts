import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type ApiClient, apiClient } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import { navigate, readFields, settled } from "../support/fields";
import { confirmAddressByCall, goOnInBrowser, newTag, newVisitor, PASSWORD } from "../support/journey";
import { endMoments, holdMoments } from "../support/moments";

/** Deciding: typed text stays until it is sent, a key press alone decides nothing, and only the list reloads. */

const place = inject("app");
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

/** Account numbers for which the simulator gives the named answer. */
const SAME_NAME = "88000001";
const OTHER_NAME = "88000903";

type Office = { client: ApiClient; context: BrowserContext; page: Page; email: string };

async function anOffice(options: { scripts: boolean }): Promise<Office> {
  const client = apiClient(place.origin);
  const email = `kim@${newTag()}.example`;
  const person = { email, firstName: "Kim", password: PASSWORD, newOrganization: { name: `Office of ${email}` } };
  expect((await client.post("/api/register", person)).status).toBe(201);
  await confirmAddressByCall(client, place, email);
  const context = await newVisitor(browser, options);
  const page = await context.newPage();
  if (options.scripts) await holdMoments(page);
  await goOnInBrowser(context, place, client);
  return { client, context, page, email };
}

/** For tests that look at their own payees alone; in one of the two, single keys are on. */
const shared: Partial<Record<"plain" | "keys", Promise<Office>>> = {};

async function theOffice(kind: "plain" | "keys"): Promise<Office> {
  shared[kind] ??= anOffice({ scripts: true });
  return shared[kind];
}

/** A payee whose bank was asked at once. @returns the id of its verification */
async function aChecked({ client }: Office, name: string, accountNumber: string): Promise<string> {
  const { body } = await client.post("/api/payees", { name, accountName: name, bsb: "062-000", accountNumber });
  const { id } = body.verification;
  expect((await client.post(`/api/verifications/${id}/check`, {})).status).toBe(200);
  return id;
}

async function anUnchecked({ client }: Office, name: string, accountNumber: string) {
  const { body } = await client.post("/api/payees", { name, accountName: name, bsb: "062-000", accountNumber });
  return { verification: body.verification.id as string, payee: body.payee.id as string };
}

const statusOf = async ({ client }: Office, id: string) => (await client.get(`/api/verifications/${id}`)).body;

/** The form of these choices is tried once, below. */
async function withKeys({ client }: Office) {
  expect((await client.submit("/profile/reviewing", { reviewKeys: "on" })).status).toBe(303);
}

async function openWithKeys(page: Page, id: string) {
  await page.goto(`${place.origin}/verifications/${id}`);
  await page.locator("#review-keys-title").waitFor({ state: "attached" });
}

const approveReason = (page: Page) => page.getByLabel("How did you confirm the details?");
const rejectReason = (page: Page) => page.getByLabel("Reason for rejecting");
const isFocused = (page: Page, id: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(id);

test("one key never rejects: R leads to the reason, a second confirms, and an empty one is a manual rejection", async () => {
  const office = await theOffice("keys");
  const { page } = office;
  const id = await aChecked(office, "Bilby Brickworks", OTHER_NAME);
  await withKeys(office);
  await openWithKeys(page, id);
  await page.keyboard.press("r");
  await isFocused(page, "reject-reason");
  expect((await statusOf(office, id)).status).toBe("pending");

  // After typing and leaving the field, the key is pressed again: still no decision.
  await page.keyboard.type("Wrong company");
  await page.keyboard.press("Escape");
  await isFocused(page, "");
  expect(await rejectReason(page).inputValue()).toBe("Wrong company");
  await page.keyboard.press("r");
  await isFocused(page, "reject-reason");
  expect((await statusOf(office, id)).status).toBe("pending");

  await rejectReason(page).fill("");
  await page.keyboard.press("Control+Enter");
  await page.locator("main").getByText("Verification Rejected").waitFor();
  expect(await statusOf(office, id)).toMatchObject({ status: "rejected", rejectedReason: "Manual rejection" });
});

test("one key never decides a red verdict, whatever stands in its box", async () => {
  const office = await theOffice("keys");
  const { page } = office;
  const id = await aChecked(office, "Bandicoot Builders", "88004903");
  await withKeys(office);
  await openWithKeys(page, id);
  await page.getByText("Does not match").first().waitFor();
  await page.keyboard.press("a");
  await isFocused(page, "approve-reason");
  await page.keyboard.type("Called the number in the contract");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("a");
  await isFocused(page, "approve-reason");
  await page.waitForTimeout(300);
  expect((await statusOf(office, id)).status).toBe("pending");
  await page.keyboard.press("Control+Enter");
  await page.locator("main").getByText("Verification Approved").waitFor();
  expect((await statusOf(office, id)).status).toBe("verified");
});

test("one key approves where nothing speaks against the details, and the keys say how they work", async () => {
  const office = await theOffice("keys");
  const { page } = office;
  const id = await aChecked(office, "Wombat Windows", SAME_NAME);
  await withKeys(office);
  await openWithKeys(page, id);
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("In a reason: confirms").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("a");
  await page.locator("main").getByText("Verification Approved").waitFor();
  expect((await statusOf(office, id)).status).toBe("verified");
});

test("three reviews by keyboard, one after the other: a sentence typed once is no other payee's reason", async () => {
  const office = await anOffice({ scripts: true });
  const { page } = office;
  const names = ["Magpie Motors", "Currawong Catering", "Lorikeet Landscaping"];
  const ids: string[] = [];
  for (const [at, name] of names.entries()) ids.push(await aChecked(office, name, `8800${at}903`));
  await page.goto(`${place.origin}/profile/reviewing`);
  await page.getByLabel("Use single keys").check();
  await page.getByLabel("Go on to the next verification after a decision").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Choices saved").waitFor();
  await page.goto(`${place.origin}/verifications/pending?order=oldest`);
  await page.getByRole("link", { name: `Review ${names[0]}` }).click();
  await page.locator("#review-keys-title").waitFor({ state: "attached" });
  await page.getByLabel("Also add to the global whitelist").check();
  await page.keyboard.press("a");
  await approveReason(page).fill("Called their office manager");
  await page.keyboard.press("Control+Enter");

  await page.getByRole("heading", { level: 1, name: names[1] }).waitFor();
  await expect.poll(() => approveReason(page).inputValue()).toBe("");
  expect(await rejectReason(page).inputValue()).toBe("");
  expect(await page.getByLabel("Also add to the global whitelist").isChecked()).toBe(false);
  await page.keyboard.press("a");
  await page.keyboard.press("Control+Enter");
  // Nothing is sent without a reason: the browser, or the server, asks for one.
  await page.waitForTimeout(300);
  expect((await statusOf(office, ids[1] ?? "")).status).toBe("pending");
  await page.keyboard.press("Escape");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 1, name: names[2] }).waitFor();
  expect(await approveReason(page).inputValue()).toBe("");
  expect(await statusOf(office, ids[0] ?? "")).toMatchObject({ status: "verified", payee: { whitelistGlobal: true } });
});

test("what was typed for a verification outlives a refusal, a lost connection and fresh data, and is gone once sent", async () => {
  const office = await theOffice("plain");
  const { page, context } = office;
  const id = await aChecked(office, "Possum Plumbing", OTHER_NAME);
  await page.goto(`${place.origin}/verifications/${id}`);
  await approveReason(page).fill("Called Jo");
  await rejectReason(page).fill("Not ours");
  await page.getByLabel("Also add to the global whitelist").check();
  await page.getByRole("heading", { name: "Record a call" }).click();
  await page.getByLabel("Number called").fill("12");
  await page.getByLabel("Who you spoke to").fill("Jo Nguyen");
  const typed = await readFields(page);

  await page.getByRole("button", { name: "Record the call" }).click();
  await page.getByRole("alert").getByText("The call was not recorded").waitFor();
  expect(await readFields(page)).toEqual(typed);

  await context.setOffline(true);
  await page.getByRole("button", { name: "Record the call" }).click();
  await page.getByText("We do not know whether it arrived").waitFor();
  expect(await readFields(page)).toEqual(typed);
  await context.setOffline(false);

  // Loads the page's own data again, as after another action on it.
  await navigate(page, `/verifications/${id}`);
  expect(await readFields(page)).toEqual(typed);
  await page.evaluate(() =>
    (window as unknown as { __remixRouter: { revalidate(): void } }).__remixRouter.revalidate(),
  );
  await settled(page, `/verifications/${id}`);
  expect(await readFields(page)).toEqual(typed);

  await page.getByLabel("Number called").fill("02 9374 4000");
  await page.getByLabel("Where you found the number").selectOption({ index: 1 });
  await page.getByLabel("How the call ended").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Record the call" }).click();
  await page.getByText("Call recorded").first().waitFor();
  await expect.poll(() => page.getByLabel("Number called").inputValue()).toBe("");
  expect(await page.getByLabel("Who you spoke to").inputValue()).toBe("");
  expect(await approveReason(page).inputValue()).toBe("Called Jo");
  expect(await page.getByLabel("Also add to the global whitelist").isChecked()).toBe(true);
});

test("a refusal of one verification is not shown for the next, nor for the one before", async () => {
  const office = await theOffice("plain");
  const { page } = office;
  const one = await aChecked(office, "Numbat Nurseries", "88001903");
  const other = await aChecked(office, "Quokka Quarries", "88002903");
  await page.goto(`${place.origin}/verifications/${one}`);
  await rejectReason(page).evaluate((field: HTMLTextAreaElement) => {
    field.maxLength = 2_000;
    field.value = "x".repeat(900);
  });
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByRole("alert").getByText("Keep the reason under 500 characters").waitFor();
  for (const id of [other, one]) {
    await navigate(page, `/verifications/${id}`);
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    expect(await rejectReason(page).inputValue()).toBe("");
    expect(await rejectReason(page).getAttribute("aria-invalid")).toBeNull();
  }
});

test("after a decision the list follows, with what was decided and a link to it, unless the person leaves first", async () => {
  const office = await anOffice({ scripts: true });
  const { page } = office;
  const one = await anUnchecked(office, "Echidna Electrical", "88003001");
  const other = await anUnchecked(office, "Kestrel Kitchens", "88003002");
  await page.goto(`${place.origin}/verifications/${one.verification}?order=newest`);
  await rejectReason(page).fill("A duplicate");
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByText("Verification Rejected").first().waitFor();
  expect(await endMoments(page, "decision")).toBeGreaterThan(0);
  await page.waitForURL("**/verifications/pending?order=newest");
  const message = page.getByRole("region", { name: "Messages (F8)" });
  await message.getByText("Echidna Electrical is not trusted.").waitFor();
  await message.getByRole("button", { name: "See the verification" }).click();
  await page.waitForURL(`**/verifications/${one.verification}`);
  await page.getByRole("heading", { level: 1, name: "Echidna Electrical" }).waitFor();
  await endMoments(page, "decision");
  await settled(page, `/verifications/${one.verification}`);

  // On a slow network, whatever the person pressed opens.
  await page.goto(`${place.origin}/verifications/${other.verification}`);
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByText("Verification Rejected").first().waitFor();
  let letThrough = () => {};
  const isLet = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(`**/payees/${other.payee}.data*`, async (route) => {
    await isLet;
    await route.continue();
  });
  await page.getByRole("link", { name: "Go to the payee" }).click();
  await page.locator(".slow-bar").waitFor({ state: "attached" });
  await endMoments(page, "decision");
  letThrough();
  await page.getByRole("heading", { level: 1, name: "Kestrel Kitchens" }).waitFor();
  await page.waitForURL(`**/payees/${other.payee}`);
});

test("after several were rejected together nothing of it waits for the next, and a lost connection loses nothing", async () => {
  const office = await anOffice({ scripts: true });
  const { page } = office;
  for (const [at, name] of ["Brolga Bricks", "Cassowary Cranes", "Dingo Doors"].entries())
    await anUnchecked(office, name, `8800700${at}`);
  await page.goto(`${place.origin}/verifications/pending`);
  await page.getByRole("checkbox", { name: "Tick Brolga Bricks" }).check();
  await page.locator("#bulk-reason").fill("Not our supplier");
  const reject = page.getByRole("button", { name: "Reject", exact: true });
  const post = "**/verifications/pending.data*";
  await page.route(post, (route) => route.abort("internetdisconnected"));
  await reject.click();
  await page.getByText("this may not have been saved").first().waitFor();
  expect(await page.getByRole("checkbox", { name: "Tick Brolga Bricks" }).isChecked()).toBe(true);
  expect(await page.locator("#bulk-reason").inputValue()).toBe("Not our supplier");

  await page.unroute(post);
  await reject.click();
  await page.getByRole("status").getByText("Brolga Bricks").waitFor();
  // The list and its form were rendered again.
  await page.getByRole("checkbox", { name: "Tick Brolga Bricks" }).waitFor({ state: "detached" });
  await page.getByRole("checkbox", { name: "Tick Cassowary Cranes" }).check();
  await expect.poll(() => page.locator("#bulk-reason").inputValue()).toBe("");
  expect(await page.getByRole("checkbox", { name: "Tick Dingo Doors" }).isChecked()).toBe(false);
});

test("a decided payment stays where it is", async () => {
  const office = await theOffice("plain");
  const { page, client } = office;
  const { payee } = await anUnchecked(office, "Galah Glass", "88004001");
  const { body } = await client.post("/api/payments", { payeeId: payee, amount: 12_300, reference: "G-1" });
  await page.goto(`${place.origin}/payments/${body.payment.id}`);
  await page.getByLabel("Reason").fill("We owe them nothing");
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByText("Payment rejected").first().waitFor();
  await page.waitForTimeout(2_000);
  expect(new URL(page.url()).pathname).toBe(`/payments/${body.payment.id}`);
});

test("without scripts a ticked row is no other row after going back to a queue that has moved on", async () => {
  const office = await anOffice({ scripts: false });
  const { page, client } = office;
  const first = await anUnchecked(office, "Rosella Roofing", "88005001");
  await anUnchecked(office, "Sugarglider Signs", "88005002");
  const queue = `${place.origin}/verifications/pending?order=oldest`;
  await page.goto(queue);
  await page.getByRole("checkbox", { name: "Tick Rosella Roofing" }).check();
  await page.locator("#bulk-reason").fill("A duplicate of Rosella");
  await page.getByRole("link", { name: "Review Rosella Roofing" }).click();
  await page.waitForURL(`**/verifications/${first.verification}?order=oldest`);
  const review = { approved: false, reason: "Decided by a colleague" };
  expect((await client.post(`/api/verifications/${first.verification}/review`, review)).status).toBe(200);

  // The browser restores the page and fills its fields by position.
  await page.goBack();
  await page.waitForURL(queue);
  expect(await page.getByRole("checkbox", { name: "Tick Rosella Roofing" }).count()).toBe(0);
  expect(await page.getByRole("checkbox", { name: "Tick Sugarglider Signs" }).isChecked()).toBe(false);
  expect(await page.locator("#bulk-reason").inputValue()).toBe("");

  await page.getByRole("checkbox", { name: "Tick Sugarglider Signs" }).check();
  await page.reload();
  expect(await page.getByRole("checkbox", { name: "Tick Sugarglider Signs" }).isChecked()).toBe(false);
});

test("an approver on a phone goes from held payment to held payment, and each time to its decision", async () => {
  const { client } = await anOffice({ scripts: true });
  const { body } = await client.post("/api/payees", {
    ...{ name: "Kestrel Supplies", accountName: "Kestrel Supplies", bsb: "062-000", accountNumber: "88000911" },
  });
  for (const amount of [10_000, 20_000, 30_000])
    await client.post("/api/payments", { payeeId: body.payee.id, amount, reference: `INV-${amount}` });
  const context = await newVisitor(browser, { scripts: true, width: 390 });
  await goOnInBrowser(context, place, client);
  const page = await context.newPage();
  await page.goto(`${place.origin}/payments?status=held`);
  // The list was scrolled, which must not affect the following pages.
  await page.getByRole("link", { name: "Kestrel Supplies" }).first().scrollIntoViewIfNeeded();
  await page.getByRole("link", { name: "Kestrel Supplies" }).first().click();
  for (const amount of ["$300.00", "$200.00", "$100.00"]) {
    await page.getByRole("heading", { level: 1, name: amount }).waitFor();
    await page.getByRole("link", { name: "Go to the decision" }).click();
    const approve = page.getByRole("button", { name: "Approve", exact: true });
    await expect.poll(async () => ((await approve.boundingBox())?.y ?? 900) < 600).toBe(true);
    if (amount !== "$100.00") await page.getByRole("link", { name: "Next", exact: true }).click();
  }
});

test("J and K lead from held payment to held payment, and R to the reason", async () => {
  const office = await anOffice({ scripts: true });
  const { client, page } = office;
  await withKeys(office);
  const { body } = await client.post("/api/payees", {
    ...{ name: "Kestrel Supplies", accountName: "Kestrel Supplies", bsb: "062-000", accountNumber: "88000911" },
  });
  const held = (amount: number) =>
    client.post("/api/payments", { payeeId: body.payee.id, amount, reference: `INV-${amount}` });
  await held(10_000);
  const largest = await held(20_000);
  const headed = (amount: string) => page.getByRole("heading", { level: 1, name: amount }).waitFor();
  await page.goto(`${place.origin}/payments/${largest.body.payment.id}`);
  await page.locator("#review-keys-title").waitFor({ state: "attached" });
  await page.keyboard.press("j");
  await headed("$100.00");
  await page.keyboard.press("k");
  await headed("$200.00");
  await page.keyboard.press("r");
  const reason = page.getByRole("textbox", { name: "Reason" });
  await expect.poll(() => reason.evaluate((field) => field === document.activeElement)).toBe(true);
});
