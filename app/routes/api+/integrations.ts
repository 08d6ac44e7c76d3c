import { api } from "~/http/api.server";
import { apiAdmin } from "~/http/guards.server";
import { CONNECTABLE_SYSTEMS } from "~/kernel/accounting-system";
import { toIntegrationJson } from "~/modules/connections/integration.json";
import { listIntegrations } from "~/modules/connections/integration.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiAdmin(args);
    const rows = await listIntegrations(args.services, actor);
    const offered = CONNECTABLE_SYSTEMS.filter((system) => args.services.accounting[system]);
    const rowOf = (system: string) => rows.find((row) => row.system === system);
    return { integrations: offered.map((system) => toIntegrationJson(system, rowOf(system))) };
  },
});
