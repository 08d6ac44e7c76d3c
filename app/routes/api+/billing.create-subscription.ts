import * as z from "zod";
import { api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiWriter } from "~/http/guards.server";
import { createSubscription } from "~/modules/accounts/billing/subscribe.server";
import { toSubscribingJson } from "~/modules/accounts/billing/subscription";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    await readJson(args.request, z.object({}));
    return toSubscribingJson(await createSubscription(args.services, actor));
  },
});
