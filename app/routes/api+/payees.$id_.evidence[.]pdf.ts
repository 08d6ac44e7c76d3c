import { api } from "~/http/api.server";
import { downloadAnswer } from "~/http/download.server";
import { apiMember, idParam } from "~/http/guards.server";
import { sealAuditTrail } from "~/modules/audit-seals/seals.commands.server";
import { printedPack } from "~/modules/evidence-packs/evidence-pack";
import { readEvidencePack } from "~/modules/evidence-packs/evidence-pack.queries.server";
import { toPdf } from "~/modules/printed-documents/pdf-document";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const id = idParam(args.params);
    await sealAuditTrail(args.services);
    const pack = await readEvidencePack(args.services, actor, { type: "payee", id });
    const bytes = await toPdf(printedPack(pack, JSON.stringify(pack, null, 1)));
    return downloadAnswer({ name: `evidence-${id}.pdf`, bytes, type: "application/pdf" });
  },
});
