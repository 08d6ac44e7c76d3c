import type { OrganizationRole } from "~/kernel/enums";
import { type Approval, isOwnWork } from "~/modules/payees/second-person";
import { approvalLimitOf, type PaymentLimits } from "~/modules/payments/payment-facts/payment-limits";

/** Who else may approve a payment, for a person who may not. Pure: no database, no clock. */

export type Colleague = { userId: string; name: string; role: OrganizationRole };

type Asked = {
  /** Whose own work an approval would be; null: the organisation requires no second person. */
  approval: Approval | null;
  limits: PaymentLimits;
  /** Integer cents. */
  amount: number;
};

/** Names in a sentence at most. */
const MAX_NAMED = 3;
const NAMES = new Intl.ListFormat("en-AU", { type: "disjunction" });

/** The colleagues who may approve this payment now: their role allows the amount, and it is not their own work. */
export function whoMayApprove(colleagues: readonly Colleague[], { approval, limits, amount }: Asked): Colleague[] {
  return colleagues.filter(({ userId, role }) => {
    const limit = approvalLimitOf(limits, role);
    const isWithinLimit = limit === null || amount <= limit;
    return role !== "read_only" && isWithinLimit && !(approval && isOwnWork(approval, userId));
  });
}

/** The same in a sentence, with what to do where there is no such person. */
export function describeApprovers(approvers: readonly Colleague[]): string {
  if (approvers.length === 0) {
    return "No one else in your organisation may approve it now. An administrator can invite a second person or raise an approval limit.";
  }
  const named = approvers.slice(0, MAX_NAMED).map(({ name }) => name);
  const others = approvers.length - named.length;
  const all = others > 0 ? [...named, `${others} other ${others === 1 ? "person" : "people"}`] : named;
  return `${NAMES.format(all)} may approve it.`;
}
