import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { sendLinkSchema } from "~/modules/payees/payee-links/payee-link.schema.server";
import { sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { toVerificationJson } from "~/modules/payees/verifications/verification.json";
import { getVerification } from "~/modules/payees/verifications/verification.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const verificationId = idParam(args.params);
    const { channel } = await readJson(args.request, sendLinkSchema);
    await sendPayeeLink(args.services, actor, { verificationId, channel });
    const verification = await getVerification(args.services, actor, verificationId);
    await recordReveal(args.services, actor, { entityType: "verification", entityId: verificationId });
    return json({ verification: toVerificationJson(verification) }, { status: 202 });
  },
});
