import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { getPaymentFile } from "~/modules/payments/payment-files/payment-file.server";
import { replayFile } from "~/modules/payments/payment-files/replay.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { id: fileId } = await getPaymentFile(args.services, actor, idParam(args.params));
    return replayFile(args.services, { organizationId: actor.organizationId, fileId });
  },
});
