import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { readEvidencePack } from "~/modules/records/evidence-pack.server";

/** Each entry carries its seal, so what is not sealed yet is sealed first. */
export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const id = idParam(args.params);
    await sealAuditTrail(args.services);
    return readEvidencePack(args.services, actor, { type: "payee", id });
  },
});
