import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiMember, apiWriter } from "~/http/guards.server";
import { newBulkCheckSchema } from "~/modules/verifying/bulk-checks/bulk-check.server";
import { listBulkChecksJson, readBulkCheckJson } from "~/modules/verifying/bulk-checks/bulk-check-json.server";
import { countPayeesToCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    return { bulkChecks: await listBulkChecksJson(args.services, actor) };
  },
  POST: async (args) => {
    const actor = await apiWriter(args);
    const choice = await readJson(args.request, newBulkCheckSchema);
    const { bulkCheckId } = await countPayeesToCheck(args.services, actor, choice);
    return json({ bulkCheck: await readBulkCheckJson(args.services, actor, bulkCheckId) }, { status: 202 });
  },
});
