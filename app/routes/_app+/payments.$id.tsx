import { useActionData, useLoaderData } from "@remix-run/react";
import { type FormAnswer, keepWhatWasTyped, loadAgainWhenRefused } from "~/components/forms/form";
import { PaymentPage } from "~/components/payments/payment-page";
import { InboxFrame } from "~/components/records/inbox/inbox-frame";
import { named } from "~/components/ui/page-parts";
import { formAction, idParam, page, pageMember, pageWriter, parseForm, withStepUp } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { type SignedFields, signedFieldsOf } from "~/modules/accounts/identity/signed-approval.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { type PaymentIntent, successOf } from "~/modules/payments/payment";
import { getPayment } from "~/modules/payments/payment.server";
import { type PaymentPost, paymentPostSchema } from "~/modules/payments/payment-fields.server";
import { describeActing, readPaymentPage } from "~/modules/payments/payment-page.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { pageOnceDecided, placeInInbox, readInboxBeside } from "~/modules/records/inbox/inbox.server";
import type { Actor, Services } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.title} · ` : ""}Payment`,
  "Error Loading Payment",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "page");
  const payment = await getPayment(scope.services, actor, idParam(scope.params));
  const params = scope.url.searchParams;
  const [shown, { reviewKeys: hasKeys }, inbox] = await Promise.all([
    readPaymentPage(scope.services, actor, payment),
    findReviewChoices(scope.services, actor.userId),
    readInboxBeside(scope.services, actor, params),
    recordReveal(scope.services, actor, { entityType: "payment", entityId: payment.id }),
  ]);
  const place = inbox ? placeInInbox(inbox, appPaths.payment(payment.id), params) : shown.place;
  return { ...shown, hasKeys, inbox, place };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageWriter(scope), "page");
  const id = idParam(scope.params);
  return formAction(
    scope,
    async (form) => {
      const to = await pageOnceDecided(scope.services, actor, appPaths.payment(id), scope.url.searchParams);
      const intent = await carryOut(scope.services, actor, id, {
        ...parseForm(form, paymentPostSchema),
        signed: signedFieldsOf(form),
      });
      return { to, flash: successOf(intent) };
    },
    { describe: describeActing },
  );
});

export const clientAction = keepWhatWasTyped;

export const shouldRevalidate = loadAgainWhenRefused;

async function carryOut(
  services: Services,
  actor: Actor,
  paymentId: string,
  { submissionId: idempotencyKey, basis, signed, ...posted }: PaymentPost & { signed: SignedFields },
): Promise<PaymentIntent> {
  switch (posted.intent) {
    case "approve":
    case "reject":
    case "request_verification": {
      const { intent: decision, reason } = posted;
      await decidePayment(services, actor, { paymentId, decision, reason, idempotencyKey, basis, signed });
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
  const { view, inbox, ...loaded } = useLoaderData<typeof loader>();
  return (
    <InboxFrame inbox={inbox}>
      <PaymentPage payment={view} {...loaded} answer={useActionData<FormAnswer>()} />
    </InboxFrame>
  );
}
