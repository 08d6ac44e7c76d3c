import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeVisits, openBrowser } from "../support/browser";
import { addPayee, confirmAddress, listenForTrouble, newcomer, newTag, newVisitor } from "../support/journey";
import { findProblems } from "../support/page-checks";

/** The first hour of a new organisation, before its admin has opened the link in the confirmation email. */

const place = inject("app");
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

test("before the email is confirmed no check is offered, and afterwards it is", async () => {
  const context = await newVisitor(browser, { scripts: true });
  const page = await context.newPage();
  const trouble = listenForTrouble(page);
  const tag = newTag();
  const email = `robin@${tag}.example`;
  await newcomer(context, place, tag);
  const notice = page.getByText("Confirm your email first");
  const checks = page.getByRole("button", { name: /^(Check with the bank now|Verify with|Send by|Send link)/ });

  // The form says it before anything is typed, and sends the link again without leading away.
  await page.goto(`${place.origin}/payees/verify`);
  await notice.waitFor();
  await page.getByText(`We sent a link to ${email}.`).waitFor();
  expect(await findProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Send the link again" }).click();
  await page.getByText("Link sent").first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/payees/verify");

  const payee = { name: "Riverbend Timber", accountName: "Riverbend Timber Pty Ltd", accountNumber: "12345678" };
  const path = await addPayee(page, place, { ...payee, email: `accounts@${tag}-riverbend.example` });
  await notice.waitFor();
  await page.getByText("A link can be sent once the email address is confirmed.").waitFor();
  expect(await checks.count()).toBe(0);
  await page.getByText("recorded and certified as: approved by a person, no bank was asked.").waitFor();
  expect(await findProblems(page)).toEqual([]);

  await confirmAddress(context, place, email);
  await page.goto(`${place.origin}${path}`);
  await page.getByRole("button", { name: "Check with the bank now" }).waitFor();
  expect(await notice.count()).toBe(0);
  expect(await checks.count()).toBeGreaterThan(1);
  expect(trouble).toEqual([]);
  await context.close();
});
