import { maskAccountNumber } from "~/kernel/account-number";
import { displayName } from "~/kernel/actor";
import { DAY_MS, formatDateTime, HOUR_MS, MINUTE_MS, toIso } from "~/kernel/dates";
import { type BankCheckStep, MATCH_TYPES } from "~/kernel/enums";
import type { ShownTime } from "~/kernel/shown-time";
import type { MatchType } from "~/modules/name-match";
import { type ShownVerdict, showVerdict, type VerdictRow } from "~/modules/payees/verifications/standing";
import type { VerificationSummary } from "~/modules/payees/verifications/verification";

/** Rows counted for a filter at most: beyond it the page says "99+". */
export const COUNT_CAP = 100;

/** One line of the review queue. The account number arrives masked: the full one stays on the server. */
export type PendingRow = {
  id: string;
  payeeName: string;
  accountName: string;
  bsb: string;
  maskedAccountNumber: string;
  /** Null: nothing was compared yet. */
  matchType: MatchType | null;
  nameMatchScore: number | null;
  verdict: ShownVerdict;
  /** "2 d" since the payee's link was sent, while it waits. */
  waiting: string | null;
  /** Cents of payments that wait for it. */
  heldCents: number;
  /** Null: the system opened it. */
  requestedBy: { name: string; email: string } | null;
  /** Who is to decide it; null: nobody in particular. */
  assignedTo: string | null;
  createdAt: Pick<ShownTime, "dateTime" | "exact">;
  age: string;
};

/** What the line needs of a pending verification. */
type Pending = Omit<VerificationSummary, "payee"> & {
  lookalikes: number;
  formerHolders: number;
  notificationSentAt: number | null;
  verifiedByPayeeAt: number | null;
  verificationTokenExpiresAt: number | null;
  checkStep: BankCheckStep | null;
  assignedTo: { firstName: string; lastName: string } | null;
  payee: VerificationSummary["payee"] & VerdictRow["payee"];
};

type Zone = { timeZone: string; now: number };

export function toPendingRow(verification: Pending, heldCents: number, zone: Zone): PendingRow {
  const { requestedBy, notificationSentAt: sentAt } = verification;
  const verdict = showVerdict({ ...verification, isCheckRunning: verification.checkStep !== null }, zone.now);
  return {
    id: verification.id,
    payeeName: verification.payee.name,
    accountName: verification.accountName,
    bsb: verification.bsb,
    maskedAccountNumber: maskAccountNumber(verification.accountNumber),
    matchType: isCompared(verification) ? verification.matchType : null,
    nameMatchScore: verification.nameMatchScore,
    verdict,
    waiting: verdict.name === "waiting" && sentAt !== null ? showAge(sentAt, zone.now) : null,
    heldCents,
    requestedBy: requestedBy && { name: displayName(requestedBy), email: requestedBy.email },
    assignedTo: verification.assignedTo && displayName(verification.assignedTo),
    createdAt: {
      dateTime: toIso(verification.createdAt),
      exact: formatDateTime(verification.createdAt, zone.timeZone),
    },
    age: showAge(verification.createdAt, zone.now),
  };
}

/** By us, with a score, or by the bank, which may say no without a name. */
const isCompared = ({ matchType, nameMatchScore, outcome }: Pending) =>
  nameMatchScore !== null || matchType !== "none" || outcome === "no_match";

/** How long ago, as short as a column: "now", "40 min", "5 h", "12 d". */
function showAge(ms: number, now: number): string {
  const passed = Math.max(0, now - ms);
  if (passed < MINUTE_MS) return "now";
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min`;
  return passed < DAY_MS ? `${Math.floor(passed / HOUR_MS)} h` : `${Math.floor(passed / DAY_MS)} d`;
}

/** `isAtLeast`: counting stopped before the end of the queue, so there may be more behind each. */
export type PendingCounts = { all: number; mine: number; isAtLeast?: boolean } & Record<MatchType, number>;

/**
 * Counts of the filters, ready to read. Counting a filter stops at the cap; where only one did, the rest of all is its
 * count. Where more did, all of them say so, and the whole in the same way.
 */
export function showCounts(
  counts: PendingCounts,
  { isSearch = false }: { isSearch?: boolean } = {},
): Record<"all" | "mine" | MatchType, string> {
  const capped = (count: number) => {
    if (counts.isAtLeast) return `${count}+`;
    return count >= COUNT_CAP ? `${COUNT_CAP - 1}+` : String(count);
  };
  const stopped = MATCH_TYPES.filter((match) => counts[match] >= COUNT_CAP);
  if (isSearch || stopped.length > 1) {
    return {
      all: capped(counts.all),
      mine: capped(counts.mine),
      exact: capped(counts.exact),
      fuzzy: capped(counts.fuzzy),
      none: capped(counts.none),
    };
  }
  const show = (match: MatchType) => {
    const others = MATCH_TYPES.filter((other) => other !== match).reduce((sum, other) => sum + counts[other], 0);
    return String(stopped.includes(match) ? Math.max(counts[match], counts.all - others) : counts[match]);
  };
  const mine = capped(counts.mine);
  return { all: String(counts.all), mine, exact: show("exact"), fuzzy: show("fuzzy"), none: show("none") };
}
