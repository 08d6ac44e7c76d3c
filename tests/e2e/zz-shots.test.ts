import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { newStateDir, removeStateDir } from "../../scripts/lib/copy.mjs";
import { aDirectEntryFile } from "../support/aba-files";
import { apiClient } from "../support/api-client";
import { closeVisits, openBrowser } from "../support/browser";
import { goOnInBrowser, newTag, newVisitor, PASSWORD } from "../support/journey";
import { type LocalApp, startLocalApp } from "../support/local-app";

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

async function shoot(page: Page, name: string) {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const look of ["light", "dark", "forced"] as const) {
      await page.emulateMedia(look === "forced" ? { colorScheme: "light", forcedColors: "active" } : { colorScheme: look, forcedColors: "none" });
      await page.waitForTimeout(150);
      await page.screenshot({ path: `/tmp/pk-shots/${name}-${width}-${look}.png`, fullPage: name !== "policies" });
    }
  }
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
}

test("shots", async () => {
  const client = apiClient(app.origin);
  const tag = newTag();
  const person = { email: `sam@${tag}.example`, firstName: "Sam", password: PASSWORD };
  await client.post("/api/register", { ...person, newOrganization: { name: `Organisation ${tag}` } });
  const add = async (title: string, accountNumber: string) =>
    (await client.post("/api/payees", { name: title, accountName: title, bsb: "062-000", accountNumber })).body;
  const { verification } = await add("Coolabah Concrete Pty Ltd", "71000001");
  await client.post(`/api/verifications/${verification.id}/review`, { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" });
  const { payee } = await add("Mulga Mechanical Pty Ltd", "71000003");
  const { body } = await client.post("/api/payments", { payeeId: payee.id, amount: 1_250_000, reference: "INV-9" });
  const context = await newVisitor(browser, { scripts: true, width: 390 });
  await goOnInBrowser(context, app, client);
  const page = await context.newPage();
  await page.goto(`${app.origin}/settings/policies`);
  await page.getByLabel("Administrators and approvers use passkeys").check();
  await page.getByLabel("Approving a payment needs a passkey").check();
  await page.getByLabel("Above this amount").fill("0");
  await page.getByLabel("Clearing a payment file needs a passkey").check();
  await page.getByLabel("Changing policies needs a passkey").check();
  await page.getByRole("button", { name: "Save policies" }).click();
  await page.getByText("Policies saved").first().waitFor();
  await page.goto(`${app.origin}/settings/policies`);
  await shoot(page, "policies");
  await page.goto(`${app.origin}/payments/${body.payment.id}`);
  await shoot(page, "payment-no-passkey");
  await page.goto(`${app.origin}/profile/passkeys`);
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
  await shoot(page, "passkeys-asked");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("Passkey added").first().waitFor();
  await page.goto(`${app.origin}/payments/${body.payment.id}`);
  await shoot(page, "payment");
  await page.goto(`${app.origin}/payments/files`);
  const lines = Array.from({ length: 8 }, (_, at) => ({ title: "Coolabah Concrete Pty Ltd", accountNumber: "71000001", amount: 50_000 + at, reference: `RUN-${at}` }));
  await page.getByLabel("Payment file", { exact: true }).setInputFiles({ name: "friday.aba", mimeType: "text/plain", buffer: Buffer.from(aDirectEntryFile([...lines, { title: "Mulga Mechanical Pty Ltd", accountNumber: "71000003", amount: 99_00, reference: "X" }])) });
  await page.getByRole("button", { name: "Upload and check" }).click();
  await page.getByRole("heading", { level: 1, name: "friday.aba" }).waitFor();
  await shoot(page, "file");
  await page.getByRole("link", { name: /^Tick this one/ }).click();
  await page.getByLabel("Reason").fill("Called them");
  await page.getByRole("button", { name: "Approve the ticked payments" }).click();
  await page.getByText("Approve these held payments").first().waitFor();
  await shoot(page, "lines");
  await page.goto(`${app.origin}/settings/policies`);
  await page.getByLabel("A second person approves").check();
  await page.getByRole("button", { name: "Save policies" }).click();
  await page.getByText("a second person approves from off to on").first().waitFor();
  await page.getByText("Your passkey signs exactly this").scrollIntoViewIfNeeded();
  await shoot(page, "policies-step");
  const plain = await newVisitor(browser, { scripts: false, width: 390 });
  await client.post("/api/login", person);
  await goOnInBrowser(plain, app, client);
  const still = await plain.newPage();
  await still.goto(`${app.origin}/payments/${body.payment.id}`);
  await shoot(still, "payment-no-scripts");
}, 300_000);
