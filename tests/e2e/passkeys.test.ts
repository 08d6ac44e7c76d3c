import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aDirectEntryFile } from "../support/aba-files";
import { apiClient } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import { goOnInBrowser, listenForTrouble, newTag, newVisitor, PASSWORD, register } from "../support/journey";
import { findProblems } from "../support/page-checks";
import { layoutShifts, recordLayoutShifts } from "../support/presses";
import { standBetween } from "../support/stand-between";

/** Passkeys in a real browser, with Chromium's virtual authenticator. */

const app = inject("app");
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => closeVisits(browser));

type Credential = { credentialId: string; isResidentCredential: boolean; privateKey: string; signCount: number };

const devices = new WeakMap<Page, CDPSession>();

/**
 * A device with a fingerprint reader beside this page, with the passkeys that it already has. Chromium may or may not
 * forget it between documents of the page, so each part of the journey takes up a new one and lets the one before go:
 * of two with the same passkey the older would answer with a counter that went back.
 */
async function takeDevice(page: Page, credentials: Credential[] = [], isUserVerified = true) {
  await devices.get(page)?.detach();
  const device = await page.context().newCDPSession(page);
  devices.set(page, device);
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

/**
 * A browser without windows has no list under a field: what waits for a choice there is answered when the test says so.
 */
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

test("the button for a passkey has its place before scripts arrive: nothing below it moves", async () => {
  const slow = await standBetween(app.origin, ({ url = "" }) => ({ delayMs: url.endsWith(".js") ? 300 : 0 }));
  const context = await newVisitor(browser, { scripts: true });
  const page = await context.newPage();
  await page.addInitScript(recordLayoutShifts);
  await page.goto(`${slow.origin}/auth`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
  expect(await page.evaluate(layoutShifts)).toEqual([]);
  await context.close();
  slow.close();
});

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

  // Nothing is pressed: the page waits for a passkey to be chosen in the email field.
  await signOut(page);
  await takeDevice(
    page,
    credentials.map((one) => ({ ...one, signCount: 10 })),
  );
  await page.evaluate("window.chooseInField()");
  await page.waitForURL(`${app.origin}/dashboard`);

  await page.goto(`${app.origin}/profile/passkeys`);
  await shows(page, "last used");
  await page.getByText("Rename Work laptop").click();
  await page.getByLabel("New name").fill("Desk laptop");
  await page.getByRole("button", { name: "Save the name" }).click();
  await page.getByText("Rename Desk laptop").waitFor();
  await page.getByLabel("New name").waitFor({ state: "hidden" });
  await page.getByText("Remove Desk laptop").click();
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

const FIVE_DOLLARS = 500;

test("an approver clears a file with one press on a phone, and signs a change of policies", async () => {
  const client = apiClient(app.origin);
  const tag = newTag();
  const person = { email: `sam@${tag}.example`, firstName: "Sam", password: PASSWORD };
  await client.post("/api/register", { ...person, newOrganization: { name: `Organisation ${tag}` } });
  const add = async (title: string, accountNumber: string) => {
    const payee = { name: title, accountName: title, bsb: "062-000", accountNumber };
    return (await client.post("/api/payees", payee)).body;
  };
  const { verification } = await add("Coolabah Concrete Pty Ltd", "71000001");
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" };
  await client.post(`/api/verifications/${verification.id}/review`, review);

  const context = await newVisitor(browser, { scripts: true, width: 390 });
  await goOnInBrowser(context, app, client);
  const page = await context.newPage();
  await page.goto(`${app.origin}/profile/passkeys`);
  const credentialsOf = await takeDevice(page);
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await shows(page, "Passkey added");
  const credentials = await credentialsOf();
  // A passkey that was added ends every other session.
  await client.post("/api/login", person);
  await shows(page, /New: it signs you in, and can approve from/);
  await client.post("/__local/count-passkeys", { email: person.email });
  let used = 0;
  const withDevice = () => {
    used += 10;
    return takeDevice(
      page,
      credentials.map((one) => ({ ...one, signCount: used })),
    );
  };

  await page.goto(`${app.origin}/settings/policies`);
  await page.getByRole("heading", { name: "Approvals signed with a passkey" }).click();
  await page.getByLabel("Approving a payment needs a passkey").check();
  await page.getByLabel("Above this amount").fill("0");
  await page.getByLabel("Clearing a payment file needs a passkey").check();
  await page.getByLabel("Changing policies needs a passkey").check();
  await page.getByRole("button", { name: "Save policies" }).click();
  await shows(page, "Policies saved");

  // From now on a change of policies is signed too: the page says what, and asks the device.
  await page.goto(`${app.origin}/settings/policies`);
  await withDevice();
  await page.getByLabel("A second person approves").check();
  await page.getByRole("button", { name: "Save policies" }).click();
  await shows(page, 'the policy "a second person approves" from off to on');
  await page.getByLabel("A second person approves").uncheck();
  await page.getByRole("heading", { name: "Signing in" }).click();
  await page.getByLabel("Sign people out after").fill("60");
  await page.getByRole("button", { name: "Approve with passkey" }).click();
  await shows(page, /Something changed since the page was shown/);
  await page.getByRole("button", { name: "Approve with passkey" }).click();
  await shows(page, "Policies saved");

  await page.goto(`${app.origin}/payments/files`);
  const line = {
    title: "Coolabah Concrete Pty Ltd",
    accountNumber: "71000001",
    amount: FIVE_DOLLARS,
    reference: "RUN-1",
  };
  const buffer = Buffer.from(aDirectEntryFile([line]));
  await page
    .getByLabel("Payment file", { exact: true })
    .setInputFiles({ name: "friday.aba", mimeType: "text/plain", buffer });
  await page.getByRole("button", { name: "Upload and check" }).click();
  await page.getByRole("heading", { level: 1, name: "friday.aba" }).waitFor();
  await page.reload();
  await shows(page, "Your passkey signs exactly this");
  expect(await findProblems(page)).toEqual([]);
  await withDevice();
  await page.getByRole("button", { name: "Approve with passkey" }).click();
  await page.getByRole("heading", { name: "Cleared for the bank" }).waitFor();

  await context.close();
});
