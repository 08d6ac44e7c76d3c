import { api } from "~/http/api.server";
import { apiMember } from "~/http/guards.server";
import { seesEmails } from "~/modules/audit/mask-emails";
import { exportTrail } from "~/modules/audit/seals.queries.server";
import { sealAuditTrail } from "~/modules/audit-seals/seals.commands.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    // Each line carries its seal, so what is not sealed yet is sealed first.
    await sealAuditTrail(args.services);
    return new Response(await exportTrail(args.services, actor.organizationId, { whole: seesEmails(actor) }), {
      headers: {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "Content-Disposition": 'attachment; filename="audit-trail.ndjson"',
      },
    });
  },
});
