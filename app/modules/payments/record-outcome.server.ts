import { invalidInput } from "~/kernel/app-error";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { type IdempotentRequest, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import type { Actor, WriteServices } from "~/services-and-actor";
import { canEnd, hasOtherAccount, latestProcessedAt, type PaymentOutcome, processedAtProblem } from "./payment";
import {
  countSuccess,
  getPayment,
  listTransitions,
  movePayment,
  type PaymentDetail,
  paymentChanged,
  paymentIsUnchanged,
  paymentMovedOn,
} from "./payment.server";
import { queueRemittances } from "./remittances.server";

export type OutcomeInput = {
  paymentId: string;
  status: PaymentOutcome;
  /** Why it failed or was returned. */
  reason: string | null;
  /** When the bank processed it, epoch milliseconds; null: now. */
  processedAt: number | null;
  idempotencyKey?: string;
};

/** If somebody else moves the payment in between, the write is tried again and reports what happened. */
const TRIES = 3;

/**
 * Records how the bank ended a payment: an authorised one, or one that was authorised and is held again, because the
 * money may have left before that. Success raises the payee's `paymentCount` and sets `lastPaymentDate` in the same
 * batch as the status, so each payment counts exactly once; a payment to an account that is not (or no longer) the
 * payee's does not count.
 *
 * @throws AppError 404; 400 for an impossible date; 409 ALREADY_DECIDED with who was first, PAYMENT_HELD,
 * PAYMENT_NOT_HELD, PAYMENT_CHANGED, IDEMPOTENCY_CONFLICT
 */
export async function recordOutcome(services: WriteServices, actor: Actor, input: OutcomeInput) {
  const { paymentId, status, reason, processedAt, idempotencyKey: key } = input;
  const asked = { operation: "payment outcome", key, input: [paymentId, status, reason, processedAt] };
  await runOnce(services, actor, asked, (request) => writeOutcome(services, actor, input, request));
  return getPayment(services, actor, paymentId);
}

/** @returns the payment's id, which is stored with the idempotency key */
async function writeOutcome(
  services: WriteServices,
  actor: Actor,
  input: OutcomeInput,
  request: IdempotentRequest | undefined,
): Promise<string> {
  const { paymentId, status, reason } = input;
  const isFailed = status === "failed";
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const [payment, remittances] = await Promise.all([
      getPayment(services, actor, paymentId),
      queueRemittances(services, actor.organizationId, isFailed ? [] : [paymentId]),
    ]);
    if (!canEnd(payment)) {
      const { timeZone } = await findPolicy(services, actor.organizationId);
      throw paymentMovedOn(payment.status, (await listTransitions(services, actor, paymentId)).at(-1), timeZone);
    }
    const processedAt = readProcessedAt(input, payment, services.clock.now());
    const isPaid = !isFailed && payment.payeeId !== null && !hasOtherAccount(payment);
    const result = await runCommand(services, actor, {
      conditions: [paymentIsUnchanged(services, actor.organizationId, payment)],
      statements:
        isPaid && payment.payeeId ? [countSuccess(services, actor.organizationId, payment.payeeId, processedAt)] : [],
      parts: [
        movePayment(services, actor, {
          payment,
          to: status,
          reason,
          action: isFailed ? "payment.failed" : "payment.succeeded",
          details: { processedAt },
          set: { processedAt, failureReason: isFailed ? reason : null },
        }),
        ...(isPaid ? [remittances] : []),
      ],
      request,
      answer: paymentId,
    });
    if (result.ok) return result.answer;
  }
  throw paymentChanged();
}

/** @throws AppError 400 when the payment cannot have been processed at this time */
function readProcessedAt({ processedAt: given }: OutcomeInput, payment: PaymentDetail, now: number): number {
  const problem = given === null ? undefined : processedAtProblem(given, payment.createdAt, now);
  if (problem) throw invalidInput({ processedAt: [problem] }, problem);
  return given === null ? now : latestProcessedAt(given, now);
}
