import { api } from "~/http/api.server";
import { apiAdmin, idParam } from "~/http/guards.server";
import { resendDelivery } from "~/modules/messages/webhook-endpoints/endpoint.server";

export const { loader, action } = api({
  POST: async (args) => {
    await resendDelivery(args.services, await apiAdmin(args), idParam(args.params));
    return new Response(null, { status: 202 });
  },
});
