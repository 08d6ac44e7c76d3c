import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { details } from "./support/payees";
import { PASSWORD } from "./support/people";
import { testServices } from "./support/services";
import { aBrowser, textOf } from "./support/worker";

/** The responses to people and programs while the database is overloaded: a clear message, and when to try again. */

const OVERLOADED = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";

type Overload = "none" | "all" | "all but sessions";
let overload: Overload = "none";

const fail = async (): Promise<never> => {
  throw new Error(OVERLOADED);
};

function overloadable(db: D1Database): D1Database {
  const isHit = (sql: string) => overload === "all" || (overload === "all but sessions" && !/"sessions"/.test(sql));
  const refusing = (): D1PreparedStatement =>
    ({ bind: refusing, first: fail, run: fail, all: fail, raw: fail }) as unknown as D1PreparedStatement;
  return new Proxy(db, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => (isHit(sql) ? refusing() : target.prepare(sql));
      if (name === "batch" && overload !== "none") return fail;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const { DB } = env as unknown as { DB: D1Database };
const browser = aBrowser("http://app.test", { DB: overloadable(DB) });
let payeeId: string;
let verificationId: string;

/** Each refusal leaves a line in the log: that is as it should be, and not for the console of the tests. */
const log = vi.spyOn(console, "warn").mockImplementation(() => {});
afterAll(() => log.mockRestore());

beforeAll(async () => {
  const services = testServices({ clock: { now: () => Date.now() } });
  const email = `busy@${services.ids.next()}.example`;
  const registered = await browser.post("/api/register", {
    email,
    firstName: "Busy",
    password: PASSWORD,
    newOrganisation: { name: "Busy Bees" },
  });
  expect(registered.status).toBe(201);
  const { name, accountName, bsb, accountNumber } = details();
  const added = await browser.post("/api/payees", { name, accountName, bsb, accountNumber, email });
  expect(added.status).toBe(201);
  const body = (await added.json()) as { payee: { id: string }; verification: { id: string } };
  payeeId = body.payee.id;
  verificationId = body.verification.id;
});

async function during<T>(what: Overload, run: () => Promise<T>): Promise<T> {
  overload = what;
  try {
    return await run();
  } finally {
    overload = "none";
  }
}

const PAGES = (): string[] => [
  "/dashboard",
  "/payees",
  `/payees/${payeeId}`,
  `/payees/${payeeId}/edit`,
  "/payments",
  "/payments/new",
  "/verifications/pending",
  `/verifications/${verificationId}`,
  "/audit",
];

test.each(["all", "all but sessions"] as const)("pages say that we are busy, while %s is refused", async (what) => {
  for (const path of PAGES()) {
    const response = await during(what, () => browser.get(path, { Accept: "text/html" }));
    expect([path, response.status, response.headers.get("Retry-After")]).toEqual([path, 503, "5"]);
    const text = await textOf(response);
    expect(text, path).toContain("busier than we can handle");
    expect(text, path).toContain("Try Again");
    expect(text, path).not.toMatch(/D1_|overloaded/);
  }
  expect((await browser.get("/api/user")).status).toBe(200);
  expect(log.mock.calls.join("\n")).toContain("database_unavailable");
});

test("calls answer 503 with the code and the same time to come back", async () => {
  const calls: [string, string, unknown?][] = [
    ["GET", "/api/user"],
    ["GET", "/api/payees"],
    ["GET", `/api/payees/${payeeId}`],
    ["PATCH", `/api/payees/${payeeId}`, { name: "Other" }],
    ["GET", "/api/verifications/pending"],
    ["POST", `/api/verifications/${verificationId}/review`, { approved: false, reason: "Manual rejection" }],
    ["POST", `/api/verifications/${verificationId}/verify-basiq`, {}],
    ["POST", "/api/payments", { payeeId, amount: 100, reference: "Busy" }],
    ["POST", "/api/login", { email: "a@b.example", password: PASSWORD }],
    ["GET", `/api/verify/${"t".repeat(43)}?vid=${verificationId}&pid=${payeeId}`],
    ["GET", "/api/audit"],
    ["GET", "/api/audit/verify"],
  ];
  for (const what of ["all", "all but sessions"] as const) {
    for (const [method, path, json] of calls) {
      if (what !== "all" && path === "/api/user") continue;
      const response = await during(what, () => browser.send(path, { method, json }));
      expect([path, response.status, response.headers.get("Retry-After")]).toEqual([path, 503, "5"]);
      expect(await response.json()).toMatchObject({ code: "BUSY", requestId: expect.any(String) });
    }
  }
  const untouched = (await (await browser.get(`/api/verifications/${verificationId}`)).json()) as { status: string };
  expect(untouched.status).toBe("pending");
});

test("a form that could not be saved keeps what was typed", async () => {
  const typed = { ...details(), name: "Kept Name Pty Ltd" };
  const form = { name: typed.name, accountName: typed.accountName, bsb: typed.bsb, accountNumber: typed.accountNumber };
  const response = await during("all but sessions", () =>
    browser.submit("/payees/verify", form, { Accept: "text/html" }),
  );
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
  const html = await response.text();
  expect(html).toContain("busier than we can handle");
  expect(html).toContain("Kept Name Pty Ltd");
  expect((await browser.submit("/payees/verify", form)).status).toBe(303);
});

test("the public pages and the payee's link say so too, and a sign-in form keeps the address", async () => {
  const link = `/verify/${"t".repeat(43)}?vid=${verificationId}&pid=${payeeId}`;
  const visitor = aBrowser("http://app.test", { DB: overloadable(DB) });
  const opened = await during("all", () => visitor.get(link, { Accept: "text/html" }));
  expect([opened.status, opened.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await textOf(opened)).toContain("busier than we can handle");
  const signIn = await during("all", () =>
    visitor.submit("/auth", { tab: "login", email: "kim@kept.example", password: PASSWORD }, { Accept: "text/html" }),
  );
  expect([signIn.status, signIn.headers.get("Retry-After")]).toEqual([503, "5"]);
  const html = await signIn.text();
  expect(html).toContain("kim@kept.example");
  expect(html).not.toContain(PASSWORD);
});

test("what comes while too much waits is refused at once, what was taken in is answered, and then all is as before", async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow = aBrowser("http://app.test", { DB: waitingFor(opened) });
  const Cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const held = Array.from({ length: 64 }, () => slow.get("/api/user", { Cookie }));
  await vi.waitFor(async () => expect((await browser.get("/api/user")).status).toBe(503));

  const call = await browser.post("/api/payments", { payeeId, amount: 100, reference: "Busy" });
  expect([call.status, call.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await call.json()).toMatchObject({ code: "BUSY", requestId: expect.any(String) });
  const hook = await browser.post("/webhooks/stripe", {});
  expect([hook.status, hook.headers.get("Retry-After")]).toEqual([503, "5"]);
  const opening = await browser.get("/dashboard", { Accept: "text/html" });
  expect([opening.status, opening.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await textOf(opening)).toContain("busier than we can handle right now. Nothing was changed");
  const byScript = await browser.get("/dashboard.data");
  expect(byScript.status).toBe(503);
  expect(await byScript.text()).toContain("busier than we can handle");
  expect(await (await browser.get("/healthz")).json()).toHaveProperty("migrations");
  const typed = { ...details(), name: "Taken In Pty Ltd" };
  const form = { name: typed.name, accountName: typed.accountName, bsb: typed.bsb, accountNumber: typed.accountNumber };
  expect((await browser.submit("/payees/verify", form)).status).toBe(303);

  open();
  for (const answer of await Promise.all(held)) expect(answer.status).toBe(200);
  expect((await browser.get("/api/user")).status).toBe(200);
});

/** The same database, which does not answer before that. */
function waitingFor(opened: Promise<void>): D1Database {
  const own = new WeakMap<object, D1PreparedStatement>();
  const later = (statement: D1PreparedStatement): D1PreparedStatement => {
    const waiting = {
      bind: (...values: unknown[]) => later(statement.bind(...values)),
      all: () => opened.then(() => statement.all()),
      raw: (options: { columnNames: true }) => opened.then(() => statement.raw(options)),
    } as unknown as D1PreparedStatement;
    own.set(waiting, statement);
    return waiting;
  };
  return {
    prepare: (sql: string) => later(DB.prepare(sql)),
    batch: (all: D1PreparedStatement[]) => opened.then(() => DB.batch(all.map((each) => own.get(each) ?? each))),
  } as unknown as D1Database;
}
