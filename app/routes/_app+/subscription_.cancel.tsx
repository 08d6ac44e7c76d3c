import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CancelForm } from "~/components/billing/cancel-form";
import { pageTitle } from "~/components/layout/page-title";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { errorHeaders, toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { formatDate } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { cancelSubscription } from "~/modules/billing/manage-subscription.commands.server";
import { viewSubscription } from "~/modules/billing/subscription-page.queries.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Cancel the subscription")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { canCancel, endsNow, periodEnd } = await viewSubscription(scope.services, actor);
  if (!canCancel) throw redirect(appPaths.subscription);
  return { endsNow, periodEnd };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  try {
    const { cancelAtPeriodEnd, currentPeriodEnd } = await cancelSubscription(services, actor);
    const { timeZone } = await findPolicy(services, actor.organizationId);
    const description =
      cancelAtPeriodEnd && currentPeriodEnd !== null
        ? `Your service continues until ${formatDate(currentPeriodEnd, timeZone)}.`
        : "Nothing will be charged.";
    const flash = await setFlash(services, { tone: "success", title: "Subscription Cancelled", description });
    throw redirect(appPaths.subscription, { status: 303, headers: { "Set-Cookie": flash } });
  } catch (error) {
    if (error instanceof Response) throw error;
    const refused = toAppError(error, services.log);
    return data({ problem: refused.message }, { status: refused.status, headers: errorHeaders(refused) });
  }
});

export default function CancelSubscription() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<{ problem?: string }>();
  return (
    <>
      <PageHeader
        title="Cancel the subscription?"
        breadcrumb={[{ label: "Subscription", to: appPaths.subscription }]}
      />
      {answer?.problem && (
        <Callout tone="danger" title="Error" role="alert" className="mb-6">
          <p>{answer.problem}</p>
        </Callout>
      )}
      <Card>
        <CancelForm view={view} />
      </Card>
    </>
  );
}
