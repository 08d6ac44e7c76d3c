import { api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { assignedTo } from "~/modules/payees/verifications/verification.json";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { assignmentSchema, assignVerification } from "~/modules/verifying/assign.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const verificationId = idParam(args.params);
    const { assigneeId } = await readJson(args.request, assignmentSchema);
    await assignVerification(args.services, actor, { verificationId, assigneeId });
    return { assignedTo: assignedTo(await getVerification(args.services, actor, verificationId)) };
  },
});
