import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeVisits, openBrowser } from "../support/browser";
import { listenForTrouble, newcomer, newTag, newVisitor } from "../support/journey";

/** The alert settings in a real browser. */

const place = inject("app");
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

test("alerts: opened and saved as they are, then with one changed, and quiet hours", async () => {
  const visitor = await newVisitor(browser, { scripts: true });
  await newcomer(visitor, place, newTag());
  const page = await visitor.newPage();
  const trouble = listenForTrouble(page);
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
  await page.getByText("Payments, files and invoices").click();
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
