import { auditLogs, payees, paymentRecords } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DAY_MS } from "~/kernel/dates";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { conditionsOf, type PaymentSearch } from "~/modules/payments/payment-list";
import { listPayments, PAYMENTS_PAGE_SIZE, type PageKey, sumPayments } from "~/modules/payments/payment-list.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { action as pageAction } from "~/routes/_app+/payments.$id";
import { action as newAction, loader as newLoader } from "~/routes/_app+/payments.new";
import { loader as csvLoader } from "~/routes/_app+/payments[.]csv";
import type { Actor } from "~/services-and-actor";
import { aClock, aTickingClock } from "../support/clock";
import { aMember } from "../support/factories";
import { aColleague, anAddedPayee, details, peek } from "../support/payees";
import { aNewPayment, aPayment, aTrustedPayee, paymentsOf, readPayment } from "../support/payments";
import { routeArgs } from "../support/requests";
import { type TestServices, testServices } from "../support/services";

const { loader: listLoader, action: recordAction } = routeOf("/api/payments");
const { loader: paymentLoader } = routeOf("/api/payments/{id}");
const { action: decisionAction } = routeOf("/api/payments/{id}/decision");
const { action: outcomeAction } = routeOf("/api/payments/{id}/outcome");

async function anOrganizationAtWork(clock = aClock()) {
  const services = testServices({ clock });
  const actor = await aMember(services);
  return { services, actor };
}

type Answer = { status: number; body: Record<string, unknown> & { payment: Record<string, unknown> } };

async function answerOf(response: unknown): Promise<Answer> {
  if (!(response instanceof Response)) throw new Error("not a response");
  return { status: response.status, body: await response.json() };
}

type Scene = { services: TestServices; actor: Actor };

const post = async ({ services, actor }: Scene, json: unknown, headers: Record<string, string> = {}) =>
  answerOf(await recordAction(await routeArgs(services, actor, "/api/payments", {}, { json, headers })));

const postTo = async (scene: Scene, action: typeof decisionAction, id: string, json: unknown) =>
  answerOf(await action(await routeArgs(scene.services, scene.actor, `/api/payments/${id}/x`, { id }, { json })));

test("the call records a payment as the interface says", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(scene.services, scene.actor);
  const { status, body } = await post(scene, { payeeId, amount: 125_000, reference: "INV-1001" });
  expect(status).toBe(201);
  expect(body).toMatchObject({ decision: "authorised", reasons: [] });
  expect(body.payment).toMatchObject({
    payeeId,
    amount: 125_000,
    reference: "INV-1001",
    status: "authorised",
    processedAt: null,
    createdAt: "2026-11-20T03:00:00.000Z",
  });
});

test("an unknown account is answered 201, held, without a payee", async () => {
  const scene = await anOrganizationAtWork();
  const { bsb, accountNumber, accountName } = details();
  const { status, body } = await post(scene, { bsb, accountNumber, accountName, amount: 1, reference: "A" });
  expect(status).toBe(201);
  expect(body).toMatchObject({ decision: "held", payment: { payeeId: null, payee: null, status: "held" } });
  expect(body.reasons).toMatchObject([{ rule: "payee_not_trusted", level: "hold" }]);
});

test.each([
  ["no amount", { amount: undefined }, "amount"],
  ["half a cent", { amount: 1.5 }, "amount"],
  ["nothing", { amount: 0 }, "amount"],
  ["more than a direct entry record holds", { amount: 10_000_000_000 }, "amount"],
  ["an amount in words", { amount: "125000" }, "amount"],
  ["no reference", { reference: "  " }, "reference"],
  ["a reference that goes on and on", { reference: "x".repeat(141) }, "reference"],
  ["a payee and an account", { bsb: "062000" }, "bsb"],
  ["a payee that is a number", { payeeId: 7 }, "payeeId"],
  ["a description that is a list", { description: ["a"] }, "description"],
])("%s is refused by the field", async (_, given, field) => {
  const scene = await anOrganizationAtWork();
  const body = { payeeId: scene.services.ids.next(), amount: 100, reference: "A", ...given };
  const answer = await post(scene, body);
  expect(answer.status).toBe(400);
  expect(answer.body.fieldErrors).toHaveProperty(field);
  expect(await paymentsOf(scene.actor.organizationId)).toEqual([]);
});

test("the same Idempotency-Key is answered alike, another body with it 409", async () => {
  // The first answer is made of what was written, the second is read.
  const scene = await anOrganizationAtWork(aTickingClock());
  const { payeeId } = await aTrustedPayee(scene.services, scene.actor);
  const body = { payeeId, amount: 100, reference: "A" };
  const headers = { "Idempotency-Key": "run-7" };
  const first = await post(scene, body, headers);
  expect(await post(scene, body, headers)).toEqual(first);
  expect(await post(scene, { ...body, amount: 101 }, headers)).toMatchObject({
    status: 409,
    body: { code: "IDEMPOTENCY_CONFLICT" },
  });
});

test("a foreign, a missing and a malformed payment are one 404", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(scene.services, scene.actor);
  const { id } = await aPayment(scene.services, scene.actor, payeeId);
  const stranger = { services: scene.services, actor: await aMember(scene.services) };
  for (const wanted of [id, scene.services.ids.next(), "nonsense"]) {
    const path = `/api/payments/${wanted}`;
    const read = await answerOf(
      await paymentLoader(await routeArgs(stranger.services, stranger.actor, path, { id: wanted })),
    );
    const decided = await postTo(stranger, decisionAction, wanted, { decision: "reject", reason: "No reason" });
    const ended = await postTo(stranger, outcomeAction, wanted, { status: "successful" });
    for (const { status, body } of [read, decided, ended]) {
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: "NOT_FOUND", message: "Not found" });
    }
  }
  expect((await readPayment(id)).status).toBe("authorised");
});

test("read_only people see payments and change none", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await anAddedPayee(scene.services, scene.actor);
  const { id } = await aPayment(scene.services, scene.actor, payeeId);
  const reader = await aColleague(scene.services, scene.actor, { role: "read_only" });
  const theirs = { services: scene.services, actor: reader };
  const list = await answerOf(await listLoader(await routeArgs(scene.services, reader, "/api/payments?status=held")));
  expect(list.body.payments).toMatchObject([{ id, status: "held" }]);
  const refused = [
    await post(theirs, { payeeId, amount: 1, reference: "A" }),
    await postTo(theirs, decisionAction, id, { decision: "approve", reason: "Because" }),
    await postTo(theirs, outcomeAction, id, { status: "successful" }),
  ];
  for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: { code: "READ_ONLY" } });
});

test("nobody signed in is answered 401", async () => {
  const scene = await anOrganizationAtWork();
  const args = await routeArgs(scene.services, null, "/api/payments", {}, { json: {} });
  expect((await answerOf(await recordAction(args))).status).toBe(401);
});

test("a decision and an outcome through the calls", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await anAddedPayee(scene.services, scene.actor);
  const { id } = await aPayment(scene.services, scene.actor, payeeId);
  const silent = await postTo(scene, decisionAction, id, { decision: "approve" });
  expect(silent).toMatchObject({ status: 400, body: { fieldErrors: { reason: ["Give a reason for approving"] } } });
  const approved = await postTo(scene, decisionAction, id, { decision: "approve", reason: "Called them" });
  expect(approved).toMatchObject({ status: 200, body: { payment: { id, status: "authorised" } } });
  const paid = await postTo(scene, outcomeAction, id, { status: "successful", processedAt: "2026-11-20T02:00:00Z" });
  expect(paid).toMatchObject({
    status: 200,
    body: {
      payment: { status: "successful", processedAt: "2026-11-20T02:00:00.000Z" },
      payee: { id: payeeId, paymentCount: 1, lastPaymentDate: "2026-11-20T02:00:00.000Z" },
    },
  });
  const read = await answerOf(
    await paymentLoader(await routeArgs(scene.services, scene.actor, `/api/payments/${id}`, { id })),
  );
  expect(read.body).toMatchObject({
    decision: "held",
    transitions: [
      { from: "held", to: "authorised", reason: "Called them", by: "Mira Okafor" },
      { from: "authorised", to: "successful" },
    ],
  });
});

test("looking at a payment's full account is in the audit trail once a sitting", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(scene.services, scene.actor);
  const { id } = await aPayment(scene.services, scene.actor, payeeId);
  for (let i = 0; i < 2; i++)
    await paymentLoader(await routeArgs(scene.services, scene.actor, `/api/payments/${id}`, { id }));
  const looks = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, id), eq(auditLogs.action, "payee.details_revealed")));
  expect(looks).toHaveLength(1);
});

/** Copies of one payment, inserted as they are. */
async function manyPayments({ services, actor }: Scene, count: number, status: "held" | "authorised" = "held") {
  const { payeeId } = await anAddedPayee(services, actor);
  const row = await readPayment((await aPayment(services, actor, payeeId)).id);
  const ids = Array.from({ length: count }, () => services.ids.next()).sort();
  for (let i = 0; i < count; i += 4) {
    await peek.insert(paymentRecords).values(ids.slice(i, i + 4).map((id) => ({ ...row, id, status })));
  }
  return ids;
}

const ZONE = "Australia/Sydney";

const pageOf = ({ services, actor }: Scene, key: PageKey = {}, search: Partial<PaymentSearch> = {}) =>
  listPayments(services, actor, { conditions: conditionsOf({ filter: "all", ...search }, ZONE), ...key });

const totalsOf = ({ services, actor }: Scene, search: Partial<PaymentSearch> = {}) =>
  sumPayments(services, actor, conditionsOf({ filter: "all", ...search }, ZONE));

/** Three payments on three days: to a payee by one person, and to an unknown account by another. */
async function aSearchableOffice() {
  const scene = await anOrganizationAtWork();
  const { services, actor } = scene;
  const colleague = await aColleague(services, actor);
  const { payeeId, details: payee } = await aTrustedPayee(services, actor, { name: "Wattle Creek" });
  const { id: first } = await aPayment(services, actor, payeeId, { amount: 10_000, reference: "Rent March" });
  services.clock.advance(DAY_MS);
  const { id: second } = await aPayment(services, colleague, payeeId, { amount: 20_000, reference: "Rent April" });
  services.clock.advance(DAY_MS);
  const stranger = details({ accountName: "Nobody Known" });
  const to = { accountName: stranger.accountName, bsb: stranger.bsb, accountNumber: stranger.accountNumber };
  const { payment } = await recordPayment(services, actor, { payment: aNewPayment(to, { amount: 30_000 }) });
  return { scene, colleague, payeeId, payee, first, second, third: payment.id };
}

test("payments are found by words, account, days, amounts, payee and person, and added up", async () => {
  const { scene, colleague, payeeId, payee, first, second, third } = await aSearchableOffice();
  const found = async (search: Partial<PaymentSearch>) =>
    (await pageOf(scene, {}, search)).payments.map(({ id }) => id);
  expect(await found({ q: "rent" })).toEqual([second, first]);
  expect(await found({ q: "wattle APRIL" })).toEqual([second]);
  expect(await found({ q: `${payee.bsb.slice(0, 3)}-${payee.bsb.slice(3)} ${payee.accountNumber}` })).toEqual([
    second,
    first,
  ]);
  expect(await found({ q: "nobody" })).toEqual([third]);
  expect(await found({ q: "100%" })).toEqual([]);
  expect(await found({ from: "2026-11-21" })).toEqual([third, second]);
  expect(await found({ from: "2026-11-21", to: "2026-11-21" })).toEqual([second]);
  expect(await found({ min: "150", max: "$200.00" })).toEqual([second]);
  expect(await found({ payeeId })).toEqual([second, first]);
  expect(await found({ by: colleague.userId })).toEqual([second]);
  expect(await found({ filter: "held", q: "rent" })).toEqual([]);
  expect(await totalsOf(scene, { filter: "held" })).toEqual({
    byStatus: { authorised: { count: 2, cents: 30_000 }, held: { count: 1, cents: 30_000 } },
    isPartial: false,
  });
  expect((await totalsOf(scene, { q: "rent", max: "100" })).byStatus).toEqual({
    authorised: { count: 1, cents: 10_000 },
  });
});

test("what the database counted of all payments is what looking at each of them finds, whatever becomes of them", async () => {
  const { scene, first, second, third } = await aSearchableOffice();
  const { services, actor } = scene;
  const agree = async () => {
    const counted = await totalsOf(scene);
    expect(counted).toEqual(await totalsOf(scene, { from: "2020-01-01" }));
    return counted.byStatus;
  };
  await agree();
  await decidePayment(services, actor, { paymentId: third, decision: "reject", reason: "Nobody knows them" });
  const outcome = { reason: null, processedAt: null };
  await recordOutcome(services, actor, { ...outcome, paymentId: first, status: "successful" });
  expect(await agree()).toEqual({
    authorised: { count: 1, cents: 20_000 },
    successful: { count: 1, cents: 10_000 },
    rejected: { count: 1, cents: 30_000 },
  });
  await recordOutcome(services, actor, { ...outcome, paymentId: second, status: "failed", reason: "Account closed" });
  expect(await agree()).toMatchObject({ failed: { count: 1, cents: 20_000 } });
});

test("what is found is downloaded as a table, with masked accounts and no formulas", async () => {
  const { scene, payeeId, payee } = await aSearchableOffice();
  await aPayment(scene.services, scene.actor, payeeId, { amount: 40_000, reference: "=HYPERLINK(1)" });
  const response = await csvLoader(await routeArgs(scene.services, scene.actor, "/payments.csv?q=wattle"));
  if (!(response instanceof Response)) throw new Error("no response");
  expect(response.headers.get("Content-Disposition")).toContain('filename="payments.csv"');
  const lines = (await response.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain("Recorded,Recorded by,Payee,Account name,BSB");
  expect(lines[1]).toContain("'=HYPERLINK(1)");
  expect(lines[3]).toContain("Rent March,,100.00,Authorised");
  expect(lines.join()).not.toContain(payee.accountNumber);
});

test("the list pages by key, there and back, without gaps or repeats", async () => {
  const scene = await anOrganizationAtWork();
  await manyPayments(scene, 2 * PAYMENTS_PAGE_SIZE + 3);
  const all = (await paymentsOf(scene.actor.organizationId))
    .map(({ id }) => id)
    .sort()
    .reverse();
  const first = await pageOf(scene);
  const second = await pageOf(scene, { after: first.next });
  const third = await pageOf(scene, { after: second.next });
  const idsOf = (page: typeof first) => page.payments.map(({ id }) => id);
  expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(all);
  expect(first.previous).toBeUndefined();
  expect(third.next).toBeUndefined();
  const back = await pageOf(scene, { before: third.previous });
  expect(idsOf(back)).toEqual(idsOf(second));
  const start = await pageOf(scene, { before: second.previous });
  expect(idsOf(start)).toEqual(idsOf(first));
  expect(start.previous).toBeUndefined();
});

test("rows read for a page do not grow with the payments", async () => {
  const scene = await anOrganizationAtWork();
  const read = async (filter: "all" | "held" | "successful") => {
    let rows = 0;
    const metered = testServices({
      meter: (_, { rowsRead }) => {
        rows += rowsRead;
      },
    });
    await pageOf({ ...scene, services: metered }, {}, { filter });
    return rows;
  };
  await manyPayments(scene, PAYMENTS_PAGE_SIZE + 10);
  const before = { all: await read("all"), held: await read("held"), none: await read("successful") };
  await manyPayments(scene, 3 * PAYMENTS_PAGE_SIZE);
  expect(await read("all")).toBe(before.all);
  expect(await read("held")).toBe(before.held);
  expect(await read("successful")).toBe(before.none);
  expect(before.none).toBeLessThan(5);
  expect(before.held).toBeLessThanOrEqual(4 * (PAYMENTS_PAGE_SIZE + 1));
});

test("rows read to record a payment do not grow with the payee's payments", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(scene.services, scene.actor);
  const read = async () => {
    let rows = 0;
    const clock = scene.services.clock;
    const metered = testServices({
      clock,
      meter: (sql, { rowsRead }) => {
        if (sql !== "batch") rows += rowsRead;
      },
    });
    await aPayment(metered, scene.actor, payeeId);
    return rows;
  };
  const before = await read();
  for (let i = 0; i < 12; i++) await aPayment(scene.services, scene.actor, payeeId);
  expect(await read()).toBe(before);
});

test("the page records a payment once, however often its form is sent", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(scene.services, scene.actor);
  const form = {
    submissionId: scene.services.ids.next(),
    payeeId,
    amount: "1,250.00",
    reference: "INV-1",
    description: "",
  };
  const send = async () => newAction(await routeArgs(scene.services, scene.actor, "/payments/new", {}, { form }));
  const answers = (await Promise.all([send(), send(), send()])) as unknown as Response[];
  const [one] = await paymentsOf(scene.actor.organizationId);
  expect(await paymentsOf(scene.actor.organizationId)).toHaveLength(1);
  for (const answer of answers) {
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`/payments/${one?.id}`);
  }
});

type PageAnswer = { data: { errors: object; values: object; formErrors: string[] }; init: { status: number } };

test("the page sends a form that is not right back with what was typed", async () => {
  const scene = await anOrganizationAtWork();
  const form = { payeeId: scene.services.ids.next(), amount: "lots", reference: "" };
  const args = await routeArgs(scene.services, scene.actor, "/payments/new", {}, { form });
  const answer = (await newAction(args)) as unknown as PageAnswer;
  expect(answer).toMatchObject({
    init: { status: 400 },
    data: { values: { amount: "lots" }, errors: { reference: ["Enter a reference"] } },
  });
});

test("the page offers payees by the beginning of their name, and no other organisation's", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await anAddedPayee(scene.services, scene.actor);
  await anAddedPayee(scene.services, await aMember(scene.services));
  const args = await routeArgs(scene.services, scene.actor, "/payments/new?q=watt");
  const step = (await newLoader(args)) as unknown as { step: string; choices: { id: string }[] };
  expect(step).toMatchObject({ step: "choose", choices: [{ id: payeeId }] });
  expect(step.choices).toHaveLength(1);
});

test("the page says what stands in the way of a decision, with the status", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await anAddedPayee(scene.services, scene.actor);
  const { id } = await aPayment(scene.services, scene.actor, payeeId);
  const send = async (form: Record<string, string>) =>
    (await pageAction(await routeArgs(scene.services, scene.actor, `/payments/${id}`, { id }, { form }))) as unknown;
  const silent = (await send({ intent: "approve", reason: "" })) as PageAnswer;
  expect(silent).toMatchObject({
    init: { status: 400 },
    data: { errors: { reason: ["Give a reason for approving"] } },
  });
  const done = (await send({ intent: "reject", reason: "Not our invoice" })) as Response;
  expect(done.status).toBe(303);
  const late = (await send({ intent: "approve", reason: "It is fine" })) as PageAnswer;
  expect(late.init.status).toBe(409);
  expect(late.data.formErrors[0]).toMatch(/^Mira Okafor rejected this payment on .*: Not our invoice$/);
});

test("a member of nothing here cannot reach another organisation's payment through the page", async () => {
  const scene = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(scene.services, scene.actor);
  const { id } = await aPayment(scene.services, scene.actor, payeeId);
  const stranger = await aMember(scene.services);
  const form = { intent: "successful" };
  const sent = pageAction(await routeArgs(scene.services, stranger, `/payments/${id}`, { id }, { form }));
  await expect(sent).rejects.toMatchObject({ init: { status: 404 } });
  const [payee] = await peek.select().from(payees).where(eq(payees.id, payeeId));
  expect(payee?.paymentCount).toBe(0);
});
