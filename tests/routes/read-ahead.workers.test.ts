import { env } from "cloudflare:workers";
import { apiTokens, organizationUsers, users } from "@db/database";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { API_TOKEN_PREFIX, hintOf } from "~/modules/accounts/identity/api-token";
import { details } from "../support/payees";
import { PASSWORD } from "../support/people";
import { testServices } from "../support/services";
import { countWaits } from "../support/waits";
import { aBrowser, textOf } from "../support/worker";

/** What a page reads before it knows who is asking, and how often it has to wait for the database. */

const { DB } = env as unknown as { DB: D1Database };

const database = countWaits(DB);
let waits = 0;
const browser = aBrowser("http://app.test", { DB: database.binding }, () => {
  waits = database.count();
});
let home = "";
let bearer: Record<string, string> = {};
let payeeId = "";

const email = `ahead@${crypto.randomUUID()}.example`;

beforeAll(async () => {
  const given = { email, firstName: "Ada", password: PASSWORD };
  const registered = await browser.post("/api/register", { ...given, newOrganisation: { name: "Ahead Pty Ltd" } });
  expect(registered.status).toBe(201);
  const added = await browser.post("/api/payees", { ...details(), name: "Payee of Ahead", email });
  expect(added.status).toBe(201);
  const { payee, verification } = (await added.json()) as Record<"payee" | "verification", { id: string }>;
  home = verification.id;
  payeeId = payee.id;
  bearer = await tokenOf();
});

beforeEach(() => {
  database.reset();
});

const stagesOf = async (path: string) => {
  for (let time = 0; time < 2; time++) await (await browser.get(path)).text();
  database.reset();
  const response = await browser.get(path);
  expect(response.status).toBe(200);
  await response.text();
  return database.count();
};

test.each([
  // What waits is read as the queue reads it: which verifications, then what is known of them.
  ["/dashboard", 2],
  ["/payments", 1],
  // Its rows, then what the health report and banks said about them.
  ["/payees", 3],
  ["/verifications/pending", 2],
])("%s waits for the database at most %i times", async (path, most) => {
  expect(await stagesOf(path)).toBeLessThanOrEqual(most);
});

test("a verification is read in two steps, the audit of who saw its numbers aside", async () => {
  await browser.get(`/verifications/${home}`);
  expect(await stagesOf(`/verifications/${home}`)).toBeLessThanOrEqual(2);
});

const bill = () => ({ amount: 12_500, reference: crypto.randomUUID().slice(0, 8) });
const person = () => ({ ...details(), name: "Payee of Ahead", email });
const aForm = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value ?? "")]));
const once = () => ({ "Idempotency-Key": crypto.randomUUID() });
const tokenOf = async () => {
  const services = testServices({ clock: { now: () => Date.now() } });
  const [row] = await services.db.select().from(users).where(eq(users.email, email));
  if (!row?.organizationId) throw new Error("the person is missing");
  const token = `${API_TOKEN_PREFIX}${services.ids.secret()}`;
  const { id: userId, organizationId, createdAt } = row;
  const tokenHash = await services.secrets.hashToken(token);
  const given = { tokenHash, hint: hintOf(token), name: "Books", scopes: ["payments:write"], lastUsedAt: Date.now() };
  await services.db.insert(apiTokens).values({ ...given, id: services.ids.next(), userId, organizationId, createdAt });
  return { Authorization: `Bearer ${token}`, Cookie: "" };
};
const sent = () => ({ submissionId: crypto.randomUUID() });

test.each<[string, () => Promise<Response>]>([
  ["a payment to a payee, by the API", () => browser.post("/api/payments", { payeeId, ...bill() }, once())],
  ["a payment with an API token", () => browser.post("/api/payments", { payeeId, ...bill() }, bearer)],
  ["a payment to an account, by the API", () => browser.post("/api/payments", { ...details(), ...bill() }, once())],
  [
    "a payment to a payee, by the form",
    () => browser.submit("/payments/new", aForm({ payeeId, ...sent(), ...bill(), amount: "125.00" })),
  ],
])("%s waits for the database at most six times", async (_, post) => {
  await post();
  database.reset();
  const response = await post();
  expect(response.status).toBeLessThan(400);
  expect(waits).toBeGreaterThan(0);
  expect(waits).toBeLessThanOrEqual(6);
});

test.each<[string, number, () => Promise<Response>]>([
  ["by the API", 6, () => browser.post("/api/payees", person(), once())],
  ["by the form", 5, () => browser.submit("/payees/verify", aForm({ ...person(), ...sent(), check: "none" }))],
  // The payee is asked in the same request, which has a batch of its own.
  ["by the form, and asking", 9, () => browser.submit("/payees/verify", aForm({ ...person(), ...sent() }))],
])("adding a payee %s waits for the database at most %i times", async (_name, most, post) => {
  await post();
  database.reset();
  const response = await post();
  expect(response.status).toBeLessThan(400);
  expect(waits).toBeLessThanOrEqual(most);
});

test("what was read for the organisation of before is not shown to a person who has moved on, nor to a session that ended", async () => {
  expect(await textOf(await browser.get("/payees"))).toContain("Payee of Ahead");
  const services = testServices({ clock: { now: () => Date.now() } });
  const [person] = await services.db.select().from(users).where(eq(users.email, email));
  const other = aBrowser("http://app.test");
  const registered = await other.post("/api/register", {
    email: `other-${email}`,
    firstName: "Oda",
    password: PASSWORD,
    newOrganisation: { name: "Elsewhere Pty Ltd" },
  });
  expect(registered.status).toBe(201);
  await other.post("/api/payees", { ...details(), name: "Payee of Elsewhere", email });
  const [owner] = await services.db
    .select()
    .from(users)
    .where(eq(users.email, `other-${email}`));
  const [membership] = await services.db
    .select()
    .from(organizationUsers)
    .where(eq(organizationUsers.userId, String(owner?.id)));
  if (!person || !membership) throw new Error("a person is missing");
  await services.db.batch([
    services.db
      .insert(organizationUsers)
      .values({ ...membership, id: services.ids.next(), userId: person.id, role: "read_only" }),
    services.db.update(users).set({ organizationId: membership.organizationId }).where(eq(users.id, person.id)),
  ]);
  const moved = await textOf(await browser.get("/payees"));
  expect(moved).toContain("Payee of Elsewhere");
  expect(moved).not.toContain("Payee of Ahead");
  await services.db.update(users).set({ status: "inactive" }).where(eq(users.id, person.id));
  const ended = await browser.get("/payees");
  expect([ended.status, await ended.text()]).toEqual([302, ""]);
});
