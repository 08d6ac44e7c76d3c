import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { until } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import {
  addPayee,
  confirmAddress,
  linkFromMail,
  listenForTrouble,
  newTag,
  newVisitor,
  register,
} from "../support/journey";
import { findProblems } from "../support/page-checks";

/** Settings of alerts, and the warning to a payee's former contact, as the person before the page sees them. */

const place = inject("app");
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

async function anAdmin() {
  const context = await newVisitor(browser, { scripts: true });
  const page = await context.newPage();
  const trouble = listenForTrouble(page);
  const tag = newTag();
  await register(page, place, tag);
  await confirmAddress(context, place, `robin@${tag}.example`);
  return { context, page, tag, trouble };
}

test("alerts: opened and saved as they are, then with one changed, and quiet hours", async () => {
  const { page, trouble } = await anAdmin();
  const open = () => page.goto(`${place.origin}/profile/alerts`);
  const save = async () => {
    await page.getByRole("button", { name: "Save alerts" }).click();
    await page.getByText("Alerts saved").first().waitFor();
  };
  const held = page.getByRole("group", { name: "Payment held", exact: true });
  await open();
  expect(await page.getByLabel("From").inputValue()).toBe("");
  await save();
  await open();
  expect(await held.getByLabel("Email").inputValue()).toBe("digest");
  await held.getByLabel("Email").selectOption("now");
  await save();
  await open();
  expect(await held.getByLabel("Email").inputValue()).toBe("now");

  await page.getByLabel("From").fill("21:00");
  await held.getByLabel("Email").selectOption("off");
  await page.getByRole("button", { name: "Save alerts" }).click();
  await page.getByRole("alert").getByText("Enter both times, or neither").waitFor();
  expect(await held.getByLabel("Email").inputValue()).toBe("off");
  await page.getByLabel("Until").fill("07:00");
  await save();
  await open();
  expect(await page.getByLabel("From").inputValue()).toBe("21:00");
  expect(trouble.filter((line) => !/status of 400/.test(line))).toEqual([]);
});

/**
 * All that an organisation may send in a day whose messages three people have reported, as the form of the settings sends
 * it: twenty.
 */
async function useUpTheDay({ request }: BrowserContext, tag: string) {
  const post = (email: string) =>
    request.post(`${place.origin}/settings/members`, {
      form: { intent: "invite", email, role: "read_only" },
      headers: { Origin: place.origin },
      maxRedirects: 0,
    });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => post(`stranger-${i}@${tag}.example`)));
  expect(answers.map((answer) => answer.status())).toEqual(answers.map(() => 303));
  for (const i of [0, 1, 2]) {
    const link = await linkFromMail(place, `stranger-${i}@${tag}.example`, "/report-message/");
    const reported = await request.post(link, { form: {}, headers: { Origin: place.origin }, maxRedirects: 0 });
    expect(reported.status()).toBeLessThan(400);
  }
  expect((await post(`one-more@${tag}.example`)).status()).toBe(429);
}

async function changeAccount(page: Page, payeePath: string, accountNumber: string) {
  await page.goto(`${place.origin}${payeePath}/edit`);
  await page.getByLabel("Account number").fill(accountNumber);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Change the bank details" }).click();
  await page.waitForURL(`${place.origin}${payeePath}`);
}

async function mailsAbout(to: string) {
  type Mail = { to: string; subject: string };
  const mails = (await (await fetch(`${place.simulators}/mail/messages`)).json()) as Mail[];
  return mails.filter((mail) => mail.to === to && mail.subject.includes("bank details"));
}

test("twenty messages used up, the mail provider down: the page says NOT told yet, then told; and nobody is told twice", async () => {
  const { context, page, tag, trouble } = await anAdmin();
  const contact = `accounts@wattle-${tag}.example`;
  const number = String(10_000_000 + Math.floor(Math.random() * 80_000_000));
  const names = { name: "Wattle Creek", accountName: "Wattle Creek Pty Ltd" };
  const verification = await addPayee(page, place, { ...names, accountNumber: number, email: contact });
  const { payee } = (await (await context.request.get(`${place.origin}/api${verification}`)).json()) as {
    payee: { id: string };
  };
  const payeePath = `/payees/${payee.id}`;
  const trust = { data: { reason: "Supplier since 2011" }, headers: { Origin: place.origin } };
  expect((await context.request.post(`${place.origin}/api${payeePath}/whitelist`, trust)).status()).toBe(200);
  await useUpTheDay(context, tag);

  const fault = { party: "mail", fault: "503", times: 1, body: contact };
  const headers = { "Content-Type": "application/json" };
  await fetch(`${place.simulators}/faults`, { method: "POST", headers, body: JSON.stringify(fault) });
  await changeAccount(page, payeePath, String(Number(number) + 5_000_000));
  await page
    .getByText(/The former contact was NOT told yet/)
    .first()
    .waitFor();
  expect(await page.getByText("The former contact was told").count()).toBe(0);
  expect(await findProblems(page)).toEqual([]);

  await until(
    () => mailsAbout(contact),
    (mails) => mails.length === 1,
    `a notice to ${contact}`,
  );
  await expect
    .poll(async () => {
      await page.goto(`${place.origin}${payeePath}`);
      return page.getByText("The former contact was told", { exact: true }).count();
    })
    .toBe(1);
  await page.getByText(`${contact}, by email: told on`).waitFor();
  expect(await mailsAbout(contact)).toHaveLength(1);
  expect(await linkFromMail(place, contact, "/report-message/")).toContain("/report-message/");
  expect(trouble).toEqual([]);
});
