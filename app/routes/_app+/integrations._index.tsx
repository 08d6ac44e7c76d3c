import { useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { IntegrationList, OtherSystems } from "~/components/connections/integration-list";
import { SubscriptionFirst } from "~/components/forms/refused-act";
import { named } from "~/components/ui/page-parts";
import { page, pageAdmin } from "~/http/page.server";
import { readIntegrationsPage } from "~/modules/connections/connect.server";

export const { meta, ErrorBoundary } = named("Integrations · Settings", "Error Loading Integrations");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return readIntegrationsPage(scope.services, actor);
});

export default function Integrations() {
  const { integrations } = useLoaderData<typeof loader>();
  return (
    <SettingsPage description="Read suppliers from your accounting system, and be told when a bank account changes there.">
      <SubscriptionFirst />
      <IntegrationList integrations={integrations} />
      <OtherSystems />
    </SettingsPage>
  );
}
