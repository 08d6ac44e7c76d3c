import type { PaymentReason } from "~/modules/rules/payment-reason";

/** Which reasons now hold a line that no one has decided about. Pure. */

type Line = {
  /** The reasons that the rules found when the line was last judged. */
  reasons: readonly PaymentReason[];
  /** A person approved the line, knowing those reasons. */
  isApproved: boolean;
};

const keyOf = ({ rule, evidence }: PaymentReason) => JSON.stringify([rule, evidence]);

/**
 * The holding reasons found now that a person did not approve: all of them for a line that no one decided, and those that
 * are new, or rest on other evidence, for one that a person approved.
 */
export function findNewHolds(line: Line, now: readonly PaymentReason[]): PaymentReason[] {
  const accepted = new Set(line.isApproved ? line.reasons.map(keyOf) : []);
  return now.filter((reason) => reason.level === "hold" && !accepted.has(keyOf(reason)));
}
