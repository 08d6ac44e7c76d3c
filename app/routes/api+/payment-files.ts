import { api, json } from "~/http/api.server";
import { readHeader, readUpload } from "~/http/body.server";
import { apiMember, apiWriter } from "~/http/guards.server";
import { maskAccountNumber } from "~/kernel/account-number";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { listLines } from "~/modules/payments/payment-files/file-lines.server";
import { MAX_FILE_BYTES, MAX_LINES_IN_ANSWER } from "~/modules/payments/payment-files/payment-file";
import { toFileJson, toLineJson } from "~/modules/payments/payment-files/payment-file.json";
import {
  getPaymentFile,
  listPaymentFiles,
  readFilesCursor,
} from "~/modules/payments/payment-files/payment-file.server";
import { uploadFile } from "~/modules/payments/payment-files/upload-file.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const page = await listPaymentFiles(args.services, actor, readFilesCursor(new URL(args.request.url).searchParams));
    return { files: page.files.map(toFileJson), nextCursor: page.next ?? null };
  },
  POST: async (args) => {
    const actor = await apiWriter(args);
    const { services, request } = args;
    const idempotencyKey = readHeader(request, "Idempotency-Key", idempotencyKeySchema);
    const upload = await readUpload(request, MAX_FILE_BYTES);
    const { fileId, isNew } = await uploadFile(services, actor, { ...upload, idempotencyKey });
    const file = await getPaymentFile(services, actor, fileId);
    if (file.status === "checking") return json({ file: toFileJson(file) }, { status: 202 });
    const status = isNew ? 201 : 200;
    const limit = MAX_LINES_IN_ANSWER;
    if (file.lineCount > limit) return json({ file: toFileJson(file) }, { status });
    const { lines } = await listLines(services, actor, { fileId, filter: {}, limit });
    const masked = lines.map((line) => ({ ...line, accountNumber: maskAccountNumber(line.accountNumber) }));
    return json({ file: toFileJson(file), lines: masked.map(toLineJson) }, { status });
  },
});
