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
 * Holds money for a payee whose bank details or name changed since the last decision about them. Trust given by hand or by
 * promotion is a decision too, and every change takes it away. Nobody has verified the new account, so each line that pays
 * it is looked at by itself.
 */
export const detailsChanged: Rule = {
  id: "details_changed",
  label: "Bank details or name changed since the last decision",
  version: 1,
  defaultLevel: "hold",
  decidedSingly: "always",
  find(facts) {
    const { payee, timeZone } = facts;
    if (!payee || payee.whitelisted) return undefined;
    const { id: payeeId, name, bankDetailsChangedAt: bank, renamedAt = null } = payee;
    const isOpen = (changedAt: number | null): changedAt is number =>
      changedAt !== null && !isDecided(payee, changedAt);
    const changes = [
      ...(isOpen(bank) ? [`The bank details of ${name} changed on ${formatDateTime(bank, timeZone)}`] : []),
      ...(isOpen(renamedAt) ? [`${name} was given this name on ${formatDateTime(renamedAt, timeZone)}`] : []),
    ];
    if (changes.length === 0) return undefined;
    const change = isOpen(bank) ? tellChange(facts) : undefined;
    return {
      message: `${changes.join(". ")}, and no one has decided about ${isOpen(bank) ? "them" : "it"} since.${change === undefined ? "" : ` ${change}`}`,
      evidence: {
        payeeId,
        ...(isOpen(bank) ? { bankDetailsChangedAt: toIso(bank) } : {}),
        ...(isOpen(renamedAt) ? { renamedAt: toIso(renamedAt) } : {}),
      },
    };
  },
};
