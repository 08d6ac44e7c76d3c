import * as z from "zod";
import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { startVerification } from "~/modules/payees/start-verification.server";
import { toVerificationJson } from "~/modules/payees/verifications/verification.json";
import { getVerification } from "~/modules/payees/verifications/verification.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const payeeId = idParam(args.params);
    await readJson(args.request, z.object({}));
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const { verificationId } = await startVerification(args.services, actor, payeeId, idempotencyKey);
    const [opened] = await Promise.all([
      getVerification(args.services, actor, verificationId),
      recordReveal(args.services, actor, { entityType: "verification", entityId: verificationId }),
    ]);
    return json({ verification: { ...toVerificationJson(opened), evidence: opened.evidence } }, { status: 201 });
  },
});
