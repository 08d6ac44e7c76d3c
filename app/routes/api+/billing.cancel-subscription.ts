import * as z from "zod";
import { api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiWriter } from "~/http/guards.server";
import { cancelSubscription } from "~/modules/accounts/billing/manage-subscription.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    await readJson(args.request, z.object({}));
    await cancelSubscription(args.services, actor);
    return { success: true };
  },
});
