import { api } from "~/http/api.server";
import { apiAdmin, systemParam } from "~/http/guards.server";
import { disconnectSystem } from "~/modules/connections/connect.server";
import { toIntegrationJson } from "~/modules/connections/integration.json";
import { findIntegration } from "~/modules/connections/integration.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiAdmin(args);
    const system = systemParam(args.services, args.params);
    return { integration: toIntegrationJson(system, await findIntegration(args.services, actor, system)) };
  },
  DELETE: async (args) => {
    const actor = await apiAdmin(args);
    const system = systemParam(args.services, args.params);
    const accessEnded = await disconnectSystem(args.services, actor, system);
    const row = await findIntegration(args.services, actor, system);
    return { integration: toIntegrationJson(system, row), accessEnded };
  },
});
