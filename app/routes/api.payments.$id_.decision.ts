import { api } from "~/http/api.server";
import { check, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { decidePayment } from "~/modules/payments/decide-payment.commands.server";
import { toPaymentJson } from "~/modules/payments/payment.json";
import { decisionSchema } from "~/modules/payments/payment.schema.server";
import { idempotencyKeySchema } from "~/modules/verifications/review.schema.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const paymentId = idParam(args.params);
    const decision = await readJson(args.request, decisionSchema);
    const key = args.request.headers.get("Idempotency-Key");
    const idempotencyKey = key === null ? undefined : check(idempotencyKeySchema, key);
    const payment = await decidePayment(args.services, actor, { paymentId, ...decision, idempotencyKey });
    return { payment: toPaymentJson(payment) };
  },
});
