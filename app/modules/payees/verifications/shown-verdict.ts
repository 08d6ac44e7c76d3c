import type { VerificationStatus } from "~/kernel/enums";
import { type FlagFacts, findReviewFlags } from "./review-flags";
import { type Headline, headlineOf, isWaitingForPayee } from "./verdict";

/** A verification as a row of a list has it, as far as its verdict looks at it. Instants in epoch milliseconds. */
export type VerdictRow = FlagFacts & {
  status: VerificationStatus;
  isCheckRunning: boolean;
  notificationSentAt: number | null;
  verifiedByPayeeAt: number | null;
  verificationTokenExpiresAt: number | null;
};

/** What every list draws of an open verification: its headline without the next step, which its own page says. */
export type ShownVerdict = Omit<Headline, "next">;

/** The same verdict as on the verification's own page. Pure. */
export function showVerdict(row: VerdictRow, now: number): ShownVerdict {
  const { status, outcome } = row;
  const flags = findReviewFlags(row);
  const isWaiting = isWaitingForPayee(row, now);
  const { next: _, ...shown } = headlineOf({ status, outcome, reasonCode: null, flags, isWaiting, check: null });
  return onlyOnce(shown);
}

const SHOWN = new Map<string, ShownVerdict>();

/** The same object for the same words: a list sends it to the browser once, however many of its rows have it. */
function onlyOnce(shown: ShownVerdict): ShownVerdict {
  const key = `${shown.name} ${shown.changed}`;
  const verdict = SHOWN.get(key) ?? shown;
  SHOWN.set(key, verdict);
  return verdict;
}
