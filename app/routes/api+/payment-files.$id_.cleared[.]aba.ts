import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { downloadAnswer } from "~/http/responses.server";
import { downloadCleared } from "~/modules/payments/payment-files/download-file.server";
import { readClearingId } from "~/modules/payments/payment-files/payment-file.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const clearingId = readClearingId(new URL(args.request.url).searchParams);
    return downloadAnswer(await downloadCleared(args.services, actor, { fileId: idParam(args.params), clearingId }));
  },
});
