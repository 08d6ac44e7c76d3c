import { expect, test } from "vitest";
import { createMyob } from "~/adapters/accounting/myob";
import { createXero } from "~/adapters/accounting/xero";
import { createAbr } from "~/adapters/business-register/abr";
import { read, subscriptionSchema } from "~/adapters/cards/stripe-schema";
import { createHttpMail } from "~/adapters/mail/http-mail";
import { createTwilioSms } from "~/adapters/sms/twilio-sms";
import { aClock } from "../support/clock";
import { type Json, withUnknownFields } from "../support/json-shapes";

/** If a party adds a field, or omits an inessential one, no answer is lost. */

type Fetch = (request: Request) => Promise<Response>;
const answering =
  (body: Json, status = 200): Fetch =>
  async () =>
    Response.json(body, { status });
const clock = aClock(0);
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => `${error.kind} ${error.options?.code ?? ""}`.trim(),
  );

const xero = (fetch: Fetch) =>
  createXero({
    authorizeUrl: "https://login.xero.example",
    identityUrl: "https://identity.xero.example",
    apiUrl: "https://api.xero.example",
    clientId: "c",
    clientSecret: "s",
    fetch,
    clock,
  });
const myob = (fetch: Fetch) =>
  createMyob({
    authorizeUrl: "https://secure.myob.example",
    tokenUrl: "https://secure.myob.example/token",
    apiUrl: "https://api.myob.example",
    clientId: "c",
    clientSecret: "s",
    fetch,
    clock,
  });
const abr = (fetch: Fetch) => createAbr({ baseUrl: "https://abr.example/json", guids: ["g"], fetch, clock });
const mail = (fetch: Fetch) =>
  createHttpMail({ baseUrl: "https://mail.example", apiKey: "k", from: "a@b.example", fetch, clock }).send(
    { to: "kim@wattle.example", subject: "s", html: "h", text: "t" },
    "key",
  );
const sms = (fetch: Fetch) =>
  createTwilioSms({
    baseUrl: "https://sms.example",
    accountSid: "AC1",
    authToken: "t",
    sender: { from: "+61400000000" },
    fetch,
    clock,
  }).send({ to: "+61491570156", body: "b" });

const access = { accessToken: "a", ledgerId: "l" };
const contact = { ContactID: "c1", Name: "Wattle", ContactStatus: "ACTIVE", BankAccountDetails: "062-000 12345678" };
const supplier = { UID: "u1", CompanyName: "Wattle", Addresses: [{ Street: "2 Example Lane", City: "Newtown" }] };
const entity = { Abn: "51824753556", AbnStatus: "Active", EntityName: "WATTLE PTY LTD", BusinessName: "Wattle" };
const subscription = {
  id: "sub_1",
  customer: { id: "cus_1", object: "customer" },
  status: "active",
  created: 1,
  cancel_at_period_end: false,
  items: { data: [{ current_period_end: 2 }] },
};

test.each<[string, Json, (fetch: Fetch, body: Json) => Promise<unknown>, unknown]>([
  [
    "Xero's contacts without a number of pages",
    { Contacts: [contact], pagination: { page: 1 } },
    (fetch) => xero(fetch).listContacts(access, { page: null, since: null }),
    { contacts: [{ id: "c1", name: "Wattle", account: { text: "062-000 12345678" } }], next: null },
  ],
  [
    "Xero's tokens whose time is a text",
    { access_token: "a", refresh_token: "r", expires_in: "1800" },
    (fetch) => xero(fetch).refresh("r"),
    { accessToken: "a", accessUntil: 1_800_000 },
  ],
  [
    "MYOB's suppliers whose addresses have no place",
    { Items: [supplier] },
    (fetch) => myob(fetch).listContacts(access, { page: null, since: null }),
    { contacts: [{ id: "u1", name: "Wattle" }], next: null },
  ],
  [
    "the register's one business name as a text",
    entity,
    (fetch) => abr(fetch).findByAbn("51824753556"),
    { entityName: "WATTLE PTY LTD", businessNames: ["Wattle"] },
  ],
  ["an email's id alone", { id: "e1" }, mail, { providerMessageId: "e1" }],
  ["a text message's id without a status", { sid: "SM1" }, sms, { providerMessageId: "SM1" }],
  [
    "a subscription",
    subscription,
    async (_, body) => read(subscriptionSchema, body),
    { customer: "cus_1", subscription: { id: "sub_1", currentPeriodEnd: 2_000 } },
  ],
])("%s is read, with unknown fields too", async (_, body, ask, expected) => {
  expect(await ask(answering(body), body)).toMatchObject(expected as object);
  const more = withUnknownFields(body);
  expect(await ask(answering(more), more)).toMatchObject(expected as object);
});

test.each<[string, (fetch: Fetch) => Promise<unknown>, Json, string]>([
  ["an email", mail, { name: "validation_error", message: null }, "rejected validation_error"],
  ["a text message", sms, { code: "21211", message: null, more_info: null }, "rejected 21211"],
])("a refusal of %s is read though its sentence is missing", async (_, ask, body, expected) => {
  expect(await kindOf(ask(answering(body, 422)))).toBe(expected);
});

test.each<[string, (fetch: Fetch) => Promise<unknown>, Json]>([
  ["an email without an id", mail, {}],
  ["a text message without an id", sms, { status: "queued" }],
  [
    "a contact without an id",
    (fetch) => xero(fetch).listContacts(access, { page: null, since: null }),
    { Contacts: [{}] },
  ],
  ["an entity without a status", (fetch) => abr(fetch).findByAbn("51824753556"), { ...entity, AbnStatus: "Perhaps" }],
])("%s is no answer", async (_, ask, body) => {
  expect(await kindOf(ask(answering(body)))).toBe("malformed");
});
