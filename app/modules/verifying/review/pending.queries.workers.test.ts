import { paymentRecords } from "@db/database";
import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { PaymentStatus } from "~/kernel/enums";
import type { Actor, Services } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { peek } from "../../../../tests/support/payees";
import { aPayment } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { test } from "../../../../tests/support/signed-in";
import { aPendingVerification, changeVerification, NO_EVIDENCE } from "../../../../tests/support/verifications";
import {
  findPlace,
  listPendingVerifications,
  type PendingFilter,
  readPendingFilter,
  readSearch,
} from "./pending.server";
import { countPending, readQueue, toPendingRow } from "./pending-page.server";

async function namesOf(services: Services, actor: Actor, filter: PendingFilter = {}) {
  const { verifications } = await listPendingVerifications(services, actor, filter);
  return verifications.map((verification) => verification.payee.name);
}

const aQueue = async (services: Services, actor: Actor, names: readonly string[]) => {
  const made = [];
  for (const name of names) made.push(await aPendingVerification(services, actor, { payee: { name } }));
  return made;
};

test("the queue lists an organisation's own pending verifications, newest first or oldest first", async ({
  services,
  actor,
}) => {
  const stranger = await aMember(services);
  const [, second] = await aQueue(services, actor, ["Alder", "Birch", "Cedar"]);
  await aQueue(services, stranger, ["Foreign"]);
  if (second) await changeVerification(services, second, { status: "rejected" });
  expect(await namesOf(services, actor)).toEqual(["Cedar", "Alder"]);
  expect(await namesOf(services, actor, { order: "oldest" })).toEqual(["Alder", "Cedar"]);
  expect(await namesOf(services, stranger)).toEqual(["Foreign"]);
});

test("a requester is named, the system has none", async ({ services, actor }) => {
  await aPendingVerification(services, actor);
  await aPendingVerification(services, actor, { requestedById: null });
  const { verifications } = await listPendingVerifications(services, actor);
  expect(verifications.map((row) => row.requestedBy?.email ?? null)).toEqual([null, actor.email]);
});

test("paging by key forwards and back shows everything once, in either order", async ({ services, actor }) => {
  await aQueue(services, actor, ["A1", "A2", "A3", "A4", "A5"]);
  for (const order of ["newest", "oldest"] as const) {
    const expected = order === "newest" ? ["A5", "A4", "A3", "A2", "A1"] : ["A1", "A2", "A3", "A4", "A5"];
    const names = (page: Awaited<ReturnType<typeof listPendingVerifications>>) =>
      page.verifications.map((row) => row.payee.name);
    const first = await listPendingVerifications(services, actor, { order, limit: 2 });
    const second = await listPendingVerifications(services, actor, { order, limit: 2, after: first.next });
    const third = await listPendingVerifications(services, actor, { order, limit: 2, after: second.next });
    expect([first, second, third].flatMap(names)).toEqual(expected);
    expect([first.previous, third.next]).toEqual([undefined, undefined]);
    const back = await listPendingVerifications(services, actor, { order, limit: 2, before: third.previous });
    expect(names(back)).toEqual(names(second));
    const start = await listPendingVerifications(services, actor, { order, limit: 2, before: back.previous });
    expect(names(start)).toEqual(names(first));
    expect(start.previous).toBeUndefined();
  }
});

test.each([
  ["river", ["Riverbend"]],
  ["RIVERBEND timber", ["Riverbend"]],
  ["timber river", ["Riverbend"]],
  ["o'brien", ["O'Brien & Sons"]],
  ["062-111", ["Riverbend"]],
  ["062 111", ["Riverbend"]],
  ["062111 4455", ["Riverbend"]],
  ["44556677", ["Riverbend"]],
  ["holdings", ["O'Brien & Sons"]],
  ["riverbend holdings", []],
  ["%", []],
  ["'; DROP TABLE payees; --", []],
])("searching %s finds %j", async (q, expected) => {
  const services = testServices();
  const actor = await aMember(services);
  await aPendingVerification(services, actor, {
    payee: { name: "Riverbend", accountName: "Riverbend Timber Pty Ltd", bsb: "062111", accountNumber: "44556677" },
  });
  await aPendingVerification(services, actor, {
    payee: { name: "O'Brien & Sons", accountName: "OBrien Holdings", bsb: "083004", accountNumber: "123456789" },
  });
  expect(await namesOf(services, actor, { q })).toEqual(expected);
});

test("the match filter keeps the search, and nothing to compare is listed under no match", async ({
  services,
  actor,
}) => {
  const [first, second] = await aQueue(services, actor, ["Acme North", "Acme South", "Acme East"]);
  if (first) await changeVerification(services, first, { matchType: "exact", nameMatchScore: 100 });
  if (second) await changeVerification(services, second, { matchType: "fuzzy", nameMatchScore: 85 });
  expect(await namesOf(services, actor, { match: "exact", q: "acme" })).toEqual(["Acme North"]);
  expect(await namesOf(services, actor, { match: "fuzzy", q: "north" })).toEqual([]);
  expect(await namesOf(services, actor, { match: "none" })).toEqual(["Acme East"]);
  if (first) await changeVerification(services, first, { assignedToId: actor.userId });
  expect(await countPending(services, actor)).toEqual({
    ...{ all: 3, mine: 1, exact: 1, fuzzy: 1 },
    ...{ none: 0, notCompared: 1 },
  });
  expect(await countPending(services, actor, { q: "north" })).toEqual({
    ...{ all: 1, mine: 1, exact: 1, fuzzy: 0 },
    ...{ none: 0, notCompared: 0 },
  });
  for (const q of [undefined, "acme"]) {
    expect(await namesOf(services, actor, { assignedTo: actor.userId, order: "risk", q })).toEqual(["Acme North"]);
    expect(await namesOf(services, actor, { assignedTo: actor.userId, match: "none", q })).toEqual([]);
  }
  expect(second && (await findPlace(services, actor, second.verificationId, {}))).toMatchObject({
    position: 2,
    total: 3,
  });
});

test("a common word is searched along the queue with the same answer", async ({ services, actor }) => {
  const names = Array.from({ length: 110 }, (_, i) => `Wholesale Wholemeal No${i}x`);
  await aQueue(services, actor, names);
  const newest = [...names].reverse().slice(0, 50);
  expect(await namesOf(services, actor, { q: "whole" })).toEqual(newest);
  expect(await namesOf(services, actor, { q: "whole no42x" })).toEqual(["Wholesale Wholemeal No42x"]);
});

test("the rows read for a page do not grow with the queue", async () => {
  const read = async (size: number) => {
    let rows = 0;
    const services = testServices({ meter: (_, meta) => (rows += meta.rowsRead) });
    const actor = await aMember(services);
    await aQueue(
      services,
      actor,
      Array.from({ length: size }, (_, i) => `Payee number ${i} of many`),
    );
    await aPendingVerification(services, actor, { payee: { name: "Singular Seeds" } });
    const cost = async (run: () => Promise<unknown>) => {
      rows = 0;
      await run();
      return rows;
    };
    return {
      page: await cost(() => listPendingVerifications(services, actor, { limit: 10 })),
      filtered: await cost(() => listPendingVerifications(services, actor, { limit: 10, match: "none" })),
      risk: await cost(() => listPendingVerifications(services, actor, { limit: 10, order: "risk" })),
      rare: await cost(() => listPendingVerifications(services, actor, { limit: 10, q: "singular" })),
      two: await cost(() => listPendingVerifications(services, actor, { limit: 10, q: "singular seeds 062000" })),
    };
  };
  const [small, large] = [await read(30), await read(120)];
  expect(large.page).toBe(small.page);
  expect(large.filtered).toBe(small.filtered);
  expect(large.risk).toBe(small.risk);
  expect(large.rare).toBe(small.rare);
  // Every payee has a term that begins with the third word, so counting stops at its cap.
  expect(large.two).toBeLessThan(small.two + 200);
});

/** A queue in which every payee has one of two common words, and none has both. */
async function fillQueue({ organizationId }: Actor, size: number) {
  const numbers = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})`;
  const id = (mark: number) => sql`printf('%d%s-%06d', ${mark}, ${organizationId}, i)`;
  const word = sql`iif(i % 2, 'alpha', 'omega')`;
  await peek.run(sql`INSERT INTO payees
      (id, organizationId, name, accountName, bsb, accountNumber, hash, accountFingerprint, terms, createdAt, updatedAt)
    ${numbers} SELECT ${id(1)}, ${organizationId}, ${word}, ${word}, '062000', printf('%09d', i), ${id(1)}, ${id(1)},
      json_array(${word}), 1, 1 FROM n`);
  await peek.run(sql`INSERT INTO payee_terms (organizationId, term, payeeId)
    ${numbers} SELECT ${organizationId}, ${word}, ${id(1)} FROM n`);
  await peek.run(sql`INSERT INTO verifications
      (id, organizationId, payeeId, method, accountName, bsb, accountNumber, createdAt)
    ${numbers} SELECT ${id(2)}, ${organizationId}, ${id(1)}, 'manual', ${word}, '062000', printf('%09d', i), 1 FROM n`);
}

test("a common word is looked for no further than a page may walk, and the rest is behind the next page", async () => {
  let rows = 0;
  const services = testServices({ meter: (_, meta) => (rows += meta.rowsRead) });
  const cost = async (size: number) => {
    const actor = await aMember(services);
    await fillQueue(actor, size);
    rows = 0;
    const page = await listPendingVerifications(services, actor, { q: "alpha omega" });
    return { page, rows, actor };
  };
  const [small, large] = [await cost(1_000), await cost(6_000)];
  expect([small.page.verifications, large.page.verifications]).toEqual([[], []]);
  expect(large.rows / small.rows).toBeLessThanOrEqual(1.3);
  expect(large.rows).toBeLessThan(3_500);
  // Every page links to the next until the end.
  let pages = 1;
  for (let next = large.page.next; next !== undefined; pages++) {
    const page = await listPendingVerifications(services, large.actor, { q: "alpha omega", after: next });
    next = page.next;
  }
  expect(pages).toBe(13);
});

test("tabs count common words along the queue, to its end or as far as a page looks, in rows that do not grow", async () => {
  let rows = 0;
  const services = testServices({ meter: (_, meta) => (rows += meta.rowsRead) });
  // Every hundredth payee has both words, is assigned to the reader and matches exactly.
  const cost = async (size: number, q: string) => {
    const actor = await aMember(services);
    await fillQueue(actor, size);
    const { organizationId, userId } = actor;
    const chosen = sql`organizationId = ${organizationId} AND id LIKE '%07'`;
    await peek.run(sql`UPDATE payees SET terms = '["alpha","omega"]' WHERE ${chosen}`);
    await peek.run(sql`UPDATE verifications SET matchType = 'exact', assignedToId = ${userId} WHERE ${chosen}`);
    rows = 0;
    const search = readSearch(services, actor, q);
    await listPendingVerifications(services, actor, { q }, search);
    const ofList = rows;
    const counts = await countPending(services, actor, { q }, search);
    return { counts, ofList, ofCounts: rows - ofList };
  };
  const five = { all: 5, mine: 5, exact: 5, fuzzy: 0, none: 0, notCompared: 0 };
  expect((await cost(450, "alpha omega")).counts).toEqual({ ...five, isAtLeast: false });
  const [small, large] = [await cost(1_000, "alpha omega"), await cost(6_000, "alpha omega")];
  expect(large).toEqual(small);
  expect(large.counts).toEqual({ ...five, isAtLeast: true });
  const common = await cost(1_000, "alpha");
  expect(common.counts).toEqual({
    ...{ all: 60, mine: 1, exact: 1, fuzzy: 0 },
    ...{ none: 0, notCompared: 59, isAtLeast: true },
  });
  for (const { ofList, ofCounts } of [large, common]) expect(ofCounts / ofList).toBeLessThan(0.55);
});

test("without a search the page reads the same rows however many wait, and says how many", async () => {
  let rows = 0;
  const services = testServices({ meter: (_, meta) => (rows += meta.rowsRead) });
  const cost = async (size: number) => {
    const actor = await aMember(services);
    await fillQueue(actor, size);
    rows = 0;
    const [, counts] = await readQueue(services, actor, readPendingFilter(new URLSearchParams()));
    return [rows, counts.all, counts.notCompared];
  };
  const [few, many] = [await cost(60), await cost(3_000)];
  expect([few, many]).toEqual([
    [expect.any(Number), 60, 60],
    [few[0], 3_000, 3_000],
  ]);
  expect(few[0]).toBeLessThan(350);
});

/** A payee whose account name is its own name. */
const named = (name: string) => ({ name, accountName: name });

/** One verification of each kind, in the order in which they were opened. */
async function aMixedQueue(services: Services, actor: Actor) {
  const matching = await aPendingVerification(services, actor, {
    payee: named("Matches"),
    checked: { outcome: "match", nameMatchScore: 100, matchType: "exact" },
  });
  const unasked = await aPendingVerification(services, actor, { payee: named("Unasked") });
  const close = await aPendingVerification(services, actor, {
    payee: named("Close"),
    checked: { outcome: "close_match", nameMatchScore: 86, matchType: "fuzzy" },
  });
  const alike = { payeeId: "p", name: "Other", reason: "same_name" as const, detail: "The name is the same." };
  await aPendingVerification(services, actor, {
    payee: named("Look-alike"),
    evidence: { ...NO_EVIDENCE, lookalikes: [alike] },
  });
  await aPendingVerification(services, actor, { payee: named("Silent"), checked: { outcome: "unable" } });
  const resultData = { source: "basiq", institutionDiffers: true, checkedAt: 1 } as const;
  const otherBank = await aPendingVerification(services, actor, {
    payee: named("Other bank"),
    checked: { outcome: "match", nameMatchScore: 100, matchType: "exact", resultData },
  });
  await aPendingVerification(services, actor, { payee: named("Changed"), checked: { isOfChange: true } });
  await aPendingVerification(services, actor, {
    payee: named("Other name"),
    checked: { outcome: "no_match", nameMatchScore: 40 },
  });
  const disputed = await aPendingVerification(services, actor, {
    payee: named("Disputed"),
    checked: { outcome: "match", nameMatchScore: 100, matchType: "exact", disputedByPayeeAt: 5 },
  });
  return { matching, unasked, close, otherBank, disputed };
}

const BY_RISK = [
  "Disputed",
  "Other name",
  "Look-alike",
  "Changed",
  "Close",
  "Other bank",
  "Silent",
  "Unasked",
  "Matches",
];

test("by risk the gravest stand first, page by page in both directions", async ({ services, actor }) => {
  await aMixedQueue(services, actor);
  expect(await namesOf(services, actor, { order: "risk" })).toEqual(BY_RISK);
  const first = await listPendingVerifications(services, actor, { order: "risk", limit: 3 });
  const second = await listPendingVerifications(services, actor, { order: "risk", limit: 3, after: first.next });
  expect(second.verifications.map((row) => row.payee.name)).toEqual(BY_RISK.slice(3, 6));
  const back = await listPendingVerifications(services, actor, { order: "risk", limit: 3, before: second.previous });
  expect(back.verifications.map((row) => row.payee.name)).toEqual(BY_RISK.slice(0, 3));
});

test("a bank that says no without a name is no match; without an answer nothing was compared", async ({
  services,
  actor,
}) => {
  await aPendingVerification(services, actor, { payee: { name: "Denied" }, checked: { outcome: "no_match" } });
  await aPendingVerification(services, actor, { payee: { name: "Silent" }, checked: { outcome: "unable" } });
  await aPendingVerification(services, actor, { payee: { name: "Unasked" } });
  const { verifications } = await listPendingVerifications(services, actor);
  const zone = { timeZone: "UTC", now: services.clock.now() };
  const shown = verifications.map((row) => [row.payee.name, toPendingRow(row, zone).matchType]);
  expect(Object.fromEntries(shown)).toEqual({ Denied: "none", Silent: null, Unasked: null });
  expect(await countPending(services, actor)).toMatchObject({ all: 3, none: 1, notCompared: 2 });
  expect(await countPending(services, actor, { q: "denied" })).toMatchObject({ all: 1, none: 1, notCompared: 0 });
  expect(await countPending(services, actor, { q: "unasked" })).toMatchObject({ all: 1, none: 0, notCompared: 1 });
});

test("of the same risk, what has waited longest stands first", async ({ services, actor }) => {
  await aQueue(services, actor, ["First", "Second", "Third"]);
  expect(await namesOf(services, actor, { order: "risk" })).toEqual(["First", "Second", "Third"]);
});

test("an item knows its place and its neighbours in the view it was opened from, and keeps them when it is decided", async ({
  services,
  actor,
}) => {
  const { matching, unasked, close, otherBank, disputed } = await aMixedQueue(services, actor);
  const place = (ids: { verificationId: string }, view: PendingFilter) =>
    findPlace(services, actor, ids.verificationId, view);
  expect(await place(unasked, { order: "risk" })).toMatchObject({
    position: 8,
    total: 9,
    nextId: matching.verificationId,
  });
  expect(await place(close, { order: "risk", match: "fuzzy" })).toEqual({
    position: 1,
    total: 1,
    previousId: undefined,
    nextId: undefined,
  });
  expect(await place(matching, { order: "risk", match: "exact" })).toMatchObject({
    position: 3,
    total: 3,
    previousId: otherBank.verificationId,
  });
  expect(await place(matching, { order: "risk", q: "matches" })).toMatchObject({ position: 1, total: 1 });
  await changeVerification(services, disputed, { status: "rejected" });
  const after = await place(disputed, { order: "risk", match: "exact" });
  expect(after).toMatchObject({ position: undefined, nextId: otherBank.verificationId, total: 2 });
});

test("payments that wait are summed by payee, within the organisation", async ({ services, actor }) => {
  const { payeeId } = await aPendingVerification(services, actor);
  const quiet = await aPendingVerification(services, actor);
  await aPayment(services, actor, payeeId, { amount: 12_345 });
  const { id } = await aPayment(services, actor, payeeId, { amount: 1_000 });
  const waiting = async () => {
    const { verifications } = await listPendingVerifications(services, actor);
    const held = new Map(verifications.map(({ payee, heldCents }) => [payee.id, heldCents]));
    return [held.get(payeeId), held.get(quiet.payeeId)];
  };
  const become = (status: PaymentStatus) =>
    peek.update(paymentRecords).set({ status }).where(eq(paymentRecords.id, id));
  expect(await waiting()).toEqual([13_345, 0]);
  await become("verification_requested");
  expect(await waiting()).toEqual([13_345, 0]);
  await become("rejected");
  expect(await waiting()).toEqual([12_345, 0]);
  await become("held");
  expect(await waiting()).toEqual([13_345, 0]);
});
