import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { toFileJson } from "~/modules/payments/payment-files/payment-file.json";
import { getPaymentFile } from "~/modules/payments/payment-files/payment-file.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    return { file: toFileJson(await getPaymentFile(args.services, actor, idParam(args.params))) };
  },
});
