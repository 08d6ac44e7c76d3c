import { formatDateTime, toIso } from "~/kernel/dates";
import { isForCurrentDetails } from "~/kernel/payee";
import type { PayeeFacts, Rule } from "./facts";
import { tellChange } from "./last-change";

/** True if a decision was made about exactly these details after they were last changed. A check that failed is no decision. */
function isDecided({ latestDecided, ...payee }: PayeeFacts, changedAt: number): boolean {
  if (!latestDecided) return false;
  return (latestDecided.completedAt ?? 0) >= changedAt && isForCurrentDetails(payee, latestDecided);
}

/**
 * Holds money for a payee whose bank details changed since the last decision about them. Trust given by hand or by
 * promotion is a decision too, and every change takes it away.
 */
export const detailsChanged: Rule = {
  id: "details_changed",
  label: "Bank details changed since the last decision",
  version: 1,
  defaultLevel: "hold",
  find(facts) {
    const { payee, timeZone } = facts;
    if (!payee || payee.bankDetailsChangedAt === null || payee.whitelisted) return undefined;
    if (isDecided(payee, payee.bankDetailsChangedAt)) return undefined;
    const changedOn = formatDateTime(payee.bankDetailsChangedAt, timeZone);
    const change = tellChange(facts);
    return {
      message: `The bank details of ${payee.name} changed on ${changedOn}, and no one has decided about them since.${change === undefined ? "" : ` ${change}`}`,
      evidence: { payeeId: payee.id, bankDetailsChangedAt: toIso(payee.bankDetailsChangedAt) },
    };
  },
};
