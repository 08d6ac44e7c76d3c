import { api } from "~/http/api.server";
import { apiAdmin, idParam } from "~/http/guards.server";
import { getEndpoint, listDeliveries, readDeliveriesQuery } from "~/modules/messages/webhook-endpoints/endpoint.server";
import { toDeliveryJson } from "~/modules/messages/webhook-endpoints/endpoint.view";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiAdmin(args);
    const { id: endpointId } = await getEndpoint(args.services, actor, idParam(args.params));
    const after = readDeliveriesQuery(new URL(args.request.url).searchParams);
    const page = await listDeliveries(args.services, actor, { endpointId, after });
    return { deliveries: page.rows.map(toDeliveryJson), nextCursor: page.next ?? null };
  },
});
