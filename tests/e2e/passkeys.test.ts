import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newStateDir, removeStateDir } from "../../scripts/lib/copy.mjs";
import { closeVisits, openBrowser } from "../support/browser";
import { listenForTrouble, newTag, newVisitor, PASSWORD, register } from "../support/journey";
import { type LocalApp, startLocalApp } from "../support/local-app";
import { findProblems } from "../support/page-checks";

/** Passkeys in a real browser, with the device that Chromium plays. A copy of its own: browsers make passkeys for names only. */

let browser: Browser;
let app: LocalApp;
let stateDir: string;

beforeAll(async () => {
  browser = await openBrowser();
  stateDir = newStateDir();
  app = await startLocalApp(stateDir, undefined, { APP_HOST: "localhost" });
}, 180_000);

afterAll(async () => {
  await closeVisits(browser);
  await app.stop();
  removeStateDir(stateDir);
});

/** A device with a fingerprint reader, in this page's browser. */
async function aDevice(page: Page): Promise<{ device: CDPSession; authenticatorId: string }> {
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { device, authenticatorId };
}

const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${app.origin}/auth`);
}

test("a person adds a passkey, signs in with it, and removes it", async () => {
  const context = await newVisitor(browser, { scripts: true, width: 390 });
  const page = await context.newPage();
  const trouble = listenForTrouble(page);
  const { device, authenticatorId } = await aDevice(page);
  await register(page, app, newTag());

  await page.goto(`${app.origin}/profile/passkeys`);
  await shows(page, "You have no passkey yet.");
  await page.getByLabel("Name", { exact: true }).fill("Work laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await shows(page, "Enter your password");
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Work laptop");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await shows(page, "Passkey added");
  await shows(page, "never used");
  const { credentials } = await device.send("WebAuthn.getCredentials", { authenticatorId });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);
  expect(await findProblems(page)).toEqual([]);

  // Nothing is pressed: the browser offers the passkey in the field, and the device that is played chooses it.
  await signOut(page);
  await page.waitForURL(`${app.origin}/dashboard`);

  await device.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await shows(page, "No passkey was used. Try again, or sign in with your password.");
  await device.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(`${app.origin}/dashboard`);

  await page.goto(`${app.origin}/profile/passkeys`);
  await shows(page, "last used");
  await page.getByText("Remove Work laptop").click();
  await page.getByLabel("Current password").last().fill("not-the-password");
  await page.getByRole("button", { name: "Remove this passkey" }).click();
  await shows(page, "This is not your current password");
  await page.locator('details[open] input[name="currentPassword"]').fill(PASSWORD);
  await page.getByRole("button", { name: "Remove this passkey" }).click();
  await shows(page, "You have no passkey yet.");
  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await shows(page, "This passkey did not sign you in.");
  expect(trouble.filter((line) => !/status of 4\d\d/.test(line))).toEqual([]);
  await context.close();
});

test("without scripts the pages say that a passkey needs them, and the password signs in", async () => {
  const context = await newVisitor(browser, { scripts: false });
  const page = await context.newPage();
  const tag = newTag();
  await register(page, app, tag);
  await page.goto(`${app.origin}/profile/passkeys`);
  await shows(page, "Adding a passkey needs JavaScript, which is off in this browser.");
  await signOut(page);
  await shows(page, "Signing in with a passkey needs JavaScript, which is off in this browser.");
  await page.getByRole("textbox", { name: "Email" }).fill(`robin@${tag}.example`);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL(`${app.origin}/dashboard`);
  await context.close();
});
