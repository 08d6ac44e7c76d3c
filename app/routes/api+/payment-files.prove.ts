import { api } from "~/http/api.server";
import { readJson, readUpload } from "~/http/body.server";
import { apiMember } from "~/http/guards.server";
import { MAX_FILE_BYTES } from "~/modules/payments/payment-files/payment-file";
import { toProofJson } from "~/modules/payments/payment-files/payment-file.json";
import { parseSha256, proveSchema } from "~/modules/payments/payment-files/payment-file.server";
import { proveFile, proveHash } from "~/modules/payments/payment-files/prove-file.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiMember(args);
    const { services, request } = args;
    if (request.headers.get("Content-Type")?.startsWith("application/json")) {
      const { sha256 } = await readJson(request, proveSchema);
      return toProofJson(await proveHash(services, actor, parseSha256(sha256)));
    }
    const { bytes } = await readUpload(request, MAX_FILE_BYTES);
    return toProofJson(await proveFile(services, actor, bytes));
  },
});
