import { api } from "~/http/api.server";
import { apiMember } from "~/http/guards.server";
import { toVerificationListJson } from "~/modules/payees/verifications/verification.json";
import { listVerificationsOf, readVerificationFilter } from "~/modules/verifying/review/verification-list.server";

const PAGE_SIZE = 100;

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { filter, after } = readVerificationFilter(new URL(args.request.url).searchParams);
    const { timeZone } = actor;
    const list = await listVerificationsOf(args.services, actor, { filter, timeZone, after, limit: PAGE_SIZE });
    return { verifications: list.verifications.map(toVerificationListJson), nextCursor: list.next ?? null };
  },
});
