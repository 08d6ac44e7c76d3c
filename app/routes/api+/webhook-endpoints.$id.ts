import { type ApiArgs, api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiAdmin, idParam } from "~/http/guards.server";
import type { Actor } from "~/kernel/actor";
import {
  chooseEvents,
  endpointChangeSchema,
  getEndpoint,
  removeEndpoint,
  setEndpointActive,
} from "~/modules/messages/webhook-endpoints/endpoint.server";
import { toEndpointJson } from "~/modules/messages/webhook-endpoints/endpoint.view";

const show = async ({ services }: ApiArgs, actor: Actor, id: string) => ({
  endpoint: toEndpointJson(await getEndpoint(services, actor, id), services.clock.now()),
});

export const { loader, action } = api({
  GET: async (args) => show(args, await apiAdmin(args), idParam(args.params)),
  PATCH: async (args) => {
    const actor = await apiAdmin(args);
    const id = idParam(args.params);
    const { events, active } = await readJson(args.request, endpointChangeSchema);
    if (events) await chooseEvents(args.services, actor, id, events);
    if (active !== undefined) await setEndpointActive(args.services, actor, id, active);
    return show(args, actor, id);
  },
  DELETE: async (args) => {
    const actor = await apiAdmin(args);
    await removeEndpoint(args.services, actor, idParam(args.params));
    return new Response(null, { status: 204 });
  },
});
