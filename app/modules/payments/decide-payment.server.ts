import { AppError } from "~/kernel/app-error";
import { formatBsb } from "~/kernel/bank-account";
import { formatAud } from "~/kernel/money";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { type Approvable, requireSigned, type SignedFields } from "~/modules/accounts/identity/signed-approval.server";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { openPrepared, prepareVerification } from "~/modules/payees/open-verification.server";
import { getPayee, payeeIsUnchanged } from "~/modules/payees/payee.server";
import { isOwnWork } from "~/modules/payees/second-person.server";
import { verificationIsPending } from "~/modules/payees/verifications/verification.server";
import type { Actor, Services } from "~/services-and-actor";
import {
  approvalLimitOf,
  findPaymentLimits,
  findSameDayCents,
  sameDaySumsFit,
  startOfTheDay,
} from "./approval-limits.server";
import { asksForPasskey, basisOf, DECISIONS, type Decision, refuseDecision } from "./payment";
import {
  findApproval,
  getPayment,
  listTransitions,
  movePayment,
  type PaymentDetail,
  paymentChanged,
  paymentIsUnchanged,
  paymentMovedOn,
  type Step,
} from "./payment.server";
import { type CameFrom, findFirstPaymentFrom } from "./payment-facts/payees.server";

type DecisionInput = {
  paymentId: string;
  decision: Decision;
  /** Null only for a request for more verification. */
  reason: string | null;
  /** Sent by the form or API call: repeating the key returns the first decision. */
  idempotencyKey?: string;
  /** The payment's state that the person saw (`basisOf`). If it has changed, they are asked to look again. */
  basis?: string;
  /** The passkey signature from the page's form; absent for an API call. */
  signed?: SignedFields;
};

/** Another person may open or decide a verification at the same moment, so the write is tried again. */
const TRIES = 3;

/**
 * A person's decision about a held payment: approve, reject, or ask for more verification (a pending one is used, else
 * one is opened). If several people decide at once, exactly one succeeds. Approving trusts this payment, not the payee.
 *
 * @throws AppError 404; 402 SUBSCRIPTION_REQUIRED when a verification would have to be opened; 403 APPROVAL_LIMIT,
 * SECOND_PERSON_REQUIRED; the errors of `requireSigned` when the organisation asks for a passkey; 409 ALREADY_DECIDED
 * with who decided, PAYMENT_NOT_HELD, DETAILS_CHANGED, PAYEE_REQUIRED, PAYMENT_CHANGED, IDEMPOTENCY_CONFLICT
 */
export async function decidePayment(services: Services, actor: Actor, input: DecisionInput): Promise<PaymentDetail> {
  const { paymentId, decision, reason, idempotencyKey: key } = input;
  const asked = { operation: "decide payment", key, input: [paymentId, decision, reason] };
  await runOnce(services, actor, asked, async (request) => {
    const [policy, limits] = await Promise.all([
      findPolicy(services, actor.organizationId),
      findPaymentLimits(services, actor.organizationId),
    ]);
    const approvalLimitCents = approvalLimitOf(limits, actor.organizationRole);
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const payment = await getPayment(services, actor, paymentId);
      const isOwn = isOwnWork(await findApproval(services, actor, payment), actor.userId);
      const sameDayCents = await findSameDayCents(services, actor, payment);
      await requireAllowed(services, actor, { input, payment, isOwn, policy, approvalLimitCents, sameDayCents });
      const verification = decision === "request_verification" ? await askFor(services, actor, payment) : undefined;
      const isApproval = decision === "approve";
      const from = isApproval ? await findFirstPaymentFrom(services, actor.organizationId, payment.payee) : undefined;
      const signed = asksForPasskey(decision, payment, policy, sameDayCents)
        ? await requireSigned(services, actor, approvablePayment(payment), input.signed)
        : undefined;
      const move = movePayment(services, actor, {
        payment,
        to: DECISIONS[decision],
        reason,
        ...stepOf(decision, payment, isOwn, { verificationId: verification?.id, from }),
        set: verification && { verificationId: verification.id },
      });
      const result = await runCommand(services, actor, {
        conditions: [
          paymentIsUnchanged(services, actor.organizationId, payment),
          ...basisHolds(services, actor, decision, payment),
          ...(isApproval ? staysWithinLimit(services, actor, payment, approvalLimitCents) : []),
          ...(isApproval && policy.passkeyForApprovals && !signed
            ? staysWithinLimit(services, actor, payment, policy.passkeyAboveCents)
            : []),
          ...(signed?.conditions ?? []),
        ],
        uniques: { verification_pending: "verifications" },
        parts: [...(verification?.opening ? [verification.opening] : []), move, ...(signed ? [signed.part] : [])],
        request,
        answer: paymentId,
      });
      if (result.ok) return result.answer;
    }
    throw paymentChanged();
  });
  return getPayment(services, actor, paymentId);
}

/** What the passkey signs for an approval: where the money goes, how much, and the reference. */
export const approvablePayment = ({ id, payee, amount, reference, ...account }: PaymentDetail): Approvable => ({
  decision: "approve_payment",
  entityType: "payment",
  entityId: id,
  shows: [
    { term: "Decision", value: "Approve this payment" },
    { term: "Payee", value: payee?.name ?? "Not one of your payees" },
    { term: "Account name", value: account.accountName },
    { term: "BSB", value: formatBsb(account.bsb) },
    { term: "Account number", value: account.accountNumber },
    { term: "Amount", value: formatAud(amount) },
    { term: "Reference", value: reference ?? "None" },
  ],
});

type Case = {
  input: DecisionInput;
  payment: PaymentDetail;
  isOwn: boolean;
  policy: Policy;
  approvalLimitCents: number | null;
  sameDayCents: number;
};

/** @throws AppError as listed at `decidePayment` */
async function requireAllowed(
  services: Services,
  actor: Actor,
  { input, payment, isOwn, policy, approvalLimitCents, sameDayCents }: Case,
): Promise<void> {
  switch (refuseDecision(payment, input.decision, { isOwn, approvalLimitCents, sameDayCents, ...policy })) {
    case "not_held": {
      const steps = await listTransitions(services, actor, payment.id);
      throw paymentMovedOn(payment.status, steps.at(-1), policy.timeZone);
    }
    case "above_limit":
      throw aboveApprovalLimit(approvalLimitCents ?? 0, sameDayCents);
    case "second_person_required":
      throw secondPersonRequired();
    case "payee_required":
      throw payeeRequired();
    case "account_changed":
      throw accountChanged();
  }
  if (input.basis !== undefined && input.basis !== basisOf(payment)) throw paymentChanged();
}

const aboveApprovalLimit = (limitCents: number, sameDayCents = 0) =>
  new AppError(
    "APPROVAL_LIMIT",
    `You may approve payments up to ${formatAud(limitCents)}, and this one is above it${sameDayCents > 0 ? ` with the ${formatAud(sameDayCents)} that was authorised to the payee today` : ""}. A person with a higher limit has to approve it.`,
    { extra: { approvalLimitCents: limitCents } },
  );

const secondPersonRequired = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    "Your organisation requires a second person: the person who recorded the payment, entered the payee's bank details here or in the accounting system they came from, connected that system or asked for the verification cannot approve the payment.",
  );

const payeeRequired = () =>
  new AppError(
    "PAYEE_REQUIRED",
    "This account is not one of your payees, so there is no one to verify. Add it as a payee, reject this payment and record it again.",
  );

const accountChanged = () =>
  new AppError(
    "DETAILS_CHANGED",
    "The payee now has a different account from when this payment was recorded. Reject this payment, and record it again if the new account is right.",
  );

/** Prevents two simultaneous approvals from exceeding a daily limit that each alone would respect. */
function staysWithinLimit({ clock }: Services, actor: Actor, payment: PaymentDetail, limit: number | null) {
  if (limit === null) return [];
  const since = startOfTheDay(clock.now(), actor.timeZone);
  const room = { ...payment, mostCents: limit - payment.amount };
  return [sameDaySumsFit(actor.organizationId, [room], { since, except: payment.id })];
}

/** What must still be true of the payee at commit. A rejection has no such condition, because it pays nobody. */
function basisHolds(services: Services, { organizationId }: Actor, decision: Decision, payment: PaymentDetail) {
  const { payee, latest } = payment;
  if (decision === "reject" || !payee) return [];
  const unchanged = payeeIsUnchanged(services, organizationId, payee);
  const isUsed = decision === "request_verification" && latest?.status === "pending";
  return isUsed ? [unchanged, verificationIsPending(services, organizationId, latest.id)] : [unchanged];
}

/** Finds the payee's pending verification or opens a new one. Vouching cannot complete it: more was asked for. */
async function askFor(services: Services, actor: Actor, { payee, latest }: PaymentDetail) {
  if (!payee) throw payeeRequired();
  if (latest?.status === "pending") return { id: latest.id };
  await requireLiveSubscription(services, actor.organizationId);
  const details = await getPayee(services, actor, payee.id);
  const prepared = await prepareVerification(services, actor, { payeeId: payee.id, details, cause: "requested" });
  return { id: prepared.verificationId, opening: openPrepared(services, actor, prepared) };
}

function stepOf(
  decision: Decision,
  { reasons }: PaymentDetail,
  isOwn: boolean,
  { verificationId, from }: { verificationId: string | undefined; from: CameFrom | undefined },
): Step {
  if (decision === "reject") return { action: "payment.rejected", details: {} };
  if (decision === "request_verification") {
    return {
      action: "payment.verification_requested",
      details: verificationId === undefined ? {} : { verificationId },
    };
  }
  const rules = reasons.map(({ rule }) => rule);
  return {
    action: "payment.approved",
    details: { selfApproval: isOwn, rules, ...(from && { firstFromAccounting: from }) },
  };
}
