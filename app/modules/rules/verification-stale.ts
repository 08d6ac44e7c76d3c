import { addMonths, formatDate, toIso } from "~/kernel/dates";
import type { Rule } from "./facts";

/**
 * Warns where nobody has looked at a payee for longer than the organisation allows. Money that arrived in the meantime
 * says as much as a look.
 */
export const verificationStale: Rule = {
  id: "verification_stale",
  label: "The last verification is too old",
  version: 1,
  defaultLevel: "warn",
  find({ payee, now, reverifyAfterMonths, timeZone }) {
    const last = payee?.latestDecided;
    if (!payee || last?.status !== "verified") return undefined;
    const verifiedAt = last.completedAt ?? last.createdAt;
    const since = addMonths(now, -reverifyAfterMonths);
    if (verifiedAt >= since || (payee.lastPaymentDate ?? 0) >= since) return undefined;
    return {
      message: `${payee.name} was last verified on ${formatDate(verifiedAt, timeZone)}, and no payment to it has been processed for ${monthsOf(reverifyAfterMonths)}.`,
      evidence: { payeeId: payee.id, verificationId: last.id, verifiedAt: toIso(verifiedAt), reverifyAfterMonths },
    };
  },
};

const monthsOf = (months: number) => (months === 1 ? "a month" : `${months} months`);
