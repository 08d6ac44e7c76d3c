import { api } from "~/http/api.server";
import { check } from "~/http/body.server";
import { apiMember } from "~/http/guards.server";
import { exportSchema } from "~/modules/audit/anchor.schema.server";
import { seesEmails } from "~/modules/audit/mask-emails";
import { exportTrail } from "~/modules/audit/seals.queries.server";
import { sealAuditTrail } from "~/modules/audit-seals/seals.commands.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    // Each line carries its seal, so what is not sealed yet is sealed first.
    await sealAuditTrail(args.services);
    const url = new URL(args.request.url);
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
