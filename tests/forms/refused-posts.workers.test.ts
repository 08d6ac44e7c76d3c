import { expect, test } from "vitest";
import { anOrganization } from "../support/factories";
import { aPerson, PASSWORD } from "../support/people";
import { testServices } from "../support/services";
import { aBrowser } from "../support/worker";

/** Without scripts, the answer to a refused post says so in its title, on every page with a form. */

/** A clock in step with the Worker's, so that sessions made here are valid there. */
const liveServices = () => testServices({ clock: { now: () => Date.now() } });

const titleOf = async (answer: Response) => /<title>([^<]*)<\/title>/.exec(await answer.text())?.[1];

async function anAdmin() {
  const services = liveServices();
  const { id: organizationId } = await anOrganization(services);
  const { email } = await aPerson(services, { organizationId, role: "admin", membership: "admin" });
  const browser = aBrowser();
  await browser.submit("/auth", { tab: "login", email, password: PASSWORD });
  return browser;
}

test.each([
  ["/payees/verify", { bsb: "12" }, "Verify a payee · PayeeProof"],
  ["/payments/new?to=account", { amount: "lots" }, "Record a payment · PayeeProof"],
  ["/settings", { name: "" }, "Settings · PayeeProof"],
  ["/profile/password", { currentPassword: "no" }, "Password · PayeeProof"],
] as const)("a refused post of %s is told in the title, and only there and then", async (path, form, title) => {
  const browser = await anAdmin();
  const refused = await browser.submit(path, form);
  expect(refused.status).toBe(400);
  expect(await titleOf(refused)).toBe(`Error: ${title}`);
  expect(await titleOf(await browser.get(path))).toBe(title);
});

test.each([
  ["/auth", { tab: "login", email: "nobody@nowhere.example", password: "Wrong-horse-77" }, 401, "Login · PayeeProof"],
  ["/contact", { firstName: "R" }, 400, "Contact · PayeeProof"],
  ["/features", { submitted: "", held: "" }, 400, "Features · PayeeProof"],
] as const)("so is a refused post of %s by a visitor", async (path, form, status, title) => {
  const browser = aBrowser();
  const refused = await browser.submit(path, form);
  expect(refused.status).toBe(status);
  expect(await titleOf(refused)).toBe(`Error: ${title}`);
  expect(await titleOf(await browser.get(path))).toBe(title);
});
