import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import type { Services } from "~/services-and-actor";
import { aMember } from "../../../tests/support/factories";
import { losingConnection } from "../../../tests/support/lost-connections";
import { aColleague, anAddedPayee, details, readPayee, refusal } from "../../../tests/support/payees";
import {
  aNewPayment,
  aPaidPayment,
  aPayment,
  aTrustedPayee,
  readPayment,
  stepsOf,
} from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { decidePayment } from "./decide-payment.server";
import { type OutcomeInput, recordOutcome } from "./record-outcome.server";
import { recordPayment } from "./record-payment.server";

async function anAuthorisedPayment() {
  const services = testServices();
  const actor = await aMember(services, { firstName: "Dana" });
  const { payeeId } = await aTrustedPayee(services, actor);
  const { id: paymentId } = await aPayment(services, actor, payeeId);
  return { services, actor, payeeId, paymentId };
}

const outcome = (
  paymentId: string,
  status: OutcomeInput["status"],
  given: Partial<OutcomeInput> = {},
): OutcomeInput => ({
  paymentId,
  status,
  reason: status === "failed" ? "Account closed" : null,
  processedAt: null,
  ...given,
});

test("success counts once for the payee and says when", async () => {
  const { services, actor, payeeId, paymentId } = await anAuthorisedPayment();
  const version = (await readPayee(payeeId)).version;
  const payment = await recordOutcome(services, actor, outcome(paymentId, "successful"));
  const now = services.clock.now();
  expect(payment).toMatchObject({
    status: "successful",
    processedAt: now,
    payee: { paymentCount: 1, lastPaymentDate: now, version },
  });
});

test("failure keeps its reason and counts nothing", async () => {
  const { services, actor, payeeId, paymentId } = await anAuthorisedPayment();
  const payment = await recordOutcome(services, actor, outcome(paymentId, "failed"));
  expect(payment).toMatchObject({ status: "failed", failureReason: "Account closed" });
  expect(await readPayee(payeeId)).toMatchObject({ paymentCount: 0, lastPaymentDate: null });
});

test("twenty presses of one button count one payment", async () => {
  const { services, actor, payeeId, paymentId } = await anAuthorisedPayment();
  const input = outcome(paymentId, "successful", { idempotencyKey: services.ids.next() });
  const answers = await Promise.all(Array.from({ length: 20 }, () => recordOutcome(services, actor, input)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["successful"]));
  expect((await readPayee(payeeId)).paymentCount).toBe(1);
  expect(await stepsOf(paymentId)).toHaveLength(1);
});

test("of two people at once one is told who was first, and the payment counts once", async () => {
  const { services, actor, payeeId, paymentId } = await anAuthorisedPayment();
  const colleague = await aColleague(services, actor, { firstName: "Lee" });
  const results = await Promise.allSettled([
    recordOutcome(services, actor, outcome(paymentId, "successful")),
    recordOutcome(services, colleague, outcome(paymentId, "successful")),
  ]);
  const [lost] = results.filter((result) => result.status === "rejected");
  expect(lost?.reason).toMatchObject({ code: "ALREADY_DECIDED", status: 409 });
  expect(lost?.reason.message).toMatch(/^(Dana|Lee) Okafor marked this payment successful on /);
  expect((await readPayee(payeeId)).paymentCount).toBe(1);
});

test.each(["before", "after"] as const)("a connection lost %s the commit counts once", async (when) => {
  const { services, actor, payeeId, paymentId } = await anAuthorisedPayment();
  const shaky: Services = { ...services, db: losingConnection(services.db, when) };
  expect((await recordOutcome(shaky, actor, outcome(paymentId, "successful"))).status).toBe("successful");
  expect((await readPayee(payeeId)).paymentCount).toBe(1);
});

test("a later payment recorded first stays the last payment", async () => {
  const { services, actor, payeeId, paymentId } = await anAuthorisedPayment();
  services.clock.advance(DAY_MS);
  await aPaidPayment(services, actor, payeeId);
  const latest = services.clock.now();
  await recordOutcome(services, actor, outcome(paymentId, "successful", { processedAt: latest - DAY_MS / 2 }));
  expect(await readPayee(payeeId)).toMatchObject({ paymentCount: 2, lastPaymentDate: latest });
});

test("a payment is not processed in the future or before it was recorded", async () => {
  const { services, actor, paymentId } = await anAuthorisedPayment();
  const now = services.clock.now();
  for (const processedAt of [now + 2 * DAY_MS, now - 2 * DAY_MS]) {
    const error = await refusal(recordOutcome(services, actor, outcome(paymentId, "successful", { processedAt })));
    expect(error.status).toBe(400);
    expect(error.fieldErrors).toHaveProperty("processedAt");
  }
  expect((await readPayment(paymentId)).status).toBe("authorised");
});

test("a payment to an account that is no payee ends without counting anybody", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { bsb, accountNumber, accountName } = details();
  const to = { bsb, accountNumber, accountName };
  const { payment } = await recordPayment(services, actor, { payment: aNewPayment(to) });
  const { payeeId: later } = await anAddedPayee(services, actor, to);
  await decidePayment(services, actor, { paymentId: payment.id, decision: "approve", reason: "One-off refund" });
  const paid = await recordOutcome(services, actor, outcome(payment.id, "successful"));
  expect(paid).toMatchObject({ status: "successful", payee: null });
  expect((await readPayee(later)).paymentCount).toBe(0);
});

test("a held payment has no outcome", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor);
  const { id } = await aPayment(services, actor, payeeId);
  const error = await refusal(recordOutcome(services, actor, outcome(id, "successful")));
  expect(error).toMatchObject({ code: "PAYMENT_HELD", status: 409 });
  expect((await readPayee(payeeId)).paymentCount).toBe(0);
});

test("another organisation's payment does not exist", async () => {
  const { services, paymentId } = await anAuthorisedPayment();
  const stranger = await aMember(services);
  const error = await refusal(recordOutcome(services, stranger, outcome(paymentId, "successful")));
  expect(error.status).toBe(404);
  expect((await readPayment(paymentId)).status).toBe("authorised");
});
