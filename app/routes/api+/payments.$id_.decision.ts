import { api } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { toPaymentJson } from "~/modules/payments/payment.json";
import { decisionSchema } from "~/modules/payments/payment.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const paymentId = idParam(args.params);
    const decision = await readJson(args.request, decisionSchema);
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const payment = await decidePayment(args.services, actor, { paymentId, ...decision, idempotencyKey });
    await recordReveal(args.services, actor, { entityType: "payment", entityId: paymentId });
    return { payment: toPaymentJson(payment) };
  },
});
