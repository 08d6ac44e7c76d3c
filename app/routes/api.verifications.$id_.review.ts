import { api } from "~/http/api.server";
import { check, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { reviewVerification } from "~/modules/verifications/review.commands.server";
import { idempotencyKeySchema, reviewSchema } from "~/modules/verifications/review.schema.server";
import { toVerificationJson } from "~/modules/verifications/verification.json";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const verificationId = idParam(args.params);
    const review = await readJson(args.request, reviewSchema);
    const key = args.request.headers.get("Idempotency-Key");
    const idempotencyKey = key === null ? undefined : check(idempotencyKeySchema, key);
    const verification = await reviewVerification(args.services, actor, { verificationId, review, idempotencyKey });
    return { verification: toVerificationJson(verification) };
  },
});
