import { expect, test } from "vitest";
import { ADDRESS_LIMITS } from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import { alreadyDecided } from "~/modules/payees/verifications/verification.server";
import { aBrowser } from "../support/worker";

/** Attacks on the way a request is read and answered, each named after what was tried. */

const PASSWORD = "Hostile-horse-9";
let serial = 0;

/** A person of a new organisation, signed in. */
async function aPerson() {
  const browser = aBrowser();
  const email = `mal@hostile${serial++}.example`;
  const body = { email, firstName: "Mal", password: PASSWORD, newOrganization: { name: `Hostile ${serial}` } };
  expect((await browser.post("/api/register", body)).status).toBe(201);
  return browser;
}

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

test("asking for the data of a route as Remix once did is answered 404", async () => {
  const response = await aBrowser().get("/dashboard?_data=routes%2F_app%2Fdashboard");
  expect([response.status, await codeOf(response)]).toEqual([404, "NOT_FOUND"]);
});

test("an endless address is refused, and a long one is not repeated in a Location", async () => {
  const endless = await aBrowser().get(`/payees?q=${"x".repeat(30_000)}`);
  expect([endless.status, await codeOf(endless)]).toEqual([414, "ADDRESS_TOO_LONG"]);
  const long = await aBrowser().get(`/payees?q=${"x".repeat(6_000)}`);
  expect([long.status, long.headers.get("Location")]).toEqual([302, "/auth"]);
});

test("control characters of an address are not repeated in the answer", async () => {
  const response = await aBrowser().get("/api/organizations/by-domain/evil%00%1b[31m.example");
  expect(response.status).toBe(404);
  expect((await response.json<{ message: string }>()).message).not.toMatch(/\p{Cc}/u);
});

test("a reason of any length is cut where an error repeats it", () => {
  const decision = { createdAt: 0, reason: "x\u0000".repeat(10_000) };
  const decidedBy = { firstName: "Dana", lastName: "Wu" };
  const decided = { status: "rejected", decision, decidedBy } as unknown as Parameters<typeof alreadyDecided>[0];
  const { message } = alreadyDecided(decided, "Australia/Sydney");
  expect(message.length).toBeLessThanOrEqual(300);
  expect(message).not.toMatch(/\p{Cc}/u);
});

test("every 503 says when to try again", () => {
  expect(new AppError("SUBSCRIPTION_ERROR", "Busy").retryAfterSeconds).toBe(5);
  expect(new AppError("NOT_FOUND", "Not found").retryAfterSeconds).toBeUndefined();
});

const PRETENDERS: [what: string, value: unknown][] = [
  ["an object with a length", { length: 1e9, toString: "y" }],
  ["an object that cannot be written", { toString: null, valueOf: null, toJSON: 1 }],
  ["an object with a prototype", JSON.parse('{"__proto__": {"length": 1}, "constructor": 1}')],
  ["a list with a length of its own", [{ length: -1 }]],
];
const FIELDS =
  "name accountName bsb accountNumber abn email phone address payeeId amount reference description reason note".split(
    " ",
  );

test.each(PRETENDERS)("%s in the place of a text is the sender's fault", async (_what, value) => {
  const browser = await aPerson();
  for (const path of ["/api/payees", "/api/payments", "/api/contact", "/api/login", "/api/name-match"]) {
    for (const field of FIELDS) {
      const response = await browser.post(path, { [field]: value });
      expect([400, 401, 403, 429], `${path} ${field} ${response.status}`).toContain(response.status);
    }
  }
});

test.each(["=1", "a%00b=1", "a%0Db=1", "a%0Ab=1", "%7F=1"])(
  "a form whose field is named %j is the sender's fault",
  async (field) => {
    for (const path of ["/auth", "/auth/forgot", "/contact"]) {
      const text = `tab=login&email=a%40b.example&password=Guess-1234&${field}`;
      const headers = { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" };
      const response = await aBrowser().send(path, { text, headers });
      expect(response.status, path).toBe(400);
    }
  },
);

test("a note of 60,000 blanks and a letter is answered at once", async () => {
  const note = `${" ".repeat(60_000)}x`;
  const started = Date.now();
  await aBrowser().post("/api/verify/x", { vid: "1", pid: "2", response: "dispute", note });
  await aBrowser().post("/api/contact", { message: note });
  expect(Date.now() - started).toBeLessThan(2_000);
});

test("changing the address within one IPv6 network does not get around a limit", async () => {
  const { limit } = ADDRESS_LIMITS["organization-lookup"];
  const ask = (address: string) =>
    aBrowser().get("/api/organizations/by-domain/nobody.example", { "CF-Connecting-IP": address });
  const answers: number[] = [];
  for (let i = 0; i <= limit; i++) answers.push((await ask(`2001:db8:77:1::${i + 1}`)).status);
  expect(answers).toEqual([...Array(limit).fill(404), 429]);
  expect((await ask("2001:db8:77:2::1")).status).toBe(404);
});

test("fifty payments to one payee at the same moment are all recorded", async () => {
  const browser = await aPerson();
  const added = await browser.post("/api/payees", {
    name: "Crowded",
    accountName: "Crowded Pty Ltd",
    bsb: "062-000",
    accountNumber: "12345678",
  });
  const { payee } = await added.json<{ payee: { id: string } }>();
  const calls = Array.from({ length: 50 }, (_, i) =>
    browser.post("/api/payments", { payeeId: payee.id, amount: 1_000, reference: `INV-${i}` }),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect([...new Set(statuses)]).toEqual([201]);
});
