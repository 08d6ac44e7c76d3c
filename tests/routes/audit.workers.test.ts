import { runSchedule } from "@workers/schedules";
import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { routeOf } from "~/api/calls.server";
import { HOUR_MS } from "~/kernel/dates";
import * as auditPage from "~/routes/_app+/audit";
import * as csvExport from "~/routes/_app+/audit_.export[.]csv";
import type { Actor, Services } from "~/services-and-actor";
import { aMember, recordAudit } from "../support/factories";
import { aPayment, aTrustedPayee } from "../support/payments";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { test } from "../support/signed-in";

const list = routeOf("/api/audit");
const exported = routeOf("/api/audit/export.ndjson");
const verified = routeOf("/api/audit/verify");

async function act(services: Services, actor: Actor, times = 1) {
  const details = {
    accountNumber: "•••••678",
    isGlobal: true,
    changes: [{ field: "email", from: null, to: "pay@acme.example" }],
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

test("the schedule seals, and the calls show entries with their seals", async ({ services, actor }) => {
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

test("the export seals first, so that every line carries its seal", async ({ services, actor }) => {
  await act(services, actor, 3);
  const response = await exported.loader(await routeArgs(services, actor, "/api/audit/export.ndjson"));
  expect(response.headers.get("Content-Type")).toBe("application/x-ndjson; charset=utf-8");
  const lines = new TextDecoder()
    .decode(await response.arrayBuffer())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { seq: number });
  // The export is the last of them.
  expect(lines.map((line) => line.seq)).toEqual([1, 2, 3, 4]);
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

test("an anchor that fits is confirmed, one from elsewhere is not", async ({ services, actor }) => {
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

const load = async (services: Services, actor: Actor, query: string) =>
  auditPage.loader(await routeArgs(services, actor, `/audit${query}`));

test("the page says each entry in a sentence, narrows to a person, and checks when asked", async ({
  services,
  actor,
}) => {
  await act(services, actor);
  const { items } = await load(services, actor, "");
  expect(items).toMatchObject([
    { line: { sentence: "Mira Okafor edited a payee: email set to p•••@acme.example.", seq: null } },
  ]);
  const count = async (query: string) => (await load(services, actor, query)).items.length;
  expect(await count(`?person=${actor.userId}&action=payee.edited&from=2026-11-20&to=2026-11-20`)).toBe(1);
  expect(await count(`?person=${services.ids.next()}`)).toBe(0);
  expect(await count("?to=2026-11-19")).toBe(0);
  expect(await count("?by=nonsense&cursor=nowhere")).toBe(0);
  expect((await load(services, actor, "?check=1")).report).toMatchObject({ ok: true });
});

test("a day leads to the day before and after it, and never to tomorrow", async ({ services, actor }) => {
  const day = async (on: string) => (await load(services, actor, `?from=${on}&to=${on}`)).days;
  expect((await load(services, actor, "")).days).toEqual({ today: "/audit?from=2026-11-20&to=2026-11-20" });
  expect(await day("2026-11-19")).toEqual({
    day: "19 Nov 2026",
    previous: "/audit?from=2026-11-18&to=2026-11-18",
    next: "/audit?from=2026-11-20&to=2026-11-20",
  });
  expect(await day("2026-11-20")).not.toHaveProperty("next", expect.any(String));
});

test("the views of full bank details of a day are under one heading, unless they are asked for", async ({
  services,
  actor,
}) => {
  for (const action of [
    "payee.details_revealed",
    "payee.archived",
    "payee.details_revealed",
    "payee.details_revealed",
  ] as const) {
    const entry = { action, entityType: "payee", entityId: services.ids.next() } as const;
    await services.db.batch([recordAudit(services, actor, entry)]);
  }
  const { items } = await load(services, actor, "");
  expect(items).toMatchObject([
    { heading: "3 views of full bank details by Mira Okafor", views: [{}, {}, {}] },
    { line: { sentence: "Mira Okafor archived a payee." } },
  ]);
  expect((await load(services, actor, "?action=payee.details_revealed")).items).toHaveLength(3);
});

test("the exports hold exactly what is filtered, as a table and as lines of JSON with their seals", async () => {
  const services = testServices();
  const [actor, other] = [await aMember(services), await aMember(services)];
  await act(services, actor, 3);
  await act(services, other);
  const [id] = (await load(services, actor, "")).items.map((item) => "line" in item && item.line.id);
  const entry = { action: "payee.archived", entityType: "payee", entityId: services.ids.next() } as const;
  await services.db.batch([recordAudit(services, actor, entry)]);
  const csv = await csvExport.loader(await routeArgs(services, actor, "/audit/export.csv?action=payee.edited"));
  const rows = (await csv.text()).trimEnd().split("\r\n");
  expect(rows).toHaveLength(4);
  expect(rows[1]).toContain("Mira Okafor edited a payee: email set to p•••@acme.example.");
  expect(rows[1]).toContain(String(id));
  const path = "/api/audit/export.ndjson?action=payee.archived";
  const response = await exported.loader(await routeArgs(services, actor, path));
  expect(response.headers.get("Content-Type")).toBe("application/x-ndjson; charset=utf-8");
  const lines = (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ action: "payee.archived", seq: 4, sentence: "Mira Okafor archived a payee." }]);
});

test("an auditor narrows the trail to a payee: everything about it, its verifications and its payments, and nothing else", async () => {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  const organization = { id: actor.organizationId, name: actor.organizationName };
  const auditor = await aMember(services, { organization, role: "read_only" });
  const { payeeId } = await aTrustedPayee(services, actor, {
    name: "Wattle Creek Electrical",
    bsb: "062000",
    accountNumber: "12345678",
  });
  const { payeeId: other } = await aTrustedPayee(services, actor, {
    name: "Wattle Creek Plumbing",
    bsb: "082001",
    accountNumber: "98765432",
  });
  const paid = await aPayment(services, actor, payeeId);
  await aPayment(services, actor, other);
  const { body } = await get(list, services, auditor, `/api/audit?payee=${payeeId}`);
  const about = (body.entries as { entityType: string; entityId: string }[]).map(
    (e) => `${e.entityType} ${e.entityId}`,
  );
  expect(about).toContain(`payee ${payeeId}`);
  expect(about).toContain(`payment ${paid.id}`);
  expect(about.some((one) => one.startsWith("verification "))).toBe(true);
  expect(about.some((one) => one.includes(other))).toBe(false);
  expect((await get(list, services, auditor, `/api/audit?payee=${payeeId}&area=payments`)).body).toMatchObject({
    entries: [{ entityType: "payment", entityId: paid.id }],
  });
  // By a name, as a person types it.
  const typed = await load(services, auditor, "?payee=wattle+creek+electrical");
  expect(typed.payee).toEqual({ typed: "Wattle Creek Electrical", id: payeeId });
  expect(typed.items).toHaveLength(about.length);
  const several = await load(services, auditor, "?payee=wattle");
  expect(several.items).toEqual([]);
  expect(several.payee).toMatchObject({ problem: "Several payees match this. Choose one.", offered: [{}, {}] });
  const none = await load(services, auditor, "?payee=nobody+of+this+name");
  expect(none.payee).toMatchObject({ problem: "No payee has this name. Try a part of it." });
  expect(none.items).toEqual([]);
  // Sent again with what was shown: the same payee, also beside another of the same name.
  const again = await load(services, auditor, `?payee=Wattle+Creek+Electrical&former=${payeeId}`);
  expect(again.payee.id).toBe(payeeId);
  const stranger = await aMember(services, { role: "admin" });
  expect((await load(services, stranger, `?payee=${payeeId}`)).items).toEqual([]);
});

test("the acts are offered by area, so that no list is longer than a person reads", async ({ services, actor }) => {
  expect((await load(services, actor, "")).actions).toEqual([]);
  const { actions, area } = await load(services, actor, "?action=payment.recorded");
  expect(area).toBe("payments");
  expect(actions.map(({ value }) => value)).toContain("payment.recorded");
  expect(actions.map(({ value }) => value)).not.toContain("payee.added");
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

test("days are found along a long trail, to the minute, at rows that hardly grow with it", async () => {
  const cost = async (size: number) => {
    let rows = 0;
    const services = testServices({ meter: (_, meta) => (rows += meta.rowsRead) });
    const actor = await aMember(services);
    const start = Date.parse("2026-11-01T13:00:00Z");
    const entries = Array.from({ length: size }, (_, i) => ({ id: services.ids.next(), at: start + i * HOUR_MS }));
    await services.db.run(sql`INSERT INTO audit_logs (id, organizationId, userId, action, createdAt)
      SELECT value ->> 'id', ${actor.organizationId}, ${actor.userId}, 'payee.archived', value ->> 'at'
      FROM json_each(${JSON.stringify(entries)})`);
    rows = 0;
    const query = `/api/audit?from=2026-11-03&to=2026-11-03&person=${actor.userId}&action=payee.archived`;
    const { body } = await get(list, services, actor, query);
    const times = (body.entries as { createdAt: string }[]).map(({ createdAt }) => createdAt);
    expect(times).toHaveLength(24);
    expect(times.at(-1)).toBe("2026-11-02T13:00:00.000Z");
    return rows;
  };
  expect(await cost(4_000)).toBeLessThan((await cost(400)) * 1.3);
});

test("a filter that few fit ends its page after a thousand entries, and the next page goes on", async ({
  services,
  actor,
}) => {
  const oldest = { action: "payee.archived", entityType: "payee", entityId: services.ids.next() } as const;
  await services.db.batch([recordAudit(services, actor, oldest)]);
  const ids = JSON.stringify(Array.from({ length: 1_200 }, () => services.ids.next()));
  await services.db.run(sql`INSERT INTO audit_logs (id, organizationId, userId, action, createdAt)
    SELECT value, ${actor.organizationId}, ${actor.userId}, 'payee.added', ${services.clock.now()} FROM json_each(${ids})`);
  const query = `?person=${actor.userId}&action=payee.archived`;
  const first = await load(services, actor, query);
  expect(first.items).toEqual([]);
  expect(first.notes.partial).toBe("Searched a thousand entries. Older ones follow on the next page.");
  const second = await load(services, actor, String(first.nextHref).replace("/audit", ""));
  expect(second.items).toMatchObject([{ line: { sentence: "Mira Okafor archived a payee." } }]);
  expect(second.nextHref).toBeUndefined();
  const csv = await csvExport.loader(await routeArgs(services, actor, `/audit/export.csv${query}`));
  expect((await csv.text()).trimEnd().split("\r\n")).toHaveLength(2);
});

test("the nightly schedule runs, though the bank data provider that it asks is not there", async () => {
  const services = testServices();
  await runSchedule("23 16 * * *", services);
  const sweepsOf = (event: string) =>
    services.log.lines.filter((line) => line.event === event).map((line) => line.fields?.sweep);
  expect(sweepsOf("sweep.failed")).toEqual([]);
  expect(sweepsOf("sweep.put_off")).toEqual(["older orphans deleted"]);
  expect(services.log.lines.map((line) => line.fields?.sweep)).toContain("expired rows removed");
});

test.each([
  ["admin", "jo.w@outside.example"],
  ["member", "j•••@outside.example"],
  ["read_only", "j•••@outside.example"],
] as const)("addresses in details, as %s sees them in page, list and export", async (role, seen) => {
  const services = testServices();
  const actor = await aMember(services, { role });
  const details = { email: "jo.w@outside.example" } as never;
  const entry = { action: "member.invited", entityType: "user", entityId: "u", details } as const;
  await services.db.batch([recordAudit(services, actor, entry)]);
  const listed = await get(list, services, actor, "/api/audit");
  expect(listed.body).toMatchObject({ entries: [{ details: { email: seen } }] });
  const response = await exported.loader(await routeArgs(services, actor, "/api/audit/export.ndjson"));
  const line = new TextDecoder().decode(await response.arrayBuffer());
  const { email: inExport } = JSON.parse(line.split("\n")[0] ?? "").details;
  expect(inExport).toMatch(role === "admin" ? /^jo\.w@outside\.example$/ : /^j•••@outside\.example#[0-9a-f]{64}$/);
  const page = await auditPage.loader(await routeArgs(services, actor, "/audit"));
  expect(page).toMatchObject({
    items: [
      { line: { sentence: "Mira Okafor exported the audit trail." } },
      { line: { sentence: `Mira Okafor invited ${seen}.` } },
    ],
  });
});

test("evidence, a certificate on paper and the check of the trail: what takes bank details out is an export", async () => {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  const { payeeId, verificationId } = await aTrustedPayee(services, actor);
  const exportsOf = async () => {
    const { body } = await get(list, services, actor, "/api/audit?action=records.exported");
    return (body.entries as { details: { what: string } }[]).map(({ details }) => details.what).reverse();
  };
  await get(verified, services, actor, "/api/audit/verify");
  expect(await exportsOf()).toEqual([]);
  const ask = async (route: string, id: string) =>
    (await routeOf(route).loader(await routeArgs(services, actor, route.replace("{id}", id), { id }))).status;
  expect(await ask("/api/payees/{id}/evidence", payeeId)).toBe(200);
  expect(await ask("/api/payees/{id}/evidence.pdf", payeeId)).toBe(200);
  expect(await ask("/api/verifications/{id}/certificate.pdf", verificationId)).toBe(200);
  expect(await exportsOf()).toEqual(["evidence", "a certificate"]);
});
