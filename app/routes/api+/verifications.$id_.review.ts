import { api } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { toVerificationJson } from "~/modules/payees/verifications/verification.json";
import { reviewSchema } from "~/modules/verifying/review/review.schema.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const verificationId = idParam(args.params);
    const review = await readJson(args.request, reviewSchema);
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const verification = await reviewVerification(args.services, actor, { verificationId, review, idempotencyKey });
    await recordReveal(args.services, actor, { entityType: "verification", entityId: verificationId });
    return { verification: toVerificationJson(verification) };
  },
});
