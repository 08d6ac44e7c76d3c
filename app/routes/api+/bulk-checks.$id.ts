import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { readPosition } from "~/modules/verifying/bulk-checks/bulk-check.server";
import { readBulkCheckWithPayees } from "~/modules/verifying/bulk-checks/bulk-check-json.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const after = readPosition(new URL(args.request.url).searchParams);
    return readBulkCheckWithPayees(args.services, actor, idParam(args.params), after);
  },
});
