import * as z from "zod";
import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { toVerificationJson } from "~/modules/payees/verifications/verification.json";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { checkAtOnce } from "~/modules/verifying/bank-checks/instant-check.server";

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
