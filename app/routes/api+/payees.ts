import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiMember, apiWriter } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { addPayee } from "~/modules/payees/add-payee.server";
import { toListedPayeeJson, toPayeeJson } from "~/modules/payees/payee.json";
import { getPayeeWithLatest } from "~/modules/payees/payee.server";
import { newPayeeSchema } from "~/modules/payees/payee-fields.server";
import { listPayees, readPayeesQuery } from "~/modules/payees/payee-list.server";
import { gradeOfListed } from "~/modules/payees/payee-standing";
import { toVerificationJson } from "~/modules/payees/verifications/verification.json";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const query = readPayeesQuery(new URL(args.request.url).searchParams);
    const page = await listPayees(args.services, actor, query);
    return {
      payees: page.payees.map((payee) => toListedPayeeJson(payee, payee.latest, gradeOfListed(payee))),
      nextCursor: page.next ?? null,
    };
  },
  POST: async (args) => {
    const { services } = args;
    const actor = await apiWriter(args);
    const details = await readJson(args.request, newPayeeSchema);
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const { payeeId, isRepeated } = await addPayee(services, actor, { details, idempotencyKey });
    const { payee, latest, grade } = await getPayeeWithLatest(services, actor, payeeId);
    // What was typed just now is no news to who typed it; a repeated key answers what the payee has become.
    if (isRepeated) await recordReveal(services, actor, { entityType: "payee", entityId: payeeId });
    const verification = latest && { ...toVerificationJson(latest), evidence: latest.evidence };
    return json({ payee: toPayeeJson(payee, latest, grade), verification }, { status: 201 });
  },
});
