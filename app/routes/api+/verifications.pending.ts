import { api } from "~/http/api.server";
import { apiMember } from "~/http/guards.server";
import { listPendingVerifications } from "~/modules/review/pending.queries.server";
import { readPendingFilter } from "~/modules/review/pending.schema.server";
import { toVerificationListJson } from "~/modules/verifications/verification.json";

/** Page size of the call, unless `limit` says otherwise. */
const DEFAULT_LIMIT = 100;

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { searchParams } = new URL(args.request.url);
    if (!searchParams.has("limit")) searchParams.set("limit", String(DEFAULT_LIMIT));
    const page = await listPendingVerifications(args.services, actor, readPendingFilter(searchParams));
    return { verifications: page.verifications.map(toVerificationListJson), nextCursor: page.next ?? null };
  },
});
