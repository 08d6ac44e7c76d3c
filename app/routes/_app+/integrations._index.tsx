import { useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { IntegrationList, OtherSystems } from "~/components/connections/integration-list";
import { named } from "~/components/layout/named";
import { pageAdmin } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { CONNECTABLE_SYSTEMS } from "~/kernel/accounting-system";
import { listIntegrations } from "~/modules/connections/integration.server";
import { showIntegration } from "~/modules/connections/integration.view";

export const { meta, ErrorBoundary } = named("Integrations · Settings", "Error Loading Integrations");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services } = scope;
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const rows = await listIntegrations(services, actor);
  const offered = CONNECTABLE_SYSTEMS.filter((system) => services.accounting[system]);
  return {
    integrations: offered.map((system) =>
      showIntegration(
        system,
        rows.find((row) => row.system === system),
        zone,
      ),
    ),
  };
});

export default function Integrations() {
  const { integrations } = useLoaderData<typeof loader>();
  return (
    <SettingsPage description="Read suppliers from your accounting system, and be told when a bank account changes there.">
      <IntegrationList integrations={integrations} />
      <OtherSystems />
    </SettingsPage>
  );
}
