import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { commentOnVerification, commentSchema } from "~/modules/verifying/comment.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const verificationId = idParam(args.params);
    const { text } = await readJson(args.request, commentSchema);
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const { told } = await commentOnVerification(args.services, actor, { verificationId, text, idempotencyKey });
    return json({ comment: { text, told } }, { status: 201 });
  },
});
