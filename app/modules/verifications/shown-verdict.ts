import type { VerificationStatus } from "~/kernel/enums";
import { type FlagFacts, findReviewFlags } from "./review-flags";
import {
  type ChangeLook,
  changeOf,
  isWaitingForPayee,
  lookOf,
  type VerdictLook,
  type VerdictName,
  verdictOf,
} from "./verdict";

/** A verification as a row of a list has it, as far as its verdict looks at it. Instants in epoch milliseconds. */
export type VerdictRow = FlagFacts & {
  status: VerificationStatus;
  isCheckRunning: boolean;
  notificationSentAt: number | null;
  verifiedByPayeeAt: number | null;
  verificationTokenExpiresAt: number | null;
};

/** What every list draws of an open verification: the verdict's word and what was changed. */
export type ShownVerdict = VerdictLook & { name: VerdictName; change: ChangeLook | null };

/** The same verdict as on the verification's own page. Pure. */
export function showVerdict(row: VerdictRow, now: number): ShownVerdict {
  const flags = findReviewFlags(row);
  const name = verdictOf({ status: row.status, outcome: row.outcome, flags, isWaiting: isWaitingForPayee(row, now) });
  return shown(name, row.status === "pending" ? changeOf(flags) : null);
}

const SHOWN = new Map<string, ShownVerdict>();

/** The same object for the same words: a list sends it to the browser once, however many of its rows have it. */
function shown(name: VerdictName, change: ChangeLook | null): ShownVerdict {
  const key = `${name} ${change?.word}`;
  const verdict = SHOWN.get(key) ?? { ...lookOf(name), name, change };
  SHOWN.set(key, verdict);
  return verdict;
}
