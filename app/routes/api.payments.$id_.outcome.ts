import { api } from "~/http/api.server";
import { check, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { toPaidPayeeJson, toPaymentJson } from "~/modules/payments/payment.json";
import { outcomeSchema } from "~/modules/payments/payment.schema.server";
import { recordOutcome } from "~/modules/payments/record-outcome.commands.server";
import { idempotencyKeySchema } from "~/modules/verifications/review.schema.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const paymentId = idParam(args.params);
    const outcome = await readJson(args.request, outcomeSchema);
    const key = args.request.headers.get("Idempotency-Key");
    const idempotencyKey = key === null ? undefined : check(idempotencyKeySchema, key);
    const payment = await recordOutcome(args.services, actor, { paymentId, ...outcome, idempotencyKey });
    return {
      payment: toPaymentJson(payment),
      payee: payment.payee && toPaidPayeeJson(payment.payee, payment.latest),
    };
  },
});
