import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { ruleDecision } from "~/modules/payments/payment";
import { toPaymentJson, toRecorderJson, toStepJson } from "~/modules/payments/payment.json";
import { getPayment, listTransitions } from "~/modules/payments/payment.server";
import { currentReasons } from "~/modules/payments/reasons-now";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const id = idParam(args.params);
    const payment = await getPayment(args.services, actor, id);
    const [transitions] = await Promise.all([
      listTransitions(args.services, actor, id),
      recordReveal(args.services, actor, { entityType: "payment", entityId: id }),
    ]);
    const reasons = currentReasons(payment);
    return {
      payment: toPaymentJson(payment),
      decision: ruleDecision(reasons),
      reasons,
      recordedByUser: toRecorderJson(payment.recordedBy),
      transitions: transitions.map(toStepJson),
    };
  },
});
