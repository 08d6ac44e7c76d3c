import { outbox, siteNotices, users } from "@db/database";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MINUTE_MS } from "~/kernel/dates";
import { readNotices } from "~/modules/core/operations/notice.server";
import { action, loader } from "~/routes/_app+/admin.operations";
import { aMember } from "../support/factories";
import { peek } from "../support/payees";
import { PASSWORD } from "../support/people";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { TEST_ENV } from "../support/test-env";
import { aBrowser, textOf } from "../support/worker";

const PATH = "/admin/operations";

async function aSuperAdmin() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  await peek.update(users).set({ role: "super_admin" }).where(eq(users.id, actor.userId));
  const press = async (form: Record<string, string>) => action(await routeArgs(services, actor, PATH, {}, { form }));
  const see = async () => loader(await routeArgs(services, actor, PATH));
  return { services, press, see };
}

beforeEach(() => peek.delete(siteNotices));

test("a super admin's notice is on every page within a minute, and goes within one", async () => {
  const { services, press, see } = await aSuperAdmin();
  expect(await readNotices(services)).toEqual([]);
  expect(await press({ intent: "set-notice", text: " Banks answer late today " })).toMatchObject({ status: 303 });
  expect((await see()).notice).toBe("Banks answer late today");
  services.clock.advance(MINUTE_MS);
  expect(await readNotices(services)).toEqual(["Banks answer late today"]);
  await press({ intent: "remove-notice" });
  services.clock.advance(MINUTE_MS);
  expect(await readNotices(services)).toEqual([]);
  expect(await press({ intent: "remove-notice" })).toMatchObject({ init: { status: 409 } });
  expect(await press({ intent: "set-notice", text: " " })).toMatchObject({
    init: { status: 400 },
    data: { errors: { text: ["Write what everyone should read"] } },
  });
});

test("the notice stands on public pages that are kept, on the page of signing in and on one that does not exist", async () => {
  const visitor = aBrowser("http://notice.test", { STATUS_TOKENS: TEST_ENV.STATUS_TOKENS });
  expect(await textOf(await visitor.get("/about"))).not.toContain("We move house");
  await peek.insert(siteNotices).values({ id: 1, text: "We move house", setAt: 1 });
  const other = aBrowser("http://other-notice.test", {});
  for (const path of ["/about", "/about", "/auth", "/nowhere", "/status"]) {
    expect(await textOf(await other.get(path))).toContain("We move house");
  }
});

test("a job is run again from the page, and a kind that is started elsewhere is not", async () => {
  const { services, press, see } = await aSuperAdmin();
  const id = services.ids.next();
  const importId = services.ids.next();
  const failed = { queue: "jobs" as const, status: "failed" as const, dueAt: 1, createdAt: 1 };
  const finishedAt = services.clock.now() + MINUTE_MS;
  await peek.insert(outbox).values([
    { ...failed, id, kind: "register_lookup", finishedAt, lastError: "abr: timeout" },
    { ...failed, id: importId, kind: "payee_import", finishedAt },
  ]);
  const { givenUp } = await see();
  expect(givenUp.find((job) => job.id === id)).toMatchObject({
    words: "A look-up in the business register",
    again: true,
    error: "abr: timeout",
  });
  expect(givenUp.find((job) => job.id === importId)).toMatchObject({ again: false });
  expect(await press({ intent: "run-job", jobId: id })).toMatchObject({ status: 303 });
  expect(services.sent.map(({ jobId }) => jobId)).toContain(id);
  expect(await press({ intent: "run-job", jobId: id })).toMatchObject({ init: { status: 409 } });
  expect(await press({ intent: "run-job", jobId: importId })).toMatchObject({ init: { status: 409 } });
});

test("the status call is for whoever has one of the tokens, and does not exist without any", async () => {
  const ask = (list: string | undefined, token: string) =>
    aBrowser("http://app.test", list ? { STATUS_TOKENS: list } : { STATUS_TOKENS: undefined }).get("/healthz/status", {
      Authorization: `Bearer ${token}`,
    });
  const [old, next] = [`old-${"o".repeat(40)}`, `new-${"n".repeat(40)}`];
  const answer = await ask(`${next},${old}`, old);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    version: "dev",
    outbox: { oldestDueSeconds: expect.any(Number), pending: expect.any(Object), failed: expect.any(Object) },
    schedules: expect.any(Array),
    sealer: { lagSeconds: expect.any(Number) },
    providers: expect.arrayContaining([expect.objectContaining({ party: "mail" })]),
    database: { bytes: expect.any(Number), limitBytes: 10_000_000_000 },
    problems: expect.any(Array),
  });
  expect((await ask(next, next)).status).toBe(200);
  expect((await ask(next, old)).status).toBe(401);
  expect((await ask(undefined, old)).status).toBe(404);
});

const lines: Record<string, unknown>[] = [];
const keep = (line: string) => void lines.push(JSON.parse(line));
const spies = () =>
  (["info", "warn", "error"] as const).map((level) => vi.spyOn(console, level).mockImplementation(keep));
afterEach(() => {
  lines.length = 0;
  vi.restoreAllMocks();
});

test("one line for each request: its route, status, time, waits and rows, and the id that the answer bears", async () => {
  spies();
  const visitor = aBrowser("http://lines.test", {});
  // D1 says nothing about a statement that is sent for the first time.
  await visitor.get("/healthz");
  lines.length = 0;
  const secret = "ThisIsATokenOfSomebody-0123456789";
  const asked = [
    await visitor.get("/about?email=ana@wattle.example"),
    await visitor.get(`/reset-password/${secret}?x=12345678`),
    await visitor.get("/api/payees/0192f1c2-1234-7abc-8def-123456789012"),
    await visitor.get("/healthz"),
    await visitor.get(`/nowhere/${secret}`),
  ];
  const said = lines.filter(({ event }) => event === "request");
  expect(said.map(({ route, status }) => [route, status])).toEqual([
    ["/about", 200],
    ["/reset-password/:token", expect.any(Number)],
    ["/api/payees/{id}", 401],
    ["/healthz", 200],
    ["*", 404],
  ]);
  expect(said.map(({ request }) => request)).toEqual(asked.map((answer) => answer.headers.get("X-Request-Id")));
  for (const line of said) {
    expect(Object.keys(line).sort()).toEqual(
      ["event", "level", "method", "ms", "request", "route", "rows", "status", "version", "waits"].sort(),
    );
  }
  expect(said[3]).toMatchObject({ waits: expect.any(Number), rows: expect.any(Number) });
  expect(Number(said[3]?.waits)).toBeGreaterThan(0);
  expect(Number(said[3]?.rows)).toBeGreaterThan(0);
  expect(JSON.stringify(said)).not.toMatch(/ThisIsAToken|wattle|12345678|2001:db8/);
});

test("what went wrong is in the log under the id that the person is shown", async () => {
  spies();
  const broken = {
    prepare: () => {
      throw new Error("the disk is gone at 12 345 678");
    },
  };
  const visitor = aBrowser("http://broken.test", { DB: broken });
  const answer = await visitor.submit("/auth", { intent: "login", username: "ana", password: PASSWORD });
  expect(answer.status).toBe(500);
  const shown = await visitor.get("/status");
  const id = shown.headers.get("X-Request-Id") ?? "none";
  expect(await textOf(shown)).toContain(`Request ${id}`);
  const found = lines.filter((line) => line.request === id);
  expect(found.map(({ event }) => event)).toEqual(expect.arrayContaining(["unexpected", "request"]));
  expect(JSON.stringify(found)).not.toMatch(/12 345/);
});
