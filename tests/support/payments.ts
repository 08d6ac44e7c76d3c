import { paymentRecords, paymentTransitions } from "@db/database";
import { asc, eq } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import type { NewPayment } from "~/modules/payments/payment";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Actor, Services } from "~/services-and-actor";
import { anAddedPayee, peek } from "./payees";

/** A payee whose verification a reviewer approved: whitelisted. */
export async function aTrustedPayee(services: Services, actor: Actor, given: Partial<PayeeDetails> = {}) {
  const payee = await anAddedPayee(services, actor, given);
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" } as const;
  await reviewVerification(services, actor, { verificationId: payee.verificationId, review });
  return payee;
}

let invoices = 1000;

/** A payment as a person types it; every one has a reference of its own unless given. */
export function aNewPayment(to: NewPayment["to"], given: Partial<NewPayment> = {}): NewPayment {
  return { to, amount: 125_000, reference: `INV-${invoices++}`, description: null, ...given };
}

/** A recorded payment: authorised for a trusted payee, held for one that is not. */
export async function aPayment(services: Services, actor: Actor, payeeId: string, given: Partial<NewPayment> = {}) {
  const recorded = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }, given) });
  return recorded.payment;
}

/** A payment that the bank carried out. */
export async function aPaidPayment(services: Services, actor: Actor, payeeId: string, given: Partial<NewPayment> = {}) {
  const { id: paymentId } = await aPayment(services, actor, payeeId, given);
  return recordOutcome(services, actor, { paymentId, status: "successful", reason: null, processedAt: null });
}

export async function readPayment(paymentId: string) {
  const [payment] = await peek.select().from(paymentRecords).where(eq(paymentRecords.id, paymentId));
  if (!payment) throw new Error("no such payment");
  return payment;
}

export const paymentsOf = (organizationId: string) =>
  peek.select().from(paymentRecords).where(eq(paymentRecords.organizationId, organizationId));

export const stepsOf = (paymentId: string) =>
  peek
    .select()
    .from(paymentTransitions)
    .where(eq(paymentTransitions.paymentId, paymentId))
    .orderBy(asc(paymentTransitions.fromVersion));
