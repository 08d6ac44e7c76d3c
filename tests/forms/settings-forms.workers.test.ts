import { expect, test } from "vitest";
import { anOrganization } from "../support/factories";
import { aPerson, PASSWORD } from "../support/people";
import { type RenderedForm, readFormWith } from "../support/rendered-forms";
import { testServices } from "../support/services";
import { aBrowser } from "../support/worker";

/**
 * Every form of settings: a person opens it, changes nothing, saves; changes one thing, saves; takes it back, saves. What is
 * posted is what the page renders, empty fields included, as a browser without scripts sends it.
 */

async function anAdmin() {
  const services = testServices({ clock: { now: () => Date.now() } });
  const { id: organizationId } = await anOrganization(services);
  const { email } = await aPerson(services, { organizationId, role: "admin", membership: "admin" });
  const browser = aBrowser();
  await browser.submit("/auth", { tab: "login", email, password: PASSWORD });
  return { browser, organizationId, services };
}

type Browser = ReturnType<typeof aBrowser>;

/** What a field that must be filled in holds before anything can be saved at all. */
type Filled = Readonly<Record<string, string>>;

/** When undone, these weaken a policy or a limit: the change waits, and until then the page shows what applies. */
const WAITS_TO_GO_BACK: ReadonlySet<string> = new Set([
  "firstPaymentLimitCents",
  "secondPersonRequired",
  "memberLimit",
  "opensAt",
]);

const FORMS: readonly [path: string, control: string, to: string, filled?: Filled][] = [
  ["/profile/alerts", "quietFrom", "21:00", { quietTo: "07:00" }],
  ["/profile/alerts", "payment_held.email", "now"],
  ["/profile/alerts", "bank_details_changed.email", "digest"],
  ["/profile/reviewing", "reviewKeys", "on"],
  ["/profile", "firstName", "Wilhelmina"],
  ["/settings", "abn", "51 824 753 556"],
  ["/settings", "name", "Harbour Joinery"],
  ["/settings/policies", "firstPaymentLimitCents", "5,000.00"],
  ["/settings/policies", "secondPersonRequired", "on"],
  ["/payments/files/settings", "memberLimit", "5,000.00"],
  ["/payments/files/settings", "opensAt", "08:30", { closesAt: "17:30" }],
  ["/payments/files/settings", "sendsRemittances", "on"],
];

/** Posts a form as it was rendered, with what the person changed in it. */
function save(browser: Browser, path: string, form: RenderedForm, changed: Filled = {}) {
  const kept = form.fields.filter(([name]) => !(name in changed));
  const sent = [...kept, ...Object.entries(changed), ...form.buttons.slice(0, 1)];
  const headers = { Accept: "text/html", "Content-Type": "application/x-www-form-urlencoded" };
  return browser.send(form.action || path, { text: new URLSearchParams(sent).toString(), headers });
}

/** What the page shows again, except the version that a save is based on and the key of one post. */
const shown = ({ fields }: RenderedForm) =>
  fields.filter(([name]) => name !== "version" && name !== "submissionId").sort();

test.each(FORMS)("%s: saved without a change, with another %s, and back", async (path, control, to, besides = {}) => {
  const { browser } = await anAdmin();
  const open = async () => readFormWith(await browser.get(path), control);

  const first = await open();
  expect((await save(browser, path, first)).status).toBe(303);
  expect(shown(await open())).toEqual(shown(first));

  const changed = { [control]: to, ...besides };
  expect((await save(browser, path, await open(), changed)).status).toBe(303);
  const second = await open();
  expect(Object.fromEntries(second.fields)).toMatchObject(changed);
  expect((await save(browser, path, second)).status).toBe(303);
  expect(shown(await open())).toEqual(shown(second));

  expect((await save(browser, path, { ...first, fields: withVersionOf(second, first) })).status).toBe(303);
  expect(shown(await open())).toEqual(shown(WAITS_TO_GO_BACK.has(control) ? second : first));
});

const withVersionOf = (now: RenderedForm, { fields }: RenderedForm): [string, string][] =>
  fields.map(([name, value]) => [name, name === "version" ? (new Map(now.fields).get(name) ?? value) : value]);

test("policies: a folded group opens where a field in it is refused, or differs from its default", async () => {
  const { browser } = await anAdmin();
  const path = "/settings/policies";
  const isOpen = (html: string) => /<details open="(?:(?!<\/details>).)*name="firstPaymentLimitCents"/s.test(html);
  expect(isOpen(await (await browser.get(path)).text())).toBe(false);
  const form = await readFormWith(await browser.get(path), "firstPaymentLimitCents");
  const refused = await save(browser, path, form, { firstPaymentLimitCents: "a lot" });
  expect(refused.status).toBe(400);
  expect(isOpen(await refused.text())).toBe(true);
  expect((await save(browser, path, form, { firstPaymentLimitCents: "5,000" })).status).toBe(303);
  expect(isOpen(await (await browser.get(path)).text())).toBe(true);
});

test("the paying account: empty it says what is missing, filled in it is saved, and saved again as it stands", async () => {
  const { browser } = await anAdmin();
  const path = "/payments/files/settings";
  const open = async () => readFormWith(await browser.get(path), "remitter");
  expect((await save(browser, path, await open())).status).toBe(400);
  const payer = {
    bank: "CBA",
    userId: "301500",
    userName: "HARBOUR JOINERY",
    remitter: "HARBOUR",
    bsb: "062-000",
    accountNumber: "12345678",
  };
  expect((await save(browser, path, await open(), payer)).status).toBe(303);
  const saved = await open();
  expect(Object.fromEntries(saved.fields)).toMatchObject({ bank: "CBA", remitter: "HARBOUR" });
  expect((await save(browser, path, saved)).status).toBe(303);
  expect(shown(await open())).toEqual(shown(saved));
});

test("a webhook endpoint's events: saved as they stand, and with one more", async () => {
  const { browser } = await anAdmin();
  const list = await readFormWith(await browser.get("/settings/webhooks"), "url");
  const chosen = { url: "https://hooks.harbour.example/payeeproof", events: "payee.added" };
  const added = await save(browser, "/settings/webhooks", list, chosen);
  const path = added.headers.get("Location") ?? "";
  const open = async () => readFormWith(await browser.get(path), "events");
  const first = await open();
  expect((await save(browser, path, first)).status).toBe(303);
  expect(shown(await open())).toEqual(shown(first));
  const another: RenderedForm = { ...first, fields: [...first.fields, ["events", "payment.failed"]] };
  expect((await save(browser, path, another)).status).toBe(303);
  expect(shown(await open())).toEqual(shown(another));
});

test("quiet hours refused: what was chosen beside them is still there", async () => {
  const { browser } = await anAdmin();
  const path = "/profile/alerts";
  const form = await readFormWith(await browser.get(path), "quietFrom");
  const typed = { quietFrom: "21:00", "payment_held.email": "now" };
  const refused = await save(browser, path, form, typed);
  expect(refused.status).toBe(400);
  const again = await readFormWith(refused, "quietFrom");
  expect(Object.fromEntries(again.fields)).toMatchObject({ ...typed, quietTo: "" });
  const boxes = form.fields.filter(([name]) => name.endsWith(".inApp"));
  expect(again.fields).toEqual(expect.arrayContaining(boxes));
});
