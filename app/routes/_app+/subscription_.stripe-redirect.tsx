import { type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { pageTitle } from "~/components/layout/page-title";
import { buttonClass } from "~/components/ui/elements";
import { Card, LoadError, PageHeader } from "~/components/ui/page-parts";
import { page, pageWriter } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { openPortal } from "~/modules/accounts/billing/manage-subscription.server";
import { findPaymentPage } from "~/modules/accounts/billing/subscription-page.server";

/** Leads to the provider's page. Our policy forbids a form to redirect there, so this page does. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services, url } = scope;
  switch (url.searchParams.get("to")) {
    case "portal":
      return { address: await openPortal(services, actor, "home") };
    case "card":
      return { address: await openPortal(services, actor, "card") };
    default: {
      const address = await findPaymentPage(services, actor);
      if (!address) throw redirect(appPaths.subscription);
      return { address };
    }
  }
});

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => {
  const title = pageTitle(route, "Going to Stripe");
  return loaded ? [title, { httpEquiv: "refresh", content: `0;url=${loaded.address}` }] : [title];
};

export default function StripeRedirect() {
  const { address } = useLoaderData<typeof loader>();
  // After a client-side navigation, the page's refresh header has no effect.
  useEffect(() => window.location.replace(address), [address]);
  return (
    <>
      <PageHeader title="Going to Stripe" breadcrumb={[{ label: "Subscription", to: appPaths.subscription }]} />
      <Card>
        <p className="text-base text-ink-soft">
          Stripe handles cards and payments. If its page does not open by itself, use this link. You will come back here
          afterwards.
        </p>
        <p className="mt-5">
          <a href={address} className={buttonClass("primary", "lg")}>
            Continue to Stripe
          </a>
        </p>
      </Card>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Subscription Error" />;
}
