import { api } from "~/http/api.server";
import { apiMember } from "~/http/guards.server";
import { toAuditJson } from "~/modules/audit/audit.json";
import { listAuditEntries } from "~/modules/audit/audit.queries.server";
import { parseAuditFilter } from "~/modules/audit/audit-filter";
import { seesEmails } from "~/modules/audit/mask-emails";

const MAX_CURSOR = 80;

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { searchParams } = new URL(args.request.url);
    const cursor = searchParams.get("cursor")?.slice(0, MAX_CURSOR) || undefined;
    const filter = parseAuditFilter(searchParams.get("by"));
    const { entries, nextCursor } = await listAuditEntries(args.services, actor, { cursor, filter });
    const whole = seesEmails(actor);
    return { entries: entries.map((entry) => toAuditJson(entry, { whole })), nextCursor };
  },
});
