import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { getPayment } from "~/modules/payments/payment.server";
import { replayPayment } from "~/modules/payments/replay-payment.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { id } = await getPayment(args.services, actor, idParam(args.params));
    const { different, ...replay } = await replayPayment(args.services, actor, id);
    return { ...replay, different, differentCount: different.length };
  },
});
