import * as z from "zod";
import { api } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const fileId = idParam(args.params);
    await readJson(args.request, z.object({}));
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    return { clearing: await clearFile(args.services, actor, { fileId, idempotencyKey }) };
  },
});
