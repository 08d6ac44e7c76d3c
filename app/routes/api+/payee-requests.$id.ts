import { api } from "~/http/api.server";
import { apiMember, apiWriter, idParam } from "~/http/guards.server";
import { cancelRequest } from "~/modules/payees/payee-requests/ask-payee.server";
import { toRequestJson } from "~/modules/payees/payee-requests/payee-request.json";
import { getRequest } from "~/modules/payees/payee-requests/payee-request.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const row = await getRequest(args.services, actor, idParam(args.params));
    return { request: toRequestJson(row, args.services.clock.now()) };
  },
  DELETE: async (args) => {
    const actor = await apiWriter(args);
    const id = idParam(args.params);
    await cancelRequest(args.services, actor, id);
    return { request: toRequestJson(await getRequest(args.services, actor, id), args.services.clock.now()) };
  },
});
