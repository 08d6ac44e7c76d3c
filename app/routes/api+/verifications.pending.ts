import { api } from "~/http/api.server";
import { apiMember } from "~/http/guards.server";
import { toVerificationListJson } from "~/modules/payees/verifications/verification.json";
import { listPendingVerifications, readPendingFilter } from "~/modules/verifying/review/pending.server";

/** Everything that waits is answered at once, up to this many, unless the call asks for pages with `limit`. */
const ALL = 1000;

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { searchParams } = new URL(args.request.url);
    const isPaged = searchParams.has("limit");
    const filter = readPendingFilter(searchParams, "newest");
    const limit = isPaged ? filter.limit : ALL;
    const page = await listPendingVerifications(args.services, actor, { ...filter, limit });
    return {
      verifications: page.verifications.map(toVerificationListJson),
      nextCursor: page.next ?? null,
      /** More wait than this answer has; `nextCursor` leads on. */
      truncated: page.next !== undefined,
    };
  },
});
