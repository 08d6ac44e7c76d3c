import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiMember, apiWriter } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { askPayee } from "~/modules/payees/payee-requests/ask-payee.server";
import { toRequestJson } from "~/modules/payees/payee-requests/payee-request.json";
import {
  getRequest,
  listRequests,
  newRequestSchema,
  readRequestsQuery,
} from "~/modules/payees/payee-requests/payee-request.server";

export const { loader, action } = api({
  GET: async ({ services, ...args }) => {
    const actor = await apiMember({ services, ...args });
    const page = await listRequests(services, actor, readRequestsQuery(new URL(args.request.url).searchParams));
    const now = services.clock.now();
    return { requests: page.rows.map(({ request }) => toRequestJson(request, now)), nextCursor: page.next ?? null };
  },
  POST: async (args) => {
    const actor = await apiWriter(args);
    const request = await readJson(args.request, newRequestSchema);
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const { requestId } = await askPayee(args.services, actor, { request, idempotencyKey });
    const row = await getRequest(args.services, actor, requestId);
    return json({ request: toRequestJson(row, args.services.clock.now()) }, { status: 201 });
  },
});
