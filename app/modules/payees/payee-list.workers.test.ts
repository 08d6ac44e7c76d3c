import { env } from "cloudflare:workers";
import { payees, payeeTerms, payeeWordParts, verifications } from "@db/database";
import type { StatementMeta } from "@db/guarded-d1";
import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import { payeeStatus } from "~/kernel/payee";
import { endOfPrefix } from "~/modules/core/payee-keys";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../tests/support/factories";
import { anAddedPayee, peek } from "../../../tests/support/payees";
import { testServices } from "../../../tests/support/services";
import { test } from "../../../tests/support/signed-in";
import { editPayee } from "./edit-payee.server";
import { countPayees, listPayees, PAYEES_PAGE_SIZE, type PayeesQuery } from "./payee-list.server";
import { standingOf } from "./payee-standing";
import { whitelistByHand } from "./whitelist-by-hand.server";

const database = (env as unknown as { DB: D1Database }).DB;

/**
 * Inserts many payees as adding them would: each has a word from `word0` to `word9` in turn, and every name contains
 * Bulk.
 */
async function manyPayees(actor: Actor, count: number) {
  const { organizationId } = actor;
  const numbers = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const idOf = sql`lower(hex(randomblob(4))) || '-0000-7000-8000-' || printf('%012d', i)`;
  await peek.run(sql`${numbers} INSERT INTO ${payees} ("id", "organizationId", "name", "accountName", "bsb",
    "accountNumber", "paymentCount", "whitelisted", "whitelistGlobal", "hash", "accountFingerprint", "terms", "version", "createdAt", "updatedAt")
    SELECT ${idOf}, ${organizationId}, 'Bulk ' || i, 'Bulk ' || i, '062000', printf('%08d', i), 0, i % 2, 0,
    'b:' || i, 'b:' || i, json_array('bulk', 'n' || printf('%08d', i)), 1, 0, 0 FROM n`);
  await peek.run(sql`INSERT INTO ${payeeTerms} ("organizationId", "term", "payeeId")
    SELECT "organizationId", 'bulk', "id" FROM ${payees} WHERE "organizationId" = ${organizationId}
    UNION ALL SELECT "organizationId", 'n' || "accountNumber", "id" FROM ${payees} WHERE "organizationId" = ${organizationId}`);
  await peek.run(sql`INSERT INTO ${verifications} ("id", "organizationId", "payeeId", "status", "method", "accountName", "bsb",
    "accountNumber", "matchType", "notificationSent", "verifiedByPayee", "createdAt")
    SELECT 'v' || "id", "organizationId", "id", 'pending', 'manual', "accountName", "bsb", "accountNumber", 'none', 0, 0, 0
    FROM ${payees} WHERE "organizationId" = ${organizationId}`);
}

/** Reads all pages; every page has at most fifty rows and no row appears twice. */
async function walkAll(actor: Actor, query: PayeesQuery): Promise<string[]> {
  const services = testServices();
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await listPayees(services, actor, { ...query, after });
    expect(page.payees.length).toBeLessThanOrEqual(PAYEES_PAGE_SIZE);
    seen.push(...page.payees.map((payee) => payee.id));
    after = page.next;
  } while (after !== undefined);
  expect(new Set(seen).size).toBe(seen.length);
  return seen;
}

test("a search finds payees by words, BSB and account digits, and only this organisation's", async () => {
  const services = testServices();
  const [me, other] = [await aMember(services), await aMember(services)];
  const acme = await anAddedPayee(services, me, {
    name: "Acme",
    accountName: "Acme Fabrication Pty Ltd",
    bsb: "033001",
    accountNumber: "00778899",
  });
  const bolt = await anAddedPayee(services, me, { name: "Bolt", accountName: "Bolt Fabrication", bsb: "062000" });
  await anAddedPayee(services, other, { name: "Acme", accountName: "Acme Fabrication Pty Ltd" });
  const find = async (q: string) => (await listPayees(services, me, { q })).payees.map((payee) => payee.id);
  expect(await find("acme")).toEqual([acme.payeeId]);
  expect(await find("fabric")).toEqual([bolt.payeeId, acme.payeeId]);
  expect(await find("fabric bol")).toEqual([bolt.payeeId]);
  expect(await find("033-001")).toEqual([acme.payeeId]);
  for (const part of ["778899", "00778899", "7788", "899", "8899", "0077"]) {
    expect(await find(part), part).toEqual([acme.payeeId]);
  }
  expect(await find("fabrication 033 001")).toEqual([acme.payeeId]);
  expect(await find("fabrication zzz")).toEqual([]);
  expect(await find("!!!")).toEqual([]);
});

test("a search finds payees by any part of their names' words, rare or common, and by nothing of their email", async ({
  services,
  actor: me,
}) => {
  await manyPayees(me, 250);
  const named = (name: string, email: string) => anAddedPayee(services, me, { name, accountName: name, email });
  const nick = await named("Papadopoulos Joinery", "accounts@quandong.example");
  const bulky = await named("Unbulky Freight", "accounts@pademelon.example");
  const find = async (q: string) => (await listPayees(services, me, { q })).payees.map((payee) => payee.id);
  for (const part of ["papa", "apad", "dopo", "poulos", "los", "opoulo join", "oiner"])
    expect(await find(part), part).toEqual([nick.payeeId]);
  expect(await find("dopu")).toEqual([]);
  expect(await find("andong")).toEqual([]);
  // Two hundred and fifty payees have the word near the start of the list, so the search walks the list.
  const all = await walkAll(me, { q: "bulk" });
  expect(all).toHaveLength(251);
  expect(all).toContain(bulky.payeeId);
  expect(await find("ulk freig")).toEqual([bulky.payeeId]);
});

test("legal forms are found in names though they lead to no payee, by any part of them", async ({
  services,
  actor: me,
}) => {
  const named = async (name: string) => (await anAddedPayee(services, me, { name, accountName: name })).payeeId;
  const wattle = await named("Wattle Pty Ltd");
  const ptolemy = await named("Ptolemy Limited");
  const only = await named("Limited");
  const find = async (q: string) => (await listPayees(services, me, { q })).payees.map((payee) => payee.id).sort();
  expect(await find("pty")).toEqual([wattle]);
  expect(await find("pt")).toEqual([wattle, ptolemy].sort());
  expect(await find("imit")).toEqual([ptolemy, only].sort());
  expect(await find("wattle pty ltd")).toEqual([wattle]);
  expect(await find("ptolemy pty")).toEqual([]);
  const led = await peek.select().from(payeeTerms).where(eq(payeeTerms.payeeId, wattle));
  expect(led.map(({ term }) => term)).not.toContain("pty");
});

test("a word that another payee has already costs no row, and an edit's new words are found", async ({
  services,
  actor: me,
}) => {
  const parts = () => peek.select().from(payeeWordParts).where(eq(payeeWordParts.organizationId, me.organizationId));
  await anAddedPayee(services, me, { name: "Wattle Creek", accountName: "Wattle Creek" });
  const before = await parts();
  expect(before.map(({ part }) => part).sort()).toEqual(["eek", "ttle", "le"].sort());
  const { payeeId } = await anAddedPayee(services, me, { name: "Creek Wattle", accountName: "Creek Wattle" });
  expect(await parts()).toEqual(before);
  await editPayee(services, me, { payeeId, patch: { name: "Kookaburra Creek" } });
  expect((await listPayees(services, me, { q: "kabur" })).payees.map(({ id }) => id)).toEqual([payeeId]);
});

test("filters show whitelisted, awaiting and disputed payees, and the counts agree", async ({
  services,
  actor: me,
}) => {
  const [a, b, c] = [
    await anAddedPayee(services, me),
    await anAddedPayee(services, me),
    await anAddedPayee(services, me),
  ];
  await whitelistByHand(services, me, { payeeId: a.payeeId, reason: "Known to us" });
  await peek.update(verifications).set({ status: "rejected" }).where(eq(verifications.payeeId, b.payeeId));
  await peek.update(payees).set({ disputedAt: 1 }).where(eq(payees.id, c.payeeId));
  const ids = async (filter: PayeesQuery["filter"], q?: string) =>
    (await listPayees(services, me, { filter, q })).payees.map((payee) => payee.id);
  expect(await ids("all")).toEqual([c.payeeId, b.payeeId, a.payeeId]);
  for (const q of [undefined, "wattle creek"]) {
    expect(await ids("whitelisted", q)).toEqual([a.payeeId]);
    expect(await ids("not_whitelisted", q)).toEqual([c.payeeId, b.payeeId]);
    expect(await ids("pending", q)).toEqual([c.payeeId, a.payeeId]);
    expect(await ids("disputed", q)).toEqual([c.payeeId]);
  }
  const counts = await countPayees(services, me);
  expect(counts).toMatchObject({ payees: 3, whitelistedPayees: 1, pendingVerifications: 2 });
});

test("each payee comes with its newest verification, from which its status follows", async ({
  services,
  actor: me,
}) => {
  const { payeeId, verificationId } = await anAddedPayee(services, me);
  await peek.update(verifications).set({ status: "verified" }).where(eq(verifications.id, verificationId));
  const [payee] = (await listPayees(services, me)).payees;
  expect(payee?.id).toBe(payeeId);
  expect(payee?.latest?.id).toBe(verificationId);
  expect(payee && payeeStatus(payee, payee.latest)).toBe("verified");
});

test("the list says of an open verification what the review desk says, and who is waited for", async ({
  services,
  actor: me,
}) => {
  const verdicts = async () =>
    (await listPayees(services, me)).payees.map((payee) => standingOf(payee, 0).headline.verdict?.word);
  const { verificationId } = await anAddedPayee(services, me, { name: "Banksia", accountName: "Banksia" });
  await anAddedPayee(services, me, { name: "Banksia", accountName: "Banksia" });
  expect(await verdicts()).toEqual(["Look-alike", "Not checked"]);
  await startBankDataCheck(services, me, { verificationId });
  expect(await verdicts()).toEqual(["Look-alike", "Waiting for the payee"]);
  const result = { outcome: "close_match", nameMatchScore: 80 } as const;
  await peek.update(verifications).set(result).where(eq(verifications.id, verificationId));
  expect((await verdicts())[1]).toBe("Close match");
});

test("pages by key lead through everything once, and back", async () => {
  const me = await aMember(testServices());
  await manyPayees(me, 120);
  for (const filter of ["all", "pending"] as const) {
    expect(await walkAll(me, { filter })).toHaveLength(120);
    expect(await walkAll(me, { filter, q: "bulk" })).toHaveLength(120);
  }
  expect(await walkAll(me, { filter: "whitelisted", q: "bulk" })).toHaveLength(60);
  const services = testServices();
  const first = await listPayees(services, me);
  const second = await listPayees(services, me, { after: first.next });
  const back = await listPayees(services, me, { before: second.previous });
  expect(first.previous).toBeUndefined();
  expect(back.payees).toEqual(first.payees);
  expect(back.previous).toBeUndefined();
  expect(back.next).toBe(first.next);
});

/** The most rows that one page of a search may read, whatever the words and however many payees there are. */
const MAX_SEARCH_ROWS = 2_500;

test("a search with only common words walks a bounded stretch and goes on from there", async () => {
  let rowsRead = 0;
  const meter = (_: string, meta: StatementMeta) => {
    rowsRead += meta.rowsRead;
  };
  const services = testServices({ meter });
  const me = await aMember(testServices());
  await manyPayees(me, 5_000);
  await peek.run(sql`INSERT INTO ${payeeTerms} ("organizationId", "term", "payeeId")
    SELECT "organizationId", 'common', "id" FROM ${payees} WHERE "organizationId" = ${me.organizationId}
    ORDER BY "id" LIMIT 600`);
  await peek.run(sql`UPDATE ${payees} SET "terms" = json_insert("terms", '$[#]', 'common')
    WHERE "organizationId" = ${me.organizationId} AND "id" IN (SELECT "payeeId" FROM ${payeeTerms}
      WHERE "organizationId" = ${me.organizationId} AND "term" = 'common')`);
  const found = await walkAll(me, { q: "bulk common" });
  expect(found).toHaveLength(600);
  for (const q of ["bulk common", "common bulk", "n000", "common"]) {
    rowsRead = 0;
    const { payees: first, next } = await listPayees(services, me, { q });
    expect(rowsRead, q).toBeLessThan(MAX_SEARCH_ROWS);
    expect(first.length === PAYEES_PAGE_SIZE || next !== undefined, `${q} can go on`).toBe(true);
  }
});

test("the last digits of a number lead to the payees that have them, wherever in a long list these are", async () => {
  let rowsRead = 0;
  const meter = (_: string, meta: StatementMeta) => {
    rowsRead += meta.rowsRead;
  };
  const me = await aMember(testServices());
  await manyPayees(me, 3_000);
  await peek.run(sql`INSERT INTO ${payeeTerms} ("organizationId", "term", "payeeId")
    SELECT "organizationId", '<4321' || "accountNumber", "id" FROM ${payees}
    WHERE "organizationId" = ${me.organizationId} ORDER BY "id" LIMIT 450`);
  const { payees: first } = await listPayees(testServices({ meter }), me, { q: "1234" });
  expect(first).toHaveLength(PAYEES_PAGE_SIZE);
  expect(rowsRead).toBeLessThan(MAX_SEARCH_ROWS);
});

test("a common word with few terms is read by its payees: none is passed over, and none of the others is walked", async () => {
  let rowsRead = 0;
  const meter = (_: string, meta: StatementMeta) => {
    rowsRead += meta.rowsRead;
  };
  const me = await aMember(testServices());
  await manyPayees(me, 3_000);
  // Every tenth payee has one of the two words, and so few have both that most walks of 500 payees find none.
  for (const [word, nth] of [
    ["oakley", 10],
    ["oakdale", 12],
  ] as const) {
    const has = sql`"organizationId" = ${me.organizationId} AND CAST(substr("name", 6) AS INTEGER) % ${nth} = 0`;
    await peek.run(sql`INSERT INTO ${payeeTerms} ("organizationId", "term", "payeeId")
      SELECT "organizationId", ${word}, "id" FROM ${payees} WHERE ${has}`);
    await peek.run(sql`UPDATE ${payees} SET "terms" = json_insert("terms", '$[#]', ${word}) WHERE ${has}`);
  }
  const services = testServices({ meter });
  for (const [query, count] of [
    [{ q: "oak" }, 500],
    [{ q: "oakley oak" }, 300],
    [{ q: "oakl oakd" }, 50],
    [{ q: "oakley", filter: "whitelisted" }, 0],
    [{ q: "oakley", filter: "not_whitelisted" }, 300],
  ] as const) {
    expect(await walkAll(me, query), JSON.stringify(query)).toHaveLength(count);
    rowsRead = 0;
    const page = await listPayees(services, me, query);
    expect(page.payees.length, JSON.stringify(query)).toBe(Math.min(count, PAYEES_PAGE_SIZE));
    expect(rowsRead, JSON.stringify(query)).toBeLessThan(MAX_SEARCH_ROWS);
  }
  const first = await listPayees(services, me, { q: "oak" });
  const second = await listPayees(services, me, { q: "oak", after: first.next });
  expect((await listPayees(services, me, { q: "oak", before: second.previous })).payees).toEqual(first.payees);
});

test("rows read do not grow with the table", async () => {
  let rowsRead = 0;
  const meter = (_: string, meta: StatementMeta) => {
    rowsRead += meta.rowsRead;
  };
  const services = testServices({ meter });
  const read = async (actor: Actor, query: PayeesQuery) => {
    rowsRead = 0;
    const { payees: found } = await listPayees(services, actor, query);
    return { rowsRead, found: found.length };
  };
  const [small, large] = [await aMember(testServices()), await aMember(testServices())];
  await manyPayees(small, 50);
  await manyPayees(large, 5_000);
  const SLACK = 10;
  for (const query of [
    {},
    { filter: "pending" },
    { q: "n00000007" },
    { q: "n00000007", filter: "whitelisted" },
  ] as const) {
    const [few, many] = [await read(small, query), await read(large, query)];
    expect(many.found, JSON.stringify(query)).toBe(few.found);
    expect(many.rowsRead, JSON.stringify(query)).toBeLessThanOrEqual(few.rowsRead + SLACK);
  }
  const bounded = await read(large, { q: "bulk" });
  expect(bounded.found).toBe(PAYEES_PAGE_SIZE);
  expect(bounded.rowsRead).toBeLessThan(1_500);
});

test("nothing of an organisation's tables is scanned", async () => {
  const watched = new Set<string>();
  const services = testServices({ meter: (statement) => watched.add(statement) });
  const me = await aMember(services);
  await anAddedPayee(services, me);
  for (const filter of ["all", "whitelisted", "not_whitelisted", "pending", "disputed"] as const) {
    for (const q of ["", "wattle", "wattle creek 062000"])
      await listPayees(services, me, { filter, q, after: endOfPrefix("f") });
  }
  const tables = /SCAN (payees|payee_terms|verifications|payee_changes)\b/;
  let plans = 0;
  for (const statement of watched) {
    if (!/^\s*select/i.test(statement)) continue;
    const bound = Array.from({ length: statement.split("?").length - 1 }, () => null);
    const plan = await database
      .prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .bind(...bound)
      .all<{ detail: string }>();
    for (const { detail } of plan.results) expect(detail, statement).not.toMatch(tables);
    plans++;
  }
  expect(plans).toBeGreaterThan(10);
});
