import * as z from "zod";
import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { toVerificationJson } from "~/modules/payees/verifications/verification.json";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";

/** The call has no options: whatever is sent is ignored. */
const ignored = z.looseObject({});

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const verificationId = idParam(args.params);
    await readJson(args.request, ignored);
    await startBankDataCheck(args.services, actor, { verificationId });
    const verification = await getVerification(args.services, actor, verificationId);
    await recordReveal(args.services, actor, { entityType: "verification", entityId: verificationId });
    return json({ verification: toVerificationJson(verification) }, { status: 202 });
  },
});
