import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { downloadAnswer } from "~/http/responses.server";
import { toPdf } from "~/modules/core/printed-documents/pdf-document";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { printedPack } from "~/modules/records/evidence-pack";
import { readEvidencePack } from "~/modules/records/evidence-pack.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const id = idParam(args.params);
    await sealAuditTrail(args.services);
    const pack = await readEvidencePack(args.services, actor, { type: "payment", id });
    const bytes = await toPdf(printedPack(pack, JSON.stringify(pack, null, 1)));
    return downloadAnswer({ name: `evidence-${id}.pdf`, bytes, type: "application/pdf" });
  },
});
