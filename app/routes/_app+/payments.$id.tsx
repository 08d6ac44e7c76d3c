import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { PaymentPage } from "~/components/payments/payment-page";
import { check, readForm } from "~/http/body.server";
import { errorHeaders, toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { idParam, pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { type Actor, canWrite } from "~/kernel/actor";
import type { AppError } from "~/kernel/app-error";
import { formatAud } from "~/kernel/money";
import { recordReveal } from "~/modules/audit/reveal.commands.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { isOwnWork } from "~/modules/payees/second-person";
import { decidePayment } from "~/modules/payments/decide-payment.commands.server";
import { findApproval, getPayment, listTransitions } from "~/modules/payments/payment.queries.server";
import { type PaymentPost, paymentPostSchema } from "~/modules/payments/payment.schema.server";
import { toPaymentView } from "~/modules/payments/payment.view";
import { type PaymentAnswer, type PaymentIntent, successOf } from "~/modules/payments/payment-messages";
import { paymentPath } from "~/modules/payments/payments.view";
import { recordOutcome } from "~/modules/payments/record-outcome.commands.server";
import type { Services } from "~/services";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded ? `${loaded.title} · ` : ""}Payment`),
];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  const id = idParam(scope.params);
  const payment = await getPayment(services, actor, id);
  const [policy, steps, approval] = await Promise.all([
    findPolicy(services, actor.organizationId),
    listTransitions(services, actor, id),
    findApproval(services, actor, payment),
    recordReveal(services, actor, { entityType: "payment", entityId: id }),
  ]);
  const view = toPaymentView(payment, steps, {
    isOwn: isOwnWork(approval, actor.userId),
    canWrite: canWrite(actor),
    secondPersonRequired: policy.secondPersonRequired,
    timeZone: policy.timeZone,
    now: services.clock.now(),
  });
  const title = `${formatAud(view.amount)} to ${view.payee?.name ?? view.account.accountName}`;
  return { title, view, submissionId: services.ids.next() };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const id = idParam(scope.params);
  const form = await readForm(scope.request);
  try {
    const posted = check(paymentPostSchema, Object.fromEntries(form));
    const intent = await carryOut(services, actor, id, posted);
    const headers = { "Set-Cookie": await setFlash(services, { tone: "success", ...successOf(intent) }) };
    return redirect(paymentPath(id), { status: 303, headers });
  } catch (error) {
    const refused = toAppError(error, services.log);
    if (refused.status === 404) throw refused;
    return data(answerRefusal(form, refused), { status: refused.status, headers: errorHeaders(refused) });
  }
});

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

function answerRefusal(form: FormData, { code, message, fieldErrors }: AppError): PaymentAnswer {
  const typed = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const { reason, processedOn = fieldErrors?.processedAt } = fieldErrors ?? {};
  return {
    problem: reason || processedOn ? null : message,
    needsSubscription: code === "SUBSCRIPTION_REQUIRED",
    values: { reason: typed("reason"), processedOn: typed("processedOn") },
    errors: { ...(reason ? { reason } : {}), ...(processedOn ? { processedOn } : {}) },
  };
}

export default function Payment() {
  const { view, submissionId } = useLoaderData<typeof loader>();
  return <PaymentPage payment={view} submissionId={submissionId} answer={useActionData<PaymentAnswer>()} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payment" />;
}
