import { maskAccountNumber } from "~/kernel/account-number";
import { displayName } from "~/kernel/actor";
import { MATCH_TYPES } from "~/kernel/enums";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import type { MatchType } from "~/modules/name-match";
import type { VerificationSummary } from "~/modules/verifications/verification.json";

/** Rows counted for a filter at most: beyond it the page says "99+". */
export const COUNT_CAP = 100;

/** One line of the review queue. The account number arrives masked: the full one stays on the server. */
export type PendingRow = {
  id: string;
  payeeName: string;
  accountName: string;
  bsb: string;
  maskedAccountNumber: string;
  matchType: MatchType;
  nameMatchScore: number | null;
  isDisputed: boolean;
  /** Null: the system opened it. */
  requestedBy: { name: string; email: string } | null;
  createdAt: ShownTime;
};

export function toPendingRow(verification: VerificationSummary, zone: { timeZone: string; now: number }): PendingRow {
  const { requestedBy } = verification;
  return {
    id: verification.id,
    payeeName: verification.payee.name,
    accountName: verification.accountName,
    bsb: verification.bsb,
    maskedAccountNumber: maskAccountNumber(verification.accountNumber),
    matchType: verification.matchType,
    nameMatchScore: verification.nameMatchScore,
    isDisputed: verification.disputedByPayeeAt !== null,
    requestedBy: requestedBy && { name: displayName(requestedBy), email: requestedBy.email },
    createdAt: showTime(verification.createdAt, zone),
  };
}

/**
 * Counts of the filters, ready to read. Counting a filter stops at the cap; where only one did, the rest of all is its
 * count. Where more did, all of them say so, and the whole in the same way.
 */
export function showCounts(counts: { all: number } & Record<MatchType, number>): Record<"all" | MatchType, string> {
  const capped = (count: number) => (count >= COUNT_CAP ? `${COUNT_CAP - 1}+` : String(count));
  const stopped = MATCH_TYPES.filter((match) => counts[match] >= COUNT_CAP);
  if (stopped.length > 1) {
    return {
      all: capped(counts.all),
      exact: capped(counts.exact),
      fuzzy: capped(counts.fuzzy),
      none: capped(counts.none),
    };
  }
  const show = (match: MatchType) => {
    const others = MATCH_TYPES.filter((other) => other !== match).reduce((sum, other) => sum + counts[other], 0);
    return String(stopped.includes(match) ? Math.max(counts[match], counts.all - others) : counts[match]);
  };
  return { all: String(counts.all), exact: show("exact"), fuzzy: show("fuzzy"), none: show("none") };
}
