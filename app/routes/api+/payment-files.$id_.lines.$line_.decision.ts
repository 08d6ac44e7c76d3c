import { api } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { maskAccountNumber } from "~/kernel/account-number";
import { notFound } from "~/kernel/app-error";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { decideLines } from "~/modules/payments/payment-files/decide-lines.server";
import { getLine } from "~/modules/payments/payment-files/file-lines.server";
import { toLineJson } from "~/modules/payments/payment-files/payment-file.json";
import { lineDecisionSchema, readLineNumber } from "~/modules/payments/payment-files/payment-file.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const { services, request, params } = args;
    const fileId = idParam(params);
    const line = readLineNumber(params.line);
    if (line === undefined) throw notFound();
    const posted = await readJson(request, lineDecisionSchema);
    const idempotencyKey = readHeader(request, "Idempotency-Key", idempotencyKeySchema);
    await getLine(services, actor, { fileId, line });
    await decideLines(services, actor, { fileId, choice: { lines: [line] }, ...posted, idempotencyKey });
    const decided = await getLine(services, actor, { fileId, line });
    return { line: toLineJson({ ...decided, accountNumber: maskAccountNumber(decided.accountNumber) }) };
  },
});
