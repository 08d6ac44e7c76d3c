import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiMember, apiWriter } from "~/http/guards.server";
import { readAheadOfPost } from "~/http/read-ahead.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency-key.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { addAndShowPayee, readForPayee } from "~/modules/payees/add-payee.server";
import { toListedPayeeJson, toPayeeJson } from "~/modules/payees/payee.json";
import { newPayeeSchema } from "~/modules/payees/payee.server";
import { listPayees, readPayeesQuery } from "~/modules/payees/payee-list.server";
import { gradeOfListed } from "~/modules/payees/payee-list.view";
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
    const { posted, read } = await readAheadOfPost(args, readPayee(args.request), (reader, asked) =>
      readForPayee(services, reader, asked),
    );
    const actor = await apiWriter(args);
    const { payee, latest, grade, isRepeated } = await addAndShowPayee(services, actor, posted(), read(actor));
    if (isRepeated) await recordReveal(services, actor, { entityType: "payee", entityId: payee.id });
    const verification = latest && { ...toVerificationJson(latest), evidence: latest.evidence };
    return json({ payee: toPayeeJson(payee, latest, grade), verification }, { status: 201 });
  },
});

async function readPayee(request: Request) {
  const details = await readJson(request, newPayeeSchema);
  return { details, idempotencyKey: readHeader(request, "Idempotency-Key", idempotencyKeySchema) };
}
