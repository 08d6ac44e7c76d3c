import { type ApiArgs, api } from "~/http/api.server";
import { apiAdmin, idParam } from "~/http/guards.server";
import type { Actor } from "~/kernel/actor";
import { endFormerSecret, getEndpoint, renewSecret } from "~/modules/messages/webhook-endpoints/endpoint.server";
import { toEndpointJson } from "~/modules/messages/webhook-endpoints/endpoint.view";

const show = async ({ services }: ApiArgs, actor: Actor, id: string) =>
  toEndpointJson(await getEndpoint(services, actor, id), services.clock.now());

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiAdmin(args);
    const id = idParam(args.params);
    const secret = await renewSecret(args.services, actor, id);
    return { endpoint: await show(args, actor, id), secret };
  },
  DELETE: async (args) => {
    const actor = await apiAdmin(args);
    const id = idParam(args.params);
    await endFormerSecret(args.services, actor, id);
    return { endpoint: await show(args, actor, id) };
  },
});
