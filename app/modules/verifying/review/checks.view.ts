import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import { isMobile } from "~/kernel/phone";
import { wouldRepeat, wouldRepeatAtOnce } from "~/modules/payees/verifications/outcomes";
import { primaryAction, type ReviewFlag } from "~/modules/payees/verifications/review-flags";
import { holdsInstantAnswer, type ResultData } from "~/modules/payees/verifications/verification";

/** The checks with the payee's bank that a reviewer can make now. Pure. */

/** A verification as far as its checks depend on it. */
type Checkable = {
  status: VerificationStatus;
  outcome: CheckOutcome | null;
  reasonCode: string | null;
  resultData: Pick<ResultData, "source" | "bankVerdict" | "checkedAt"> | null;
  disputedByPayeeAt: number | null;
  payee: { email: string | null; phone: string | null };
  runningCheck: object | null;
};

type Asking = {
  canWrite: boolean;
  /** Confirmation of Payee is set up. */
  canAskAtOnce: boolean;
  /** Of the bank data provider that asks with the payee's consent. */
  providerName: string;
  now: number;
};

/** What can be done about the bank check now. `closed`: asking the bank would say nothing new. */
type CheckState = "running" | "startable" | "repeatable" | "no_contact" | "closed";

/** Where the check by consent stands, and whether it can be started. */
export function toCheckState(subject: Checkable): CheckState {
  const { status, runningCheck, disputedByPayeeAt, payee, outcome } = subject;
  if (status !== "pending" || disputedByPayeeAt !== null) return "closed";
  if (runningCheck) return "running";
  const isReachable = payee.email !== null || (payee.phone !== null && isMobile(payee.phone));
  if (!isReachable) return "no_contact";
  if (wouldRepeat(subject)) return "closed";
  return outcome === null ? "startable" : "repeatable";
}

/** A button that asks the bank. */
type CheckButton = { value: "check-now" | "verify-basiq"; label: string; pendingText: string; variant: Variant };
type Variant = "primary" | "secondary";

/** The checks that can be started now; the first is put first where asking the bank is what to do. */
export function toChecks(subject: Checkable, flags: readonly ReviewFlag[], reader: Asking): CheckButton[] {
  if (!reader.canWrite || subject.status !== "pending") return [];
  const state = toCheckState(subject);
  const again = state === "repeatable" && subject.resultData?.source !== "cop" ? " again" : "";
  const byConsent = {
    value: "verify-basiq",
    label: `Verify with ${reader.providerName}${again}`,
    pendingText: "Starting...",
  } as const;
  const buttons = [
    ...(canAskAtOnce(subject, reader)
      ? [{ value: "check-now", label: "Check with the bank now", pendingText: "Asking..." } as const]
      : []),
    ...(state === "startable" || state === "repeatable" ? [byConsent] : []),
  ];
  const isFirst = primaryAction(flags) === "check";
  return buttons.map((button, index) => ({ ...button, variant: isFirst && index === 0 ? "primary" : "secondary" }));
}

/** Whether the bank can be asked at once, and would say something new: its answer stands for a day. */
function canAskAtOnce(subject: Checkable, reader: Asking): boolean {
  if (!reader.canAskAtOnce || subject.disputedByPayeeAt !== null || wouldRepeatAtOnce(subject)) return false;
  return !holdsInstantAnswer(subject.resultData, reader.now);
}
