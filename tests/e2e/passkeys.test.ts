import type { Browser, Page } from "playwright-core";
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
});

afterAll(async () => {
  await closeVisits(browser);
  await app.stop();
  removeStateDir(stateDir);
});

type Credential = { credentialId: string; isResidentCredential: boolean; privateKey: string; signCount: number };

/**
 * A device with a fingerprint reader beside this page, with the passkeys that it has already. Chromium forgets it between
 * documents of the page, so each part of the journey takes it up again.
 */
async function takeDevice(page: Page, credentials: Credential[] = [], isUserVerified = true) {
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.disable");
  await device.send("WebAuthn.enable");
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  for (const credential of credentials) await device.send("WebAuthn.addCredential", { authenticatorId, credential });
  return async () => (await device.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
}

/** A browser without windows has no list under a field: what waits for a choice there is answered when the test says so. */
const CHOOSES_IN_FIELD = `
  PublicKeyCredential.isConditionalMediationAvailable = async () => true;
  const get = navigator.credentials.get.bind(navigator.credentials);
  const chosen = new Promise((resolve) => { window.chooseInField = resolve; });
  navigator.credentials.get = ({ mediation, ...asked }) =>
    mediation === "conditional" ? chosen.then(() => get(asked)) : get(asked);
`;

const shows = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${app.origin}/auth`);
}

test("a person adds a passkey, signs in with it, and removes it", async () => {
  const context = await newVisitor(browser, { scripts: true, width: 390 });
  const page = await context.newPage();
  const trouble = listenForTrouble(page);
  await page.addInitScript(CHOOSES_IN_FIELD);
  await register(page, app, newTag());

  await page.goto(`${app.origin}/profile/passkeys`);
  const credentialsOf = await takeDevice(page);
  await shows(page, "You have no passkey yet.");
  await page.getByLabel("Name", { exact: true }).fill("Work laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await shows(page, "Enter your password");
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Work laptop");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await shows(page, "Passkey added");
  await shows(page, "never used");
  const credentials = await credentialsOf();
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);
  expect(await findProblems(page)).toEqual([]);

  await signOut(page);
  await takeDevice(page, credentials, false);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await shows(page, "No passkey was used. Try again, or sign in with your password.");
  await takeDevice(page, credentials);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(`${app.origin}/dashboard`);

  // Nothing is pressed: the page waits for what is chosen in the field for the address.
  await signOut(page);
  await takeDevice(
    page,
    credentials.map((one) => ({ ...one, signCount: 10 })),
  );
  await page.evaluate("window.chooseInField()");
  await page.waitForURL(`${app.origin}/dashboard`);

  await page.goto(`${app.origin}/profile/passkeys`);
  await shows(page, "last used");
  await page.getByText("Remove Work laptop").click();
  await page.locator('details[open] input[name="currentPassword"]').fill("not-the-password");
  await page.getByRole("button", { name: "Remove this passkey" }).click();
  await shows(page, "This is not your current password");
  await page.locator('details[open] input[name="currentPassword"]').fill(PASSWORD);
  await page.getByRole("button", { name: "Remove this passkey" }).click();
  await shows(page, "You have no passkey yet.");
  await signOut(page);
  await takeDevice(page, credentials);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await shows(page, "This passkey did not sign you in.");
  expect(trouble.filter((line) => !/status of 4\d\d/.test(line))).toEqual([]);
  await context.close();
});
