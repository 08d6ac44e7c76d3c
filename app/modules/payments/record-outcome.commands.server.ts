import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isConstraintError } from "@db/errors";
import { payees } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import { findFirstAnswer, hashRequest, type IdempotentCall, keepAnswer } from "~/modules/commands/idempotency.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import type { Services } from "~/services";
import { movePayment, transitionExists } from "./move-payment.statements.server";
import { latestProcessedAt, processedAtProblem } from "./outcome";
import { canMove, type PaymentOutcome } from "./payment";
import { movedOn } from "./payment.errors.server";
import { getPayment, listTransitions, type PaymentDetail } from "./payment.queries.server";

type Recording = Pick<Services, "db" | "clock" | "ids" | "secrets">;

export type OutcomeInput = {
  paymentId: string;
  status: PaymentOutcome;
  /** Why it failed or came back. */
  reason: string | null;
  /** When the bank processed it, epoch milliseconds; null: now. */
  processedAt: number | null;
  idempotencyKey?: string;
};

/** The step is made again when somebody else moved the payment in between, to say what became of it. */
const TRIES = 2;

/**
 * How the bank ended an authorised payment. Success raises the payee's `paymentCount` and sets `lastPaymentDate` in the
 * same batch as the status, so exactly once; a payment to an account that is no payee raises nothing.
 *
 * @throws AppError 404; 400 for a date that cannot be; 409 ALREADY_DECIDED with who was first, PAYMENT_HELD,
 * PAYMENT_NOT_HELD, IDEMPOTENCY_CONFLICT
 */
export async function recordOutcome(services: Recording, actor: Actor, input: OutcomeInput): Promise<PaymentDetail> {
  const { paymentId, status } = input;
  const call = await toCall(services, actor, input);
  const { timeZone } = await findPolicy(services, actor.organizationId);
  for (let attempt = 1; ; attempt++) {
    if (call && (await findFirstAnswer(services, call))) return getPayment(services, actor, paymentId);
    const payment = await getPayment(services, actor, paymentId);
    if (!canMove(payment.status, status)) {
      throw movedOn(payment.status, (await listTransitions(services, actor, paymentId)).at(-1), timeZone);
    }
    const transitionId = services.ids.next();
    const statements = [
      ...end(services, actor, input, payment, transitionId),
      ...(call ? [keepAnswer(services, call, { transitionId })] : []),
    ];
    try {
      await commit(services.db, statements, () => transitionExists(services, actor, paymentId, transitionId));
      return getPayment(services, actor, paymentId);
    } catch (error) {
      if (!isConstraintError(error) || attempt === TRIES) throw error;
    }
  }
}

function end(
  services: Recording,
  actor: Actor,
  { status, reason, processedAt: given }: OutcomeInput,
  payment: PaymentDetail,
  transitionId: string,
): Statement[] {
  const now = services.clock.now();
  const problem = given === null ? undefined : processedAtProblem(given, payment.createdAt, now);
  if (problem) throw invalidInput({ processedAt: [problem] }, problem);
  const processedAt = given === null ? now : latestProcessedAt(given, now);
  const failed = status === "failed";
  const moved = movePayment(services, actor, {
    transitionId,
    payment,
    to: status,
    reason,
    action: failed ? "payment.failed" : "payment.succeeded",
    details: { processedAt },
    set: { processedAt, failureReason: failed ? reason : null },
  });
  if (failed || payment.payeeId === null) return moved;
  return [...moved, countPayment(services, actor, payment.payeeId, processedAt)];
}

/** The payee's details stay as they are, so its version does too: nobody's open edit is disturbed by a payment. */
function countPayment({ db }: Recording, actor: Actor, payeeId: string, processedAt: number): Statement {
  return db
    .update(payees)
    .set({
      paymentCount: sql`${payees.paymentCount} + 1`,
      lastPaymentDate: sql`max(coalesce(${payees.lastPaymentDate}, 0), ${processedAt})`,
    })
    .where(and(eq(payees.organizationId, actor.organizationId), eq(payees.id, payeeId)));
}

async function toCall(
  services: Recording,
  actor: Actor,
  { idempotencyKey: key, paymentId, status, reason, processedAt }: OutcomeInput,
): Promise<IdempotentCall | undefined> {
  if (!key) return undefined;
  const asked = [actor.userId, paymentId, status, reason, processedAt];
  return {
    organizationId: actor.organizationId,
    key,
    requestHash: await hashRequest(services, "payment outcome", asked),
  };
}
