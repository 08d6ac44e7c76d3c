import { paymentRecords } from "@db/schema";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { allInOrder } from "~/kernel/all-in-order";
import { requireLiveSubscription } from "~/modules/billing/subscription.queries.server";
import { type IdempotentRequest, runOnce } from "~/modules/commands/idempotency.server";
import { type CommandPart, runCommand } from "~/modules/commands/run-command.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { gatherFacts } from "~/modules/payment-facts/facts.queries.server";
import { factsHold } from "~/modules/payment-facts/facts-hold.statements.server";
import { findPaymentLimits } from "~/modules/payment-facts/payment-limits.queries.server";
import { runRules } from "~/modules/payment-rules";
import { saveDecisionRecord } from "~/modules/payment-rules/decision-record.statements.server";
import type { PaymentFacts } from "~/modules/payment-rules/facts";
import type { PaymentReason } from "~/modules/payment-rules/payment-reason";
import { referenceKey } from "~/modules/payment-rules/reference-key";
import type { Services, WriteServices } from "~/services";
import type { NewPayment } from "./new-payment";
import { type RuleDecision, ruleDecision } from "./payment";
import { payeeKeepsChanging } from "./payment.errors.server";
import { getPayment, type PaymentDetail } from "./payment.queries.server";

type Recording = WriteServices & Pick<Services, "secrets">;

export type RecordedPayment = { payment: PaymentDetail; decision: RuleDecision; reasons: PaymentReason[] };

/** A payee may be edited, or the same payment recorded, at the very moment of recording: the rules then run again. */
const TRIES = 5;

/**
 * Records a payment: runs every rule on the facts as they are when it commits, and answers what they decided. The same
 * key again is answered as the first time, whatever has become of the payment since.
 *
 * @throws AppError 404 for a payee that is not the organisation's; 402 SUBSCRIPTION_REQUIRED; 409 IDEMPOTENCY_CONFLICT,
 * PAYEE_CHANGING
 */
export async function recordPayment(
  services: Recording,
  actor: Actor,
  input: { payment: NewPayment; idempotencyKey?: string },
): Promise<RecordedPayment> {
  const { payment, idempotencyKey: key } = input;
  const paymentId = await runOnce(services, actor, { operation: "record payment", key, input: payment }, (request) =>
    writePayment(services, actor, payment, request),
  );
  return asRecorded(await getPayment(services, actor, paymentId));
}

/** @returns the new payment's id, which is kept with the key */
async function writePayment(
  services: Recording,
  actor: Actor,
  payment: NewPayment,
  request: IdempotentRequest | undefined,
): Promise<string> {
  const { organizationId } = actor;
  const [, policy, limits] = await allInOrder([
    requireLiveSubscription(services, organizationId),
    findPolicy(services, organizationId),
    findPaymentLimits(services, organizationId),
  ]);
  const { ruleLevels: levels } = policy;
  const context = { organizationId, policy, limits, nameWidth: null };
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const [facts] = await gatherFacts(services, context, [payment]);
    if (!facts) throw new Error("facts were asked for one payment and none came");
    const reasons = runRules(facts, levels);
    const id = services.ids.next();
    const result = await runCommand(services, actor, {
      conditions: factsHold({ organizationId }, [facts]),
      parts: [
        insertPayment(services, actor, { id, facts, reasons, description: payment.description }),
        { statements: await saveDecisionRecord(services, organizationId, { paymentId: id, facts, levels }) },
      ],
      request,
      answer: id,
    });
    if (result.ok) return result.answer;
  }
  throw payeeKeepsChanging();
}

/** The payment and its audit entry. */
function insertPayment(
  { db, clock }: Recording,
  { organizationId, userId }: Actor,
  input: { id: string; facts: PaymentFacts; reasons: PaymentReason[]; description: string | null },
): CommandPart {
  const { id, facts, reasons, description } = input;
  const { amount, reference, account, payee } = facts;
  const status = ruleDecision(reasons);
  const now = clock.now();
  const { accountName, bsb, accountNumber } = account;
  const shared = { payeeId: payee?.id ?? null, amount, reference, accountName, bsb, accountNumber };
  const row = {
    ...shared,
    id,
    organizationId,
    description,
    status,
    reasons,
    recordedById: userId,
    referenceKey: referenceKey(reference),
  };
  const details = {
    ...shared,
    accountNumber: maskAccountNumber(accountNumber),
    decision: status,
    reasons: reasons.map(({ rule, level }) => ({ rule, level })),
  };
  return {
    statements: [db.insert(paymentRecords).values({ ...row, createdAt: now, updatedAt: now })],
    audit: [{ action: "payment.recorded", entityType: "payment", entityId: id, details }],
  };
}

/** The payment as it was answered when it was recorded. */
function asRecorded(payment: PaymentDetail): RecordedPayment {
  const { reasons, createdAt } = payment;
  const decision = ruleDecision(reasons);
  const since = {
    status: decision,
    verificationId: null,
    failureReason: null,
    processedAt: null,
    updatedAt: createdAt,
  };
  return { payment: { ...payment, ...since }, decision, reasons };
}
