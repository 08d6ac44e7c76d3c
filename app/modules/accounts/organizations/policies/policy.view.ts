import { formatAud } from "~/kernel/money";
import { CHOSEN_RULES } from "~/modules/rules";
import type { PolicyRuleLevel } from "~/modules/rules/payment-reason";
import type { Policy } from "./policy";

/** The policies as their form shows them. */
export type PolicyView = {
  version: number;
  values: Record<string, string>;
  rules: { id: string; label: string; defaultLevel: PolicyRuleLevel }[];
};

const flag = (name: string, isOn: boolean): Record<string, string> => (isOn ? { [name]: "on" } : {});

export function toPolicyView(policy: Policy, version: number): PolicyView {
  const rules = CHOSEN_RULES.map(({ id, label, defaultLevel }) => ({ id, label, defaultLevel }));
  return {
    version,
    rules,
    values: {
      ...flag("secondPersonRequired", policy.secondPersonRequired),
      ...flag("autoApproveExact", policy.autoApproveExact),
      ...flag("acceptVouching", policy.acceptVouching),
      ...flag("twoStepRequired", policy.twoStepRequired),
      reverifyAfterMonths: String(policy.reverifyAfterMonths),
      firstPaymentLimitCents: formatAud(policy.firstPaymentLimitCents).replace("$", ""),
      promotionMinSpanDays: String(policy.promotionMinSpanDays),
      promotionMinDistinctDays: String(policy.promotionMinDistinctDays),
      approvalEvidence: policy.approvalEvidence,
      timeZone: policy.timeZone,
      ...Object.fromEntries(
        rules.map(({ id, defaultLevel }) => [`ruleLevels.${id}`, policy.ruleLevels[id] ?? defaultLevel]),
      ),
    },
  };
}
