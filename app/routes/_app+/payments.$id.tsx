import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { loadAgainWhenRefused } from "~/components/forms/load-again-when-refused";
import { named } from "~/components/layout/named";
import { PaymentPage } from "~/components/payments/payment-page";
import { formAction, parseForm } from "~/http/form-action.server";
import { idParam, pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { type Actor, canWrite } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { findPayeeGrade } from "~/modules/payees/payee.server";
import { isOwnWork } from "~/modules/payees/second-person";
import { findNamedOrigin } from "~/modules/payees/second-person.server";
import { openVerdictOf } from "~/modules/payees/verifications/standing";
import { findApprovers } from "~/modules/payments/approvers.server";
import { findChangeBefore } from "~/modules/payments/change-before-payment.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import {
  findApproval,
  findOpenVerification,
  getPayment,
  listTransitions,
  type PaymentPost,
  paymentPostSchema,
} from "~/modules/payments/payment.server";
import { toPaymentView } from "~/modules/payments/payment.view";
import { approvalLimitOf } from "~/modules/payments/payment-facts/payment-limits";
import { findPaymentLimits } from "~/modules/payments/payment-facts/payment-limits.server";
import { describeActing } from "~/modules/payments/payment-form.server";
import { type PaymentIntent, successOf } from "~/modules/payments/payment-messages";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import type { Services } from "~/services";

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.title} · ` : ""}Payment`,
  "Error Loading Payment",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  const id = idParam(scope.params);
  const payment = await getPayment(services, actor, id);
  const [policy, limits, steps, approval, change, verification, grade, origin] = await Promise.all([
    findPolicy(services, actor.organizationId),
    findPaymentLimits(services, actor.organizationId),
    listTransitions(services, actor, id),
    findApproval(services, actor, payment),
    findChangeBefore(services, actor, payment),
    findOpenVerification(services, actor, payment),
    payment.payee && findPayeeGrade(services, actor, payment.payee.id),
    findNamedOrigin(services, payment.payee),
    recordReveal(services, actor, { entityType: "payment", entityId: id }),
  ]);
  const view = toPaymentView(payment, steps, {
    origin,
    isOwn: isOwnWork(approval, actor.userId),
    canWrite: canWrite(actor),
    secondPersonRequired: policy.secondPersonRequired,
    approvalLimitCents: approvalLimitOf(limits, actor.organizationRole),
    timeZone: policy.timeZone,
    verdict: openVerdictOf(verification, { timeZone: policy.timeZone, now: services.clock.now() }),
    grade,
    now: services.clock.now(),
  });
  const bar = view.decisions.length > 0 ? view.approvalBar : null;
  const secondPerson = policy.secondPersonRequired ? approval : null;
  const approvers = await findApprovers(services, actor, { bar, approval: secondPerson, limits, amount: view.amount });
  const title = `${formatAud(view.amount)} to ${view.payee?.name ?? view.account.accountName}`;
  return { title, view, approvers, change, submissionId: services.ids.next() };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const id = idParam(scope.params);
  return formAction(
    scope,
    async (form) => {
      const intent = await carryOut(scope.services, actor, id, parseForm(form, paymentPostSchema));
      return { to: appPaths.payment(id), flash: { tone: "success", ...successOf(intent) } };
    },
    { describe: describeActing },
  );
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export const shouldRevalidate = loadAgainWhenRefused;

async function carryOut(
  services: Services,
  actor: Actor,
  paymentId: string,
  { submissionId: idempotencyKey, basis, ...posted }: PaymentPost,
): Promise<PaymentIntent> {
  switch (posted.intent) {
    case "approve":
    case "reject":
    case "request_verification": {
      const { intent: decision, reason } = posted;
      await decidePayment(services, actor, { paymentId, decision, reason, idempotencyKey, basis });
      return decision;
    }
    case "successful":
    case "failed": {
      const { intent: status, processedOn: processedAt } = posted;
      const reason = "reason" in posted ? posted.reason : null;
      await recordOutcome(services, actor, { paymentId, status, reason, processedAt, idempotencyKey });
      return status;
    }
  }
}

export default function Payment() {
  const { view, approvers, change, submissionId } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <PaymentPage payment={view} approvers={approvers} change={change} submissionId={submissionId} answer={answer} />
  );
}
