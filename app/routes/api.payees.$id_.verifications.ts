import * as z from "zod";
import { api, json } from "~/http/api.server";
import { check, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { startVerification } from "~/modules/payees/start-verification.commands.server";
import { idempotencyKeySchema } from "~/modules/verifications/review.schema.server";
import { toVerificationJson } from "~/modules/verifications/verification.json";
import { getVerification } from "~/modules/verifications/verification.queries.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const payeeId = idParam(args.params);
    await readJson(args.request, z.object({}));
    const key = args.request.headers.get("Idempotency-Key");
    const idempotencyKey = key === null ? undefined : check(idempotencyKeySchema, key);
    const { verificationId } = await startVerification(args.services, actor, payeeId, idempotencyKey);
    const opened = await getVerification(args.services, actor, verificationId);
    return json({ verification: { ...toVerificationJson(opened), evidence: opened.evidence } }, { status: 201 });
  },
});
