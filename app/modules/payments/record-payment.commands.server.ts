import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isConstraintError, isPreconditionError } from "@db/errors";
import { paymentRecords } from "@db/schema";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { requireLiveSubscription } from "~/modules/billing/subscription.queries.server";
import { findFirstAnswer, hashRequest, type IdempotentCall, keepAnswer } from "~/modules/commands/idempotency.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { runRules } from "~/modules/payment-rules";
import type { PaymentFacts } from "~/modules/payment-rules/facts";
import type { PaymentReason } from "~/modules/payment-rules/payment-reason";
import type { Services } from "~/services";
import { gatherFacts, type NewPayment, whileFactsHold } from "./facts.queries.server";
import { type RuleDecision, ruleDecision } from "./payment";
import { payeeKeepsChanging } from "./payment.errors.server";
import { findPayment, getPayment, type PaymentDetail } from "./payment.queries.server";

type Recording = Pick<Services, "db" | "clock" | "ids" | "secrets">;

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
  const call = await toCall(services, actor, input);
  const first = call && (await findFirst(services, actor, call));
  if (first) return first;
  await requireLiveSubscription(services, actor.organizationId);
  const policy = await findPolicy(services, actor.organizationId);
  for (let attempt = 1; ; attempt++) {
    const facts = await gatherFacts(services, actor, input.payment, policy);
    const reasons = runRules(facts, policy.ruleLevels);
    const id = services.ids.next();
    try {
      await commit(
        services.db,
        [
          whileFactsHold(services, actor, facts),
          ...insertPayment(services, actor, { id, facts, reasons, description: input.payment.description }),
          ...(call ? [keepAnswer(services, call, { paymentId: id })] : []),
        ],
        async () => (await findPayment(services, actor, id)) !== undefined,
      );
      return asRecorded(await getPayment(services, actor, id));
    } catch (error) {
      if (!isConstraintError(error)) throw error;
      const repeated = call && (await findFirst(services, actor, call));
      if (repeated) return repeated;
      if (!isPreconditionError(error)) throw error;
      if (attempt === TRIES) throw payeeKeepsChanging();
    }
  }
}

function insertPayment(
  services: Recording,
  actor: Actor,
  input: { id: string; facts: PaymentFacts; reasons: PaymentReason[]; description: string | null },
): Statement[] {
  const { id, facts, reasons, description } = input;
  const { amount, reference, account, payee } = facts;
  const status = ruleDecision(reasons);
  const now = services.clock.now();
  const payeeId = payee?.id ?? null;
  const { accountName, bsb, accountNumber } = account;
  return [
    services.db.insert(paymentRecords).values({
      id,
      organizationId: actor.organizationId,
      payeeId,
      amount,
      reference,
      description,
      accountName,
      bsb,
      accountNumber,
      status,
      reasons,
      recordedById: actor.userId,
      createdAt: now,
      updatedAt: now,
    }),
    recordAudit(services, actor, {
      action: "payment.recorded",
      entityType: "payment",
      entityId: id,
      details: {
        payeeId,
        amount,
        reference,
        accountName,
        bsb,
        accountNumber: maskAccountNumber(accountNumber),
        decision: status,
        reasons: reasons.map(({ rule, level }) => ({ rule, level })),
      },
    }),
  ];
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

async function findFirst(
  services: Recording,
  actor: Actor,
  call: IdempotentCall,
): Promise<RecordedPayment | undefined> {
  const answer = await findFirstAnswer<{ paymentId: string }>(services, call);
  return answer && asRecorded(await getPayment(services, actor, answer.paymentId));
}

async function toCall(
  services: Recording,
  actor: Actor,
  input: { payment: NewPayment; idempotencyKey?: string },
): Promise<IdempotentCall | undefined> {
  const { idempotencyKey: key, payment } = input;
  if (!key) return undefined;
  const { to, amount, reference, description } = payment;
  const destination = "payeeId" in to ? [to.payeeId] : [to.bsb, to.accountNumber, to.accountName];
  const asked = [actor.userId, destination, amount, reference, description];
  return {
    organizationId: actor.organizationId,
    key,
    requestHash: await hashRequest(services, "record payment", asked),
  };
}
