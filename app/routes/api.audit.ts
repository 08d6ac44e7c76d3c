import { api } from "~/http/api.server";
import { apiMember } from "~/http/guards.server";
import { toAuditJson } from "~/modules/audit/audit.json";
import { listAuditEntries } from "~/modules/audit/audit.queries.server";

const MAX_CURSOR = 80;

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const cursor = new URL(args.request.url).searchParams.get("cursor")?.slice(0, MAX_CURSOR) || undefined;
    const { entries, nextCursor } = await listAuditEntries(args.services, actor, { cursor });
    return { entries: entries.map(toAuditJson), nextCursor };
  },
});
