import { redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CancelForm } from "~/components/accounts/billing/status-card";
import { type FormAnswer, keepWhatWasTyped, Refusal } from "~/components/forms/form";
import { titled } from "~/components/layout/page-title";
import { Callout } from "~/components/ui/elements";
import { Card, PageHeader } from "~/components/ui/page-parts";
import { formAction, page, pageWriter } from "~/http/page.server";
import { formatDate } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { cancelSubscription } from "~/modules/accounts/billing/manage-subscription.server";
import { readSubscriptionPage } from "~/modules/accounts/billing/subscription-page.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";

export const meta = titled("Cancel the subscription");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { canCancel, endsNow, periodEnd } = await readSubscriptionPage(scope.services, actor);
  if (!canCancel) throw redirect(appPaths.subscription);
  return { endsNow, periodEnd };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  return formAction(
    scope,
    async () => {
      const { cancelAtPeriodEnd, currentPeriodEnd } = await cancelSubscription(services, actor);
      const { timeZone } = await findPolicy(services, actor.organizationId);
      const description =
        cancelAtPeriodEnd && currentPeriodEnd !== null
          ? `Your service continues until ${formatDate(currentPeriodEnd, timeZone)}.`
          : "Nothing will be charged.";
      return { to: appPaths.subscription, flash: { tone: "success", title: "Subscription Cancelled", description } };
    },
    { title: "Error" },
  );
});

export const clientAction = keepWhatWasTyped;

export default function CancelSubscription() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <>
      <PageHeader
        title="Cancel the subscription?"
        breadcrumb={[{ label: "Subscription", to: appPaths.subscription }]}
      />
      {answer && (
        <Callout tone="danger" title={answer.title} role="alert" className="mb-6">
          <p>
            <Refusal>{answer.formErrors.join(" ")}</Refusal>
          </p>
        </Callout>
      )}
      <Card>
        <CancelForm view={view} />
      </Card>
    </>
  );
}
