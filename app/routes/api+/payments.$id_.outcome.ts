import { api } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { findPayeeGrade } from "~/modules/payees/payee.server";
import { toPaidPayeeJson, toPaymentJson } from "~/modules/payments/payment.json";
import { outcomeSchema } from "~/modules/payments/payment.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const paymentId = idParam(args.params);
    const outcome = await readJson(args.request, outcomeSchema);
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const payment = await recordOutcome(args.services, actor, { paymentId, ...outcome, idempotencyKey });
    await recordReveal(args.services, actor, { entityType: "payment", entityId: paymentId });
    const { payee, latest } = payment;
    const grade = payee && (await findPayeeGrade(args.services, actor, payee.id));
    return { payment: toPaymentJson(payment), payee: payee && toPaidPayeeJson(payee, latest, grade) };
  },
});
