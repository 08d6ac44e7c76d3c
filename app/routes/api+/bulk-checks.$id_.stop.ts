import * as z from "zod";
import { api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { readBulkCheckJson } from "~/modules/verifying/bulk-checks/bulk-check-json.server";
import { stopBulkCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const id = idParam(args.params);
    await readJson(args.request, z.object({}));
    await stopBulkCheck(args.services, actor, id);
    return { bulkCheck: await readBulkCheckJson(args.services, actor, id) };
  },
});
