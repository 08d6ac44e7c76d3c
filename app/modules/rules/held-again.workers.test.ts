import { alerts, auditLogs } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { unwhitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { currentReasons } from "~/modules/payments/payment";
import { getPayment } from "~/modules/payments/payment.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import type { Actor } from "~/services-and-actor";
import { raiseAllAlerts } from "../../../tests/support/alerts";
import { aMember } from "../../../tests/support/factories";
import { aColleague, peek, promisedMails, readPayee, refusal } from "../../../tests/support/payees";
import {
  aNewPayment,
  aPaidPayment,
  aPayment,
  aTrustedPayee,
  readPayment,
  stepsOf,
} from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";

/** An authorised payment recorded by one person, in an organisation where a second person can change its payee. */
async function anAuthorisedPayment() {
  const services = testServices();
  const recorder = await aMember(services, { firstName: "Rae" });
  const editor = await aColleague(services, recorder, { firstName: "Eve" });
  const { payeeId } = await aTrustedPayee(services, recorder);
  const { id: paymentId } = await aPayment(services, recorder, payeeId);
  expect((await readPayment(paymentId)).status).toBe("authorised");
  return { services, recorder, editor, payeeId, paymentId };
}

test("authorise first, change the bank details second: the payment is held again in the batch of the edit", async () => {
  const { services, recorder, editor, payeeId, paymentId } = await anAuthorisedPayment();
  await editPayee(services, editor, { payeeId, patch: { accountNumber: "98765432" } });
  expect(await readPayment(paymentId)).toMatchObject({ status: "held", version: 2 });
  expect(await stepsOf(paymentId)).toMatchObject([
    { fromStatus: "authorised", toStatus: "held", userId: editor.userId },
  ]);
  const payment = await getPayment(services, recorder, paymentId);
  expect(currentReasons(payment)[0]).toMatchObject({
    rule: "details_changed_since",
    level: "hold",
    message: "The bank details of Wattle Creek Electrical were changed after this payment was authorised.",
  });
  const ofPayment = and(eq(auditLogs.entityId, paymentId), eq(auditLogs.action, "payment.returned_to_held"));
  const [audit] = await peek.select().from(auditLogs).where(ofPayment);
  expect(audit?.details).toEqual({ reason: "details_changed_since", cause: "bank_details_changed" });
});

test("the person who recorded the payment is told, once, and not for what they did themselves", async () => {
  const { services, recorder, editor, payeeId, paymentId } = await anAuthorisedPayment();
  await editPayee(services, editor, { payeeId, patch: { bsb: "033001" } });
  const told = async ({ organizationId, userId }: Actor, subject: string) => {
    await raiseAllAlerts(services);
    return peek
      .select({ title: alerts.title, body: alerts.body, href: alerts.href })
      .from(alerts)
      .where(and(eq(alerts.organizationId, organizationId), eq(alerts.userId, userId), eq(alerts.event, subject)));
  };
  expect(await told(recorder, "payment_held_again")).toEqual([
    {
      title: "Held again: $1,250.00 to Wattle Creek Electrical",
      body: "The bank details of Wattle Creek Electrical were changed after this payment was authorised.",
      href: `/payments/${paymentId}`,
    },
  ]);
  expect(await told(editor, "payment_held_again")).toEqual([]);
  const mails = await promisedMails(services, recorder.organizationId);
  // The changed details and the payment that they held are reported in one email.
  expect(mails.filter(({ to }) => to === recorder.email)).toMatchObject([
    {
      template: "alertRaised",
      data: {
        lead: "Wattle Creek Electrical: bank details changed",
        others: [{ title: "Held again: $1,250.00 to Wattle Creek Electrical" }],
      },
    },
  ]);
});

test("a payee taken off the whitelist by hand takes its authorised payments with it", async () => {
  const { services, editor, payeeId, paymentId } = await anAuthorisedPayment();
  await unwhitelistByHand(services, editor, { payeeId, reason: "Odd invoice" });
  expect((await readPayment(paymentId)).status).toBe("held");
});

test("a corrected address or phone number holds nothing, and a payment that is over stays as it is", async () => {
  const { services, editor, recorder, payeeId, paymentId } = await anAuthorisedPayment();
  const paid = await aPaidPayment(services, recorder, payeeId);
  await editPayee(services, editor, { payeeId, patch: { address: "1 Creek Rd", phone: "+61412345678" } });
  expect((await readPayment(paymentId)).status).toBe("authorised");
  await editPayee(services, editor, { payeeId, patch: { bsb: "033001" } });
  expect((await readPayment(paid.id)).status).toBe("successful");
});

test("the same request again is answered as the first time, though the payment is held by now", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await aTrustedPayee(services, actor);
  const input = { payment: aNewPayment({ payeeId }), idempotencyKey: services.ids.next() };
  const first = await recordPayment(services, actor, input);
  await editPayee(services, actor, { payeeId, patch: { bsb: "033001" } });
  const again = await recordPayment(services, actor, input);
  expect(again.payment.id).toBe(first.payment.id);
  expect(again).toMatchObject({ decision: "authorised", reasons: [] });
});

test("held again for another account it cannot be approved; what the bank did with it is still recorded", async () => {
  const { services, editor, payeeId, paymentId } = await anAuthorisedPayment();
  await editPayee(services, editor, { payeeId, patch: { accountNumber: "98765432" } });
  const approval = { paymentId, decision: "approve", reason: "Called them" } as const;
  expect(await refusal(decidePayment(services, editor, approval))).toMatchObject({ code: "DETAILS_CHANGED" });
  await recordOutcome(services, editor, { paymentId, status: "successful", reason: null, processedAt: null });
  expect((await readPayment(paymentId)).status).toBe("successful");
  expect((await readPayee(payeeId)).paymentCount).toBe(0);
});
