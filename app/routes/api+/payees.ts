import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiMember, apiWriter } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/commands/idempotency-key.schema.server";
import { recordReveal } from "~/modules/detail-reveals/record-reveal.commands.server";
import { addPayee } from "~/modules/payees/add-payee.commands.server";
import { toListedPayeeJson, toPayeeJson } from "~/modules/payees/payee.json";
import { newPayeeSchema } from "~/modules/payees/payee.schema.server";
import { listPayees } from "~/modules/payees/payee-list.queries.server";
import { readPayeesQuery } from "~/modules/payees/payee-list.schema.server";
import { getPayeeWithLatest } from "~/modules/payees/payee-page.queries.server";
import { toVerificationJson } from "~/modules/verifications/verification.json";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const query = readPayeesQuery(new URL(args.request.url).searchParams);
    const page = await listPayees(args.services, actor, query);
    return {
      payees: page.payees.map((payee) => toListedPayeeJson(payee, payee.latest)),
      nextCursor: page.next ?? null,
    };
  },
  POST: async (args) => {
    const actor = await apiWriter(args);
    const details = await readJson(args.request, newPayeeSchema);
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const { payeeId } = await addPayee(args.services, actor, { details, idempotencyKey });
    const { payee, latest } = await getPayeeWithLatest(args.services, actor, payeeId);
    // A repeated key answers what the payee has become: that may be another person's number by now.
    await recordReveal(args.services, actor, { entityType: "payee", entityId: payeeId });
    const verification = latest && { ...toVerificationJson(latest), evidence: latest.evidence };
    return json({ payee: toPayeeJson(payee, latest), verification }, { status: 201 });
  },
});
