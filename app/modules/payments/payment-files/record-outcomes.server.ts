import type { Actor } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import { type IdempotentRequest, runOnce } from "~/modules/core/commands/idempotency.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { latestProcessedAt, processedAtProblem } from "~/modules/payments/outcome";
import { queueRemittances } from "~/modules/payments/remittances.server";
import type { Services, WriteServices } from "~/services";
import type { ReturnedPayment } from "./aba/read-returns";
import { type ClearedPayment, listClearedPayments } from "./cleared-payments.server";
import { type BulkOutcome, exceptionsProblem, type LineOutcome, matchReturns, outcomesOf } from "./outcomes";
import { fileChanged, getPaymentFile, nothingToSettle } from "./payment-file.server";
import { type Ending, endPayments, paymentsAreUnchanged } from "./settle-payments.server";

type Settling = WriteServices & Pick<Services, "secrets">;

export type OutcomesInput = {
  fileId: string;
  /** An outcome for every payment of the file that has none, or the returns of a bank. */
  outcome: BulkOutcome | { returned: readonly ReturnedPayment[] };
  /** When the bank processed them, epoch milliseconds; null: now. */
  processedAt: number | null;
  idempotencyKey?: string;
};

export type Outcomes = {
  settled: number;
  failed: number;
  /** Lines whose payment is held again: it has no outcome until somebody decides or records one. */
  left: number[];
  /** Lines of the bank's return file that match no payment of this file. */
  unmatched: number[];
};

/** Payments may end at the same moment in another way: they are then looked at again. */
const TRIES = 3;

/**
 * Records what the bank did with the cleared payments of a file: all of them with exceptions, or those that a file of
 * returns names. `paymentCount` and `lastPaymentDate` of the payees change in the same batch, so exactly once.
 *
 * @throws AppError 404; 400 for a date that cannot be, a failure without a reason, or an exception that is no cleared payment; 409 NOTHING_TO_SETTLE, FILE_CHANGED,
 * IDEMPOTENCY_CONFLICT
 */
export async function recordFileOutcomes(services: Settling, actor: Actor, input: OutcomesInput): Promise<Outcomes> {
  const { idempotencyKey: key, ...asked } = input;
  requireReason(input.outcome);
  return runOnce(services, actor, { operation: "payment file outcomes", key, input: asked }, async (request) => {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const written = await tryToSettle(services, actor, input, request);
      if (written) return written;
    }
    throw fileChanged();
  });
}

/** @throws AppError 400 */
function requireReason(outcome: OutcomesInput["outcome"]): void {
  if ("returned" in outcome || outcome.reason) return;
  if (outcome.status === "failed" || outcome.except.length > 0) throw invalidInput({ reason: ["Say why they failed"] });
}

/** @throws AppError 400 */
function requireKnownExceptions(payments: readonly ClearedPayment[], outcome: OutcomesInput["outcome"]): void {
  const problem = "returned" in outcome ? undefined : exceptionsProblem(payments, outcome);
  if (problem) throw invalidInput({ except: [problem] }, problem);
}

/** @returns undefined when a payment changed between looking and writing */
async function tryToSettle(
  services: Settling,
  actor: Actor,
  { fileId, outcome, processedAt: given }: OutcomesInput,
  request: IdempotentRequest | undefined,
): Promise<Outcomes | undefined> {
  const { organizationId } = actor;
  await getPaymentFile(services, actor, fileId);
  const payments = await listClearedPayments(services, { organizationId, fileId });
  requireKnownExceptions(payments, outcome);
  const waiting = payments.filter(({ status }) => status === "authorised");
  const { byLine, unmatched } = decide(waiting, outcome);
  const endings = waiting.flatMap((payment): Ending[] => {
    const own = byLine.get(payment.line);
    return own ? [{ ...payment, ...own }] : [];
  });
  if (endings.length === 0) throw nothingToSettle();
  const processedAt = readProcessedAt(given, waiting, services.clock.now());
  const failed = endings.filter(({ status }) => status === "failed").length;
  const left = payments.flatMap(({ line, status }) => (status === "held" ? [line] : []));
  const paid = endings.flatMap(({ id, status, countsFor }) => (status === "successful" && countsFor ? [id] : []));
  const answer = { settled: endings.length - failed, failed, left, unmatched };
  const result = await runCommand(services, actor, {
    conditions: paymentsAreUnchanged(organizationId, endings),
    statements: endPayments(services, actor, { endings, processedAt }),
    parts: [await queueRemittances(services, organizationId, paid)],
    audit: [
      {
        action: "payment_file.outcomes_recorded",
        entityType: "payment_file",
        entityId: fileId,
        details: { successful: answer.settled, failed, processedAt },
      },
    ],
    request,
    answer,
  });
  return result.ok ? result.answer : undefined;
}

function decide(waiting: readonly ClearedPayment[], outcome: OutcomesInput["outcome"]) {
  if (!("returned" in outcome)) {
    const byLine: Map<number, LineOutcome> = outcomesOf(
      waiting.map(({ line }) => line),
      outcome,
    );
    return { byLine, unmatched: [] };
  }
  const { failed, unmatched } = matchReturns(waiting, outcome.returned);
  return { byLine: failed, unmatched: unmatched.map(({ line }) => line) };
}

/** @throws AppError 400 for a time at which the payments cannot have been processed */
function readProcessedAt(given: number | null, payments: readonly { createdAt: number }[], now: number): number {
  if (given === null) return now;
  const latest = Math.max(...payments.map(({ createdAt }) => createdAt));
  const problem = processedAtProblem(given, latest, now);
  if (problem) throw invalidInput({ processedOn: [problem] }, problem);
  return latestProcessedAt(given, now);
}
