import * as z from "zod";
import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { checkAtOnce } from "~/modules/bank-checks/instant-check.commands.server";
import { idempotencyKeySchema } from "~/modules/commands/idempotency-key.schema.server";
import { recordReveal } from "~/modules/detail-reveals/record-reveal.commands.server";
import { toVerificationJson } from "~/modules/verifications/verification.json";
import { getVerification } from "~/modules/verifications/verification.queries.server";

/** The call has no options: whatever is sent is ignored. */
const ignored = z.looseObject({});

export const { loader, action } = api({
  POST: async (args) => {
    const { request, services } = args;
    const actor = await apiWriter(args);
    const verificationId = idParam(args.params);
    const idempotencyKey = readHeader(request, "Idempotency-Key", idempotencyKeySchema);
    await readJson(request, ignored);
    const { state } = await checkAtOnce(services, actor, { verificationId, idempotencyKey });
    const verification = await getVerification(services, actor, verificationId);
    await recordReveal(services, actor, { entityType: "verification", entityId: verificationId });
    return json({ verification: toVerificationJson(verification) }, { status: state === "running" ? 202 : 200 });
  },
});
