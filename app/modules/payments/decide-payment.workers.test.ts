import { auditLogs, organizationPolicies, organizations, paymentFileSettings, verifications } from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Services } from "~/services-and-actor";
import { aMember } from "../../../tests/support/factories";
import { losingConnection } from "../../../tests/support/lost-connections";
import { aColleague, anAddedPayee, details, peek, refusal } from "../../../tests/support/payees";
import { aNewPayment, aPayment, aTrustedPayee, readPayment, stepsOf } from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { decidePayment } from "./decide-payment.server";
import { basisOf, type Decision } from "./payment";
import { getPayment } from "./payment.server";
import { recordPayment } from "./record-payment.server";

/** A held payment to a payee whose verification is pending. */
async function aHeldPayment() {
  const services = testServices();
  const actor = await aMember(services, { firstName: "Dana" });
  const payee = await anAddedPayee(services, actor);
  const { id: paymentId } = await aPayment(services, actor, payee.payeeId);
  return { services, actor, paymentId, ...payee };
}

const decision = (paymentId: string, as: Decision, given: { idempotencyKey?: string; basis?: string } = {}) => ({
  paymentId,
  decision: as,
  reason: as === "request_verification" ? null : "Called the supplier on a known number",
  ...given,
});

test("approving authorises the payment with its reason, and trusts this payment only", async () => {
  const { services, actor, paymentId, payeeId } = await aHeldPayment();
  const payment = await decidePayment(services, actor, decision(paymentId, "approve"));
  expect(payment).toMatchObject({ status: "authorised", version: 2, payee: { whitelisted: false } });
  expect(await stepsOf(paymentId)).toMatchObject([
    {
      fromStatus: "held",
      toStatus: "authorised",
      userId: actor.userId,
      reason: "Called the supplier on a known number",
    },
  ]);
  expect((await aPayment(services, actor, payeeId)).status).toBe("held");
});

test("who approved their own payment is in the audit trail", async () => {
  const { services, actor, paymentId } = await aHeldPayment();
  await decidePayment(services, actor, decision(paymentId, "approve"));
  const [audit] = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, paymentId), eq(auditLogs.action, "payment.approved")));
  expect(audit?.details).toMatchObject({ selfApproval: true, rules: ["payee_not_trusted"], from: "held" });
});

test("a payment that is split under the approver's limit is one sum in a day, also when both parts are approved at once", async () => {
  const { services, actor, paymentId, payeeId } = await aHeldPayment();
  const { amount } = await getPayment(services, actor, paymentId);
  const limits = { memberLimitCents: amount + 1, adminLimitCents: null };
  await peek.insert(paymentFileSettings).values({ organizationId: actor.organizationId, ...limits, updatedAt: 1 });
  const { id: second } = await aPayment(services, actor, payeeId);
  const { id: third } = await aPayment(services, actor, payeeId);
  const both = await Promise.allSettled(
    [paymentId, second].map((id) => decidePayment(services, actor, decision(id, "approve"))),
  );
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const refused = await refusal(decidePayment(services, actor, decision(third, "approve")));
  expect(refused).toMatchObject({ status: 403, code: "APPROVAL_LIMIT" });
  expect(refused.message).toContain("that was authorised to the payee today");
  const admin = await aColleague(services, actor, { role: "admin" });
  expect(await decidePayment(services, admin, decision(third, "approve"))).toMatchObject({ status: "authorised" });
  services.clock.advance(DAY_MS);
  const { id: tomorrow } = await aPayment(services, actor, payeeId);
  expect(await decidePayment(services, actor, decision(tomorrow, "approve"))).toMatchObject({ status: "authorised" });
});

test("rejecting ends the payment", async () => {
  const { services, actor, paymentId } = await aHeldPayment();
  expect((await decidePayment(services, actor, decision(paymentId, "reject"))).status).toBe("rejected");
  const error = await refusal(decidePayment(services, actor, decision(paymentId, "approve")));
  expect(error).toMatchObject({ code: "ALREADY_DECIDED", status: 409 });
});

test("of two deciders one wins, and the other is told who decided", async () => {
  const { services, actor, paymentId } = await aHeldPayment();
  const colleague = await aColleague(services, actor, { firstName: "Lee" });
  const results = await Promise.allSettled([
    decidePayment(services, actor, decision(paymentId, "approve")),
    decidePayment(services, colleague, decision(paymentId, "reject")),
  ]);
  const [lost] = results.filter((result) => result.status === "rejected");
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const winner = (await readPayment(paymentId)).status === "authorised" ? "Dana" : "Lee";
  expect(lost?.reason).toMatchObject({ code: "ALREADY_DECIDED", status: 409 });
  expect(lost?.reason.message).toContain(winner);
  expect(await stepsOf(paymentId)).toHaveLength(1);
});

test("twenty presses of one button decide once, and all are answered alike", async () => {
  const { services, actor, paymentId } = await aHeldPayment();
  const input = decision(paymentId, "approve", { idempotencyKey: services.ids.next() });
  const answers = await Promise.all(Array.from({ length: 20 }, () => decidePayment(services, actor, input)));
  expect(new Set(answers.map(({ status, version }) => `${status} ${version}`))).toEqual(new Set(["authorised 2"]));
  expect(await stepsOf(paymentId)).toHaveLength(1);
});

test.each(["before", "after"] as const)("a connection lost %s the commit decides once", async (when) => {
  const { services, actor, paymentId } = await aHeldPayment();
  const shaky: Services = { ...services, db: losingConnection(services.db, when) };
  expect((await decidePayment(shaky, actor, decision(paymentId, "approve"))).status).toBe("authorised");
  expect(await stepsOf(paymentId)).toHaveLength(1);
});

test("a payment that no rule held cannot be decided", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await aTrustedPayee(services, actor);
  const { id } = await aPayment(services, actor, payeeId);
  const error = await refusal(decidePayment(services, actor, decision(id, "approve")));
  expect(error).toMatchObject({ code: "PAYMENT_NOT_HELD", status: 409 });
});

test("another organisation's payment does not exist", async () => {
  const { services, paymentId } = await aHeldPayment();
  const stranger = await aMember(services);
  const foreign = await refusal(decidePayment(services, stranger, decision(paymentId, "approve")));
  const missing = await refusal(decidePayment(services, stranger, decision(services.ids.next(), "approve")));
  expect(foreign).toEqual(missing);
  expect(foreign.status).toBe(404);
});

test("where a second person is required the recorder may not approve, and somebody else may", async () => {
  const { services, actor, paymentId } = await aHeldPayment();
  const policy = { organizationId: actor.organizationId, updatedAt: services.clock.now() };
  await peek.insert(organizationPolicies).values({ ...policy, secondPersonRequired: true });
  const error = await refusal(decidePayment(services, actor, decision(paymentId, "approve")));
  expect(error).toMatchObject({ code: "SECOND_PERSON_REQUIRED", status: 403 });
  const colleague = await aColleague(services, actor);
  expect((await decidePayment(services, colleague, decision(paymentId, "approve"))).status).toBe("authorised");
});

test("asking for verification links the pending one, and its end brings the payment back, held", async () => {
  const { services, actor, paymentId, verificationId } = await aHeldPayment();
  const waiting = await decidePayment(services, actor, decision(paymentId, "request_verification"));
  expect(waiting).toMatchObject({ status: "verification_requested", verificationId });
  expect((await refusal(decidePayment(services, actor, decision(paymentId, "approve")))).status).toBe(409);
  const review = { approved: true, addToGlobalWhitelist: false } as const;
  await reviewVerification(services, actor, { verificationId, review });
  expect((await getPayment(services, actor, paymentId)).status).toBe("held");
  expect((await decidePayment(services, actor, decision(paymentId, "approve"))).status).toBe("authorised");
  const path = (await stepsOf(paymentId)).map(({ toStatus }) => toStatus);
  expect(path).toEqual(["verification_requested", "held", "authorised"]);
});

/** A held payment to a payee whose last verification has been decided. */
async function aHeldDuplicate() {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId, verificationId } = await aTrustedPayee(services, actor);
  const payment = aNewPayment({ payeeId });
  await recordPayment(services, actor, { payment });
  const { payment: held } = await recordPayment(services, actor, { payment });
  return { services, actor, payeeId, verificationId, paymentId: held.id };
}

const verificationsOf = (payeeId: string) =>
  peek.select().from(verifications).where(eq(verifications.payeeId, payeeId)).orderBy(asc(verifications.id));

test("asking for verification opens one when none is pending", async () => {
  const { services, actor, payeeId, paymentId } = await aHeldDuplicate();
  const waiting = await decidePayment(services, actor, decision(paymentId, "request_verification"));
  const [, opened, ...rest] = await verificationsOf(payeeId);
  expect(rest).toEqual([]);
  expect(opened).toMatchObject({ id: waiting.verificationId, status: "pending", requestedById: actor.userId });
});

test("two payments asking at once share one verification", async () => {
  const { services, actor, payeeId, paymentId } = await aHeldDuplicate();
  const second = await aPayment(services, actor, payeeId, {
    reference: (await readPayment(paymentId)).reference ?? "",
  });
  const both = await Promise.all(
    [paymentId, second.id].map((id) => decidePayment(services, actor, decision(id, "request_verification"))),
  );
  expect(new Set(both.map((payment) => payment.verificationId)).size).toBe(1);
  expect(await verificationsOf(payeeId)).toHaveLength(2);
});

test("opening a verification needs a live subscription; deciding does not", async () => {
  const { services, actor, paymentId } = await aHeldDuplicate();
  await peek.update(organizations).set({ trialEndsAt: 0 }).where(eq(organizations.id, actor.organizationId));
  const error = await refusal(decidePayment(services, actor, decision(paymentId, "request_verification")));
  expect(error.status).toBe(402);
  expect((await decidePayment(services, actor, decision(paymentId, "approve"))).status).toBe("authorised");
});

test("there is nobody to verify behind an unknown account", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { bsb, accountNumber, accountName } = details();
  const { payment } = await recordPayment(services, actor, {
    payment: aNewPayment({ bsb, accountNumber, accountName }),
  });
  const error = await refusal(decidePayment(services, actor, decision(payment.id, "request_verification")));
  expect(error).toMatchObject({ code: "PAYEE_REQUIRED", status: 409 });
  const approved = await decidePayment(services, actor, decision(payment.id, "approve"));
  expect(approved).toMatchObject({ status: "authorised", payeeId: null });
});

test("a payment to an account that the payee no longer has is only rejected", async () => {
  const { services, actor, paymentId, payeeId } = await aHeldPayment();
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: details().accountNumber } });
  for (const as of ["approve", "request_verification"] as const) {
    const error = await refusal(decidePayment(services, actor, decision(paymentId, as)));
    expect(error).toMatchObject({ code: "DETAILS_CHANGED", status: 409 });
  }
  expect((await decidePayment(services, actor, decision(paymentId, "reject"))).status).toBe("rejected");
});

test("who decides on an old view of the payee is asked to look again", async () => {
  const { services, actor, paymentId, payeeId } = await aHeldPayment();
  const basis = basisOf(await getPayment(services, actor, paymentId));
  await editPayee(services, actor, { payeeId, patch: { email: "new@wattlecreek.example" } });
  const error = await refusal(decidePayment(services, actor, decision(paymentId, "approve", { basis })));
  expect(error).toMatchObject({ code: "PAYMENT_CHANGED", status: 409 });
  const now = basisOf(await getPayment(services, actor, paymentId));
  expect((await decidePayment(services, actor, decision(paymentId, "approve", { basis: now }))).status).toBe(
    "authorised",
  );
});
