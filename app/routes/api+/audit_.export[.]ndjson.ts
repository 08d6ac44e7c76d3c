import { type ApiArgs, api } from "~/http/api.server";
import { check } from "~/http/body.server";
import { apiMember } from "~/http/guards.server";
import { streamedDownload } from "~/http/responses.server";
import type { Actor } from "~/kernel/actor";
import { type AuditFilter, isNarrowed, readAuditFilter } from "~/modules/core/audit/audit-filter";
import { seesEmails } from "~/modules/core/audit/mask-emails";
import { exportSchema, exportTrail } from "~/modules/core/audit/seals.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { auditNdjson } from "~/modules/records/audit-trail/audit-file.server";

const MAX_CURSOR = 80;

/** A part of the trail, newest first, each entry with its seal and a sentence. Alone it proves no chain: the whole does. */
function filteredExport({ services, request }: ApiArgs, actor: Actor, filter: AuditFilter): Response {
  const cursor = new URL(request.url).searchParams.get("cursor")?.slice(0, MAX_CURSOR) || undefined;
  const lines = auditNdjson(services, actor, { filter, cursor, whole: seesEmails(actor) });
  return streamedDownload({ name: "audit-trail-filtered.ndjson", lines, type: "application/x-ndjson" });
}

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    // Each line carries its seal, so what is not sealed yet is sealed first.
    await sealAuditTrail(args.services);
    const url = new URL(args.request.url);
    const filter = readAuditFilter(url.searchParams);
    if (isNarrowed(filter)) return filteredExport(args, actor, filter);
    const { after } = check(exportSchema, Object.fromEntries(url.searchParams));
    const part = await exportTrail(args.services, actor.organizationId, { whole: seesEmails(actor), after });
    const isWhole = part.first === 1 && part.next === undefined;
    const name = isWhole ? "audit-trail" : `audit-trail-${part.first}-${part.last}`;
    return new Response(part.lines, {
      headers: {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "Content-Disposition": `attachment; filename="${name}.ndjson"`,
        ...(part.next === undefined ? {} : { Link: `<${url.pathname}?after=${part.next}>; rel="next"` }),
      },
    });
  },
});
