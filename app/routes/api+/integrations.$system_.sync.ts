import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiAdmin, systemParam } from "~/http/guards.server";
import { requestSync } from "~/modules/connections/connect.server";
import { toIntegrationJson } from "~/modules/connections/integration.json";
import { findIntegration, syncCallSchema } from "~/modules/connections/integration.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiAdmin(args);
    const system = systemParam(args.services, args.params);
    const { all } = await readJson(args.request, syncCallSchema);
    await requestSync(args.services, actor, { system, all });
    const row = await findIntegration(args.services, actor, system);
    return json({ integration: toIntegrationJson(system, row) }, { status: 202 });
  },
});
