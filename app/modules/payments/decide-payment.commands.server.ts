import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isConstraintError } from "@db/errors";
import type { Actor } from "~/kernel/actor";
import type { AuditAction } from "~/modules/audit/audit";
import { requireLiveSubscription } from "~/modules/billing/subscription.queries.server";
import { findFirstAnswer, hashRequest, type IdempotentCall, keepAnswer } from "~/modules/commands/idempotency.server";
import { partStatements } from "~/modules/commands/run-command.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { openPrepared, prepareVerification } from "~/modules/payees/open-verification.server";
import { getPayee } from "~/modules/payees/payee.queries.server";
import { whileUnchanged } from "~/modules/payees/payees.statements.server";
import { whilePending } from "~/modules/verifications/verification.statements.server";
import type { Services } from "~/services";
import { basisOf, refuseDecision } from "./decide";
import { movePayment, transitionExists } from "./move-payment.statements.server";
import { DECISIONS, type Decision } from "./payment";
import { accountChanged, movedOn, payeeRequired, paymentChanged, secondPersonRequired } from "./payment.errors.server";
import { getPayment, listTransitions, type PaymentDetail } from "./payment.queries.server";

type Deciding = Pick<Services, "db" | "clock" | "ids" | "secrets">;

export type DecisionInput = {
  paymentId: string;
  decision: Decision;
  /** Null only when more verification is asked for. */
  reason: string | null;
  /** Of the form or the call: the same key again is answered with the decision it made. */
  idempotencyKey?: string;
  /** What the person had before them (`basisOf`); if more is known by now, they are asked to look again. */
  basis?: string;
};

const ACTIONS: Record<Decision, AuditAction> = {
  approve: "payment.approved",
  reject: "payment.rejected",
  request_verification: "payment.verification_requested",
};

/** A verification may be opened or decided at the very moment in which one is asked for. */
const TRIES = 3;

/**
 * A person's decision about a held payment: approve, reject, or ask for more verification (a pending one is used, else
 * one is opened). Of several people at once exactly one decides. Approving trusts this payment, not the payee.
 *
 * @throws AppError 404; 402 SUBSCRIPTION_REQUIRED when a verification would have to be opened; 403 SECOND_PERSON_REQUIRED;
 * 409 ALREADY_DECIDED with who decided, PAYMENT_NOT_HELD, DETAILS_CHANGED, PAYEE_REQUIRED, PAYMENT_CHANGED,
 * IDEMPOTENCY_CONFLICT
 */
export async function decidePayment(services: Deciding, actor: Actor, input: DecisionInput): Promise<PaymentDetail> {
  const { paymentId } = input;
  const call = await toCall(services, actor, input);
  const { timeZone, ...policy } = await findPolicy(services, actor.organizationId);
  for (let attempt = 1; ; attempt++) {
    if (call && (await findFirstAnswer(services, call))) return getPayment(services, actor, paymentId);
    const payment = await getPayment(services, actor, paymentId);
    await requireAllowed(services, actor, input, payment, { ...policy, timeZone });
    const transitionId = services.ids.next();
    const statements = [
      ...(await decide(services, actor, input, payment, transitionId)),
      ...(call ? [keepAnswer(services, call, { transitionId })] : []),
    ];
    try {
      await commit(services.db, statements, () => transitionExists(services, actor, paymentId, transitionId));
      return getPayment(services, actor, paymentId);
    } catch (error) {
      if (!isConstraintError(error)) throw error;
      if (attempt === TRIES) throw paymentChanged();
    }
  }
}

/** @throws AppError as `decidePayment` says */
async function requireAllowed(
  services: Deciding,
  actor: Actor,
  input: DecisionInput,
  payment: PaymentDetail,
  policy: { secondPersonRequired: boolean; timeZone: string },
): Promise<void> {
  switch (refuseDecision(payment, input.decision, actor.userId, policy)) {
    case "not_held": {
      const steps = await listTransitions(services, actor, payment.id);
      throw movedOn(payment.status, steps.at(-1), policy.timeZone);
    }
    case "second_person_required":
      throw secondPersonRequired();
    case "payee_required":
      throw payeeRequired();
    case "account_changed":
      throw accountChanged();
  }
  if (input.basis !== undefined && input.basis !== basisOf(payment)) throw paymentChanged();
}

async function decide(
  services: Deciding,
  actor: Actor,
  { decision, reason }: DecisionInput,
  payment: PaymentDetail,
  transitionId: string,
): Promise<Statement[]> {
  const move = { transitionId, payment, to: DECISIONS[decision], reason, action: ACTIONS[decision] };
  const { payee } = payment;
  if (decision === "reject") return movePayment(services, actor, move);
  const unchanged = payee ? [whileUnchanged(services, actor.organizationId, payee)] : [];
  if (decision === "approve") {
    const details = {
      selfApproval: payment.recordedById === actor.userId,
      rules: payment.reasons.map(({ rule }) => rule),
    };
    return [...unchanged, ...movePayment(services, actor, { ...move, details })];
  }
  const { verificationId, statements } = await askForVerification(services, actor, payment);
  const details = { verificationId };
  return [...unchanged, ...statements, ...movePayment(services, actor, { ...move, details, set: { verificationId } })];
}

/** The payee's pending verification, or a new one. Vouching never answers it: somebody asked for more than that. */
async function askForVerification(
  services: Deciding,
  actor: Actor,
  { payee, latest }: PaymentDetail,
): Promise<{ verificationId: string; statements: Statement[] }> {
  if (!payee) throw payeeRequired();
  if (latest?.status === "pending") {
    return { verificationId: latest.id, statements: [whilePending(services, actor.organizationId, latest.id)] };
  }
  await requireLiveSubscription(services, actor.organizationId);
  const details = await getPayee(services, actor, payee.id);
  const prepared = await prepareVerification(services, actor, { payeeId: payee.id, details, cause: "requested" });
  return {
    verificationId: prepared.verificationId,
    statements: partStatements(services, actor, openPrepared(services, actor, prepared)),
  };
}

/** The key belongs to this person and this decision: anybody else's use of it is a conflict. */
async function toCall(
  services: Deciding,
  actor: Actor,
  { idempotencyKey: key, paymentId, decision, reason }: DecisionInput,
): Promise<IdempotentCall | undefined> {
  if (!key) return undefined;
  const requestHash = await hashRequest(services, "decide payment", [actor.userId, paymentId, decision, reason]);
  return { organizationId: actor.organizationId, key, requestHash };
}
