import { paymentRecords } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DECIDED_INDIVIDUALLY, RULES } from "~/modules/rules";
import { action, loader } from "~/routes/_app+/payments._index";
import { aMember } from "../../../tests/support/factories";
import { anAddedPayee, peek } from "../../../tests/support/payees";
import { aPayment, readPayment } from "../../../tests/support/payments";
import { routeArgs } from "../../../tests/support/requests";
import { testServices } from "../../../tests/support/services";
import { findHeldPlace, listHeldIds, placeAmong } from "./held-payments.server";
import { getPayment } from "./payment.server";
import { readPaymentPage } from "./payment-page.server";

const { action: bulk } = routeOf("/api/payments/bulk");

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  const { payeeId } = await anAddedPayee(services, actor);
  const hold = async (amount: number) => (await aPayment(services, actor, payeeId, { amount })).id;
  return { services, actor, hold };
}

const reasonsOf = (rule: string, level: "hold" | "warn", evidence = {}) => [
  { rule, level, message: "Because", evidence },
];

test("what speaks against the account comes first, then the largest amount, then the oldest", async () => {
  const { services, actor, hold } = await anOffice();
  const small = await hold(10_00);
  const large = await hold(400_00);
  const equal = await hold(400_00);
  const red = await hold(5_00);
  await peek
    .update(paymentRecords)
    .set({ reasons: reasonsOf("payee_disputed", "hold") })
    .where(eq(paymentRecords.id, red));
  expect(await listHeldIds(services, actor)).toEqual([red, large, equal, small]);
});

test.each(RULES.map(({ id }) => id))("%s ranks a held payment as the decision of it does", async (rule) => {
  const { services, actor, hold } = await anOffice();
  const id = await hold(10_00);
  const evidence = Object.fromEntries(
    DECIDED_INDIVIDUALLY.flatMap(({ where }) => (where === null ? [] : [[where, true]])),
  );
  const set = (level: "hold" | "warn") =>
    peek
      .update(paymentRecords)
      .set({ reasons: [...reasonsOf(rule, level, evidence), ...reasonsOf("payee_not_trusted", "hold")] })
      .where(eq(paymentRecords.id, id));
  const rankOf = async () => (await peek.select().from(paymentRecords).where(eq(paymentRecords.id, id)))[0]?.heldRank;
  await set("hold");
  expect(await rankOf()).toBe(DECIDED_INDIVIDUALLY.some(({ id }) => id === rule) ? 1 : 2);
  await set("warn");
  expect(await rankOf()).toBe(2);
  expect(await listHeldIds(services, actor)).toEqual([id]);
});

test("a payment that was authorised by the rules and is held since is red", async () => {
  const { hold } = await anOffice();
  const id = await hold(10_00);
  await peek.update(paymentRecords).set({ reasons: [] }).where(eq(paymentRecords.id, id));
  expect((await peek.select().from(paymentRecords).where(eq(paymentRecords.id, id)))[0]?.heldRank).toBe(1);
});

test("an approver goes from one held payment to the next, and a decided one leads to the first", async () => {
  const { services, actor, hold } = await anOffice();
  const [third, second, first] = [await hold(1_00), await hold(2_00), await hold(3_00)];
  const { place } = await readPaymentPage(services, actor, await getPayment(services, actor, second));
  expect(place).toEqual({
    position: "2 of 3",
    previousHref: `/payments/${first}`,
    nextHref: `/payments/${third}`,
  });
  await peek.update(paymentRecords).set({ status: "rejected" }).where(eq(paymentRecords.id, first));
  expect(await findHeldPlace(services, actor, first)).toEqual({
    position: null,
    previousHref: null,
    nextHref: `/payments/${second}`,
  });
});

test("only a queue with more than its places has a plus, and after its last comes its first", () => {
  const place = (ids: string[], id: string) => placeAmong(ids, id, { most: 3, hrefOf: (each) => each });
  expect(place(["a", "b", "c"], "c")).toEqual({ position: "3 of 3", previousHref: "b", nextHref: "a" });
  expect(place(["a", "b", "c", "d"], "b")).toMatchObject({ position: "2 of 3+", nextHref: "c" });
  expect(place(["a", "b", "c", "d"], "d")).toEqual({ position: null, previousHref: null, nextHref: "a" });
  expect(place(["a"], "a")).toEqual({ position: "1 of 1", previousHref: null, nextHref: null });
});

test("an item that is no longer in the queue has the neighbours of the place that it had", () => {
  const place = (was: number) => placeAmong(["a", "b", "c"], "decided", { was });
  expect(place(2)).toEqual({ position: null, previousHref: "b", nextHref: "c" });
  expect(place(3)).toEqual({ position: null, previousHref: "c", nextHref: "a" });
  for (const was of [0, -1, 1.5, Number.POSITIVE_INFINITY]) expect(place(was).nextHref).toBe("a");
});

test("another organisation's held payments are not in the queue", async () => {
  const { services, hold } = await anOffice();
  await hold(1_00);
  expect(await listHeldIds(services, await aMember(services))).toEqual([]);
});

test("several are rejected for one reason, and what was decided meanwhile is said of itself", async () => {
  const { services, actor, hold } = await anOffice();
  const [one, other, decided] = [await hold(1_00), await hold(2_00), await hold(3_00)];
  await peek.update(paymentRecords).set({ status: "authorised" }).where(eq(paymentRecords.id, decided));
  const form: [string, string][] = [
    ["intent", "reject"],
    ["reason", "Not ordered by us"],
    ...[one, other, decided].map((id): [string, string] => ["id", id]),
  ];
  const args = await routeArgs(services, actor, "/payments?status=held", {}, { form });
  const answer = JSON.parse(JSON.stringify(await action(args)));
  expect(answer.data).toMatchObject({ code: "NEXT_STEP", extra: { title: "2 of 3 rejected" } });
  expect(answer.data.extra.results[0]).toMatchObject({ id: decided, isDone: false });
  expect([(await readPayment(one)).status, (await readPayment(decided)).status]).toEqual(["rejected", "authorised"]);
});

test("a program rejects several with a result for each; the same key answers the same, and nothing approves several", async () => {
  const { services, actor, hold } = await anOffice();
  const [one, decided] = [await hold(1_00), await hold(2_00)];
  await peek.update(paymentRecords).set({ status: "authorised" }).where(eq(paymentRecords.id, decided));
  const call = async (json: object, given = actor) => {
    const headers = { "Idempotency-Key": "reject-these-two" };
    const response = await bulk(await routeArgs(services, given, "/api/payments/bulk", {}, { json, headers }));
    if (!(response instanceof Response)) throw new Error("not a response");
    return { status: response.status, body: await response.json() };
  };
  const asked = { act: "reject", ids: [one, decided], reason: "Not ordered by us" };
  const results = [
    { id: one, name: expect.stringContaining("$1.00 to "), done: true, code: null, message: "Rejected" },
    { id: decided, done: false, code: "PAYMENT_NOT_HELD", message: expect.any(String) },
  ];
  expect(await call(asked)).toMatchObject({ status: 200, body: { results } });
  expect(await call(asked)).toMatchObject({ status: 200, body: { results } });
  expect([(await readPayment(one)).status, (await readPayment(decided)).status]).toEqual(["rejected", "authorised"]);
  expect(await call({ ...asked, act: "approve" })).toMatchObject({ status: 400 });
  expect(await call({ ...asked, reason: " " })).toMatchObject({ status: 400 });
  const stranger = await aMember(services);
  const id = await hold(3_00);
  const refused = { results: [{ id, name: "A payment that no longer exists", done: false, code: "NOT_FOUND" }] };
  expect(await call({ ...asked, ids: [id] }, stranger)).toMatchObject({ body: refused });
  expect((await readPayment(id)).status).toBe("held");
});

test("without a reason nothing is rejected, and what was ticked stays", async () => {
  const { services, actor, hold } = await anOffice();
  const id = await hold(1_00);
  const args = await routeArgs(services, actor, "/payments", {}, { form: { intent: "reject", reason: " ", id } });
  const answer = JSON.parse(JSON.stringify(await action(args)));
  expect(answer.data).toMatchObject({ errors: { reason: ["Give a reason for rejecting"] }, extra: { id: [id] } });
  expect((await readPayment(id)).status).toBe("held");
});

test("the list of held payments stands in the order of the queue", async () => {
  const { services, actor, hold } = await anOffice();
  const [small, large] = [await hold(10_00), await hold(400_00)];
  const shown = (await loader(await routeArgs(services, actor, "/payments?status=held"))) as unknown as {
    rows: { id: string }[];
  };
  expect(shown.rows.map(({ id }) => id)).toEqual([large, small]);
});
