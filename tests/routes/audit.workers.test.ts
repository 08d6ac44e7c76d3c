import { runSchedule } from "@workers/cron";
import { expect, test } from "vitest";
import type { Actor } from "~/kernel/actor";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import * as auditPage from "~/routes/_app+/audit";
import * as list from "~/routes/api+/audit";
import * as exported from "~/routes/api+/audit_.export[.]ndjson";
import * as verified from "~/routes/api+/audit_.verify";
import type { Services } from "~/services";
import { aMember } from "../support/factories";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";

async function act(services: Services, actor: Actor, times = 1) {
  const details = {
    accountNumber: "•••••678",
    isGlobal: true,
    changes: [{ field: "email", from: null }],
    payeeId: "p",
  };
  for (let i = 0; i < times; i++) {
    const entry = { action: "payee.edited", entityType: "payee", entityId: services.ids.next(), details } as const;
    await services.db.batch([recordAudit(services, actor, entry)]);
  }
}

async function get(route: typeof list, services: Services, actor: Actor | null, path: string) {
  const response = await route.loader(await routeArgs(services, actor, path));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("the schedule seals, and the calls show entries with their seals", async () => {
  const services = testServices();
  const actor = await aMember(services);
  await act(services, actor, 2);
  expect(await get(verified, services, actor, "/api/audit/verify")).toMatchObject({
    status: 200,
    body: { ok: true, checked: 0, unsealed: 2 },
  });
  await runSchedule("*/5 * * * *", services);
  const { body } = await get(list, services, actor, "/api/audit");
  expect(body).toMatchObject({
    nextCursor: null,
    entries: [
      { seq: 2, action: "payee.edited", description: "Edited the payee", user: { email: actor.email } },
      { seq: 1, prevHash: "0".repeat(64), createdAt: "2026-11-20T03:00:00.000Z" },
    ],
  });
  expect((await get(verified, services, actor, "/api/audit/verify")).body).toMatchObject({ ok: true, checked: 2 });
});

test("the export seals first, so that every line carries its seal", async () => {
  const services = testServices();
  const actor = await aMember(services);
  await act(services, actor, 3);
  const response = await exported.loader(await routeArgs(services, actor, "/api/audit/export.ndjson"));
  expect(response.headers.get("Content-Type")).toBe("application/x-ndjson; charset=utf-8");
  const lines = new TextDecoder()
    .decode(await response.arrayBuffer())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { seq: number });
  expect(lines.map((line) => line.seq)).toEqual([1, 2, 3]);
});

test.each([
  ["hash=abc&count=1"],
  ["count=1"],
  [`hash=${"a".repeat(64)}`],
  [`hash=${"a".repeat(64)}&count=0`],
  ["after=5"],
  ["afterHash=abc"],
])("an anchor of %s is refused with 400", async (query) => {
  const services = testServices();
  const actor = await aMember(services);
  expect((await get(verified, services, actor, `/api/audit/verify?${query}`)).status).toBe(400);
});

test("an anchor that fits is confirmed, one from elsewhere is not", async () => {
  const services = testServices();
  const actor = await aMember(services);
  await act(services, actor, 2);
  await runSchedule("*/5 * * * *", services);
  const { hash } = (await get(verified, services, actor, "/api/audit/verify")).body;
  const check = async (anchor: string, count: number) =>
    (await get(verified, services, actor, `/api/audit/verify?hash=${anchor}&count=${count}`)).body;
  expect(await check(String(hash), 2)).toMatchObject({ ok: true, checked: 2 });
  expect(await check("a".repeat(64), 2)).toMatchObject({ ok: false, brokenAt: 2 });
  expect(await check(String(hash), 3)).toMatchObject({ ok: false, brokenAt: 3 });
});

test("nobody signed in sees nothing of the trail", async () => {
  const services = testServices();
  for (const route of [list, exported, verified]) {
    const response = await route.loader(await routeArgs(services, null, "/api/audit"));
    expect(response.status).toBe(401);
  }
});

test("the page reads out details without ids, narrows to a person, and checks when asked", async () => {
  const services = testServices();
  const actor = await aMember(services);
  await act(services, actor);
  const load = async (query: string) => auditPage.loader(await routeArgs(services, actor, `/audit${query}`));
  const [line] = (await load("")).lines;
  expect(line).toMatchObject({
    what: "Edited the payee",
    about: { label: "Payee" },
    details: [
      { term: "account number", value: "•••••678" },
      { term: "is global", value: "yes" },
      { term: "changes", value: "field email, from none" },
    ],
    seq: null,
  });
  expect((await load(`?by=user:${actor.userId}`)).lines).toHaveLength(1);
  expect((await load(`?by=user:${services.ids.next()}`)).lines).toHaveLength(0);
  expect((await load("?by=nonsense&cursor=nowhere")).lines).toHaveLength(0);
  expect((await load("?check=1")).report).toMatchObject({ ok: true });
});

test("the rows read for a page of the trail do not grow with the trail", async () => {
  const cost = async (size: number) => {
    let rows = 0;
    const services = testServices({ meter: (_, meta) => (rows += meta.rowsRead) });
    const actor = await aMember(services);
    await act(services, actor, size);
    rows = 0;
    await get(list, services, actor, "/api/audit");
    return rows;
  };
  expect(await cost(160)).toBe(await cost(60));
});

test("the nightly schedule runs", async () => {
  const services = testServices();
  await runSchedule("23 16 * * *", services);
  expect(services.log.lines.map((line) => line.event)).toContain("housekeeping");
});

test.each([
  ["admin", "jo.w@outside.example"],
  ["member", "j•••@outside.example"],
  ["read_only", "j•••@outside.example"],
] as const)("addresses in details, as %s sees them in page, list and export", async (role, seen) => {
  const services = testServices();
  const actor = await aMember(services, { role });
  const details = { email: "jo.w@outside.example" };
  const entry = { action: "member.invited", entityType: "user", entityId: "u", details } as const;
  await services.db.batch([recordAudit(services, actor, entry)]);
  const listed = await get(list, services, actor, "/api/audit");
  expect(listed.body).toMatchObject({ entries: [{ details: { email: seen } }] });
  const response = await exported.loader(await routeArgs(services, actor, "/api/audit/export.ndjson"));
  const line = new TextDecoder().decode(await response.arrayBuffer());
  expect(JSON.parse(line)).toMatchObject({ details: { email: seen } });
  const page = await auditPage.loader(await routeArgs(services, actor, "/audit"));
  expect(page).toMatchObject({ lines: [{ details: [{ value: seen }] }] });
});
