import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiAdmin } from "~/http/guards.server";
import {
  addEndpoint,
  getEndpoint,
  listEndpoints,
  newEndpointSchema,
} from "~/modules/messages/webhook-endpoints/endpoint.server";
import { toEndpointJson } from "~/modules/messages/webhook-endpoints/endpoint.view";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiAdmin(args);
    const endpoints = await listEndpoints(args.services, actor);
    const now = args.services.clock.now();
    return { endpoints: endpoints.map((endpoint) => toEndpointJson(endpoint, now)) };
  },
  POST: async (args) => {
    const actor = await apiAdmin(args);
    const { id, secret } = await addEndpoint(args.services, actor, await readJson(args.request, newEndpointSchema));
    const endpoint = toEndpointJson(await getEndpoint(args.services, actor, id), args.services.clock.now());
    return json({ endpoint, secret }, { status: 201 });
  },
});
