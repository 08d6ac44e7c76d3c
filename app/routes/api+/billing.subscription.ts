import { api } from "~/http/api.server";
import { apiMember } from "~/http/guards.server";
import { notFound } from "~/kernel/app-error";
import { findAccount } from "~/modules/accounts/billing/account.server";
import { toSubscriptionJson } from "~/modules/accounts/billing/subscription";

export const { loader, action } = api({
  GET: async (args) => {
    const { organizationId } = await apiMember(args);
    const account = await findAccount(args.services, organizationId);
    if (!account) throw notFound();
    return toSubscriptionJson(account);
  },
});
