import { displayName } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import type { VerificationDetail } from "~/modules/verifications/verification.queries.server";

const VERBS = { verified: "approved", rejected: "rejected", failed: "ended", pending: "kept" } as const;

type Decided = Pick<VerificationDetail, "status" | "decision" | "decidedBy">;

/** "Dana Wu rejected this verification on 20 Nov 2026, 4:42 pm: Manual rejection" */
export function sayWhoDecided({ status, decision, decidedBy }: Decided, timeZone: string): string {
  if (!decision) return "This verification has already ended.";
  const on = formatDateTime(decision.createdAt, timeZone);
  const why = decision.reason && status !== "verified" ? `: ${decision.reason}` : ".";
  if (!decidedBy || status === "failed") return `This verification ended on ${on}${why}`;
  return `${displayName(decidedBy)} ${VERBS[status]} this verification on ${on}${why}`;
}

/** Only a pending verification can be decided: says who decided, when and how. */
export function alreadyDecided(verification: Decided, timeZone: string): AppError {
  const { status, decision, decidedBy } = verification;
  return new AppError("ALREADY_DECIDED", 409, sayWhoDecided(verification, timeZone), {
    extra: {
      decision: decision && {
        status,
        decidedBy: decidedBy && displayName(decidedBy),
        decidedAt: toIso(decision.createdAt),
        reason: decision.reason,
      },
    },
  });
}

export const verificationChanged = () =>
  new AppError(
    "VERIFICATION_CHANGED",
    409,
    "Something new is known about this verification since you opened it. Look again, then decide.",
  );

export const detailsChanged = () =>
  new AppError(
    "DETAILS_CHANGED",
    409,
    "The payee's bank details have changed since this verification was opened, so these cannot be approved.",
  );

export const secondPersonRequired = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    "Your organisation requires a second person: people who entered any of these bank details, requested the verification or recorded a payment that waits for it cannot approve it.",
  );
