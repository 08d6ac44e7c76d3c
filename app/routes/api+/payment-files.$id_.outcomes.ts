import { api } from "~/http/api.server";
import { readHeader, readJson, readUpload } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { outcomesSchema, parseReturns } from "~/modules/payments/payment-files/outcomes.server";
import { MAX_FILE_BYTES } from "~/modules/payments/payment-files/payment-file";
import { recordFileOutcomes } from "~/modules/payments/payment-files/record-outcomes.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const { services, request, params } = args;
    const fileId = idParam(params);
    const idempotencyKey = readHeader(request, "Idempotency-Key", idempotencyKeySchema);
    if (/^(text\/|multipart\/)/.test(request.headers.get("Content-Type") ?? "")) {
      const { bytes } = await readUpload(request, MAX_FILE_BYTES);
      return recordFileOutcomes(services, actor, { fileId, ...parseReturns(bytes), idempotencyKey });
    }
    const { processedAt, ...outcome } = await readJson(request, outcomesSchema);
    return recordFileOutcomes(services, actor, { fileId, outcome, processedAt, idempotencyKey });
  },
});
