import { api } from "~/http/api.server";
import { check } from "~/http/body.server";
import { apiMember } from "~/http/guards.server";
import { anchorSchema, verifyTrail } from "~/modules/core/audit/seals.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { searchParams } = new URL(args.request.url);
    return verifyTrail(args.services, actor.organizationId, check(anchorSchema, Object.fromEntries(searchParams)));
  },
});
