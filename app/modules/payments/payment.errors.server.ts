import { AppError } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import type { PaymentStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { paymentDone, paymentStanding } from "~/kernel/payment-sentences";
import type { Transition } from "./payment.queries.server";

/** "Dana Wu rejected this payment on 20 Nov 2026, 4:42 pm: paid twice" */
function sayWho({ toStatus, userName, createdAt, reason }: Transition, timeZone: string): string {
  const on = formatDateTime(createdAt, timeZone);
  return `${userName ?? "PayeeProof"} ${paymentDone(toStatus)} on ${on}${reason ? `: ${reason}` : "."}`;
}

/** The payment is not where the step starts from: says who took it where it is, or why nothing is to be done. */
export function paymentMovedOn(status: PaymentStatus, last: Transition | undefined, timeZone: string): AppError {
  if (last && last.toStatus === status && last.toStatus !== "held") {
    return new AppError("ALREADY_DECIDED", 409, sayWho(last, timeZone), {
      extra: {
        decision: {
          status,
          decidedBy: last.userName,
          decidedAt: toIso(last.createdAt),
          reason: last.reason,
        },
      },
    });
  }
  const message =
    status === "held"
      ? "This payment is held. It needs a decision before it can have an outcome."
      : `This payment ${paymentStanding(status)}, so there is nothing to decide.`;
  return new AppError(status === "held" ? "PAYMENT_HELD" : "PAYMENT_NOT_HELD", 409, message);
}

export const paymentChanged = () =>
  new AppError(
    "PAYMENT_CHANGED",
    409,
    "Something new is known about this payment or its payee since you opened it. Look again, then decide.",
  );

export const accountChanged = () =>
  new AppError(
    "DETAILS_CHANGED",
    409,
    "The payee has another account now than when this payment was recorded. Reject this payment, and record it again if the new account is right.",
  );

export const payeeRequired = () =>
  new AppError(
    "PAYEE_REQUIRED",
    409,
    "This account is not one of your payees, so there is no one to verify. Add it as a payee, reject this payment and record it again.",
  );

export const aboveApprovalLimit = (limitCents: number) =>
  new AppError(
    "APPROVAL_LIMIT",
    403,
    `You may approve payments up to ${formatAud(limitCents)}, and this one is above it. A person with a higher limit has to approve it.`,
    { extra: { approvalLimitCents: limitCents } },
  );

export const secondPersonRequired = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    "Your organisation requires a second person: the person who recorded the payment, entered the payee's bank details here or in the accounting system they came from, connected that system or asked for the verification cannot approve the payment.",
  );

export const payeeKeepsChanging = () =>
  new AppError("PAYEE_CHANGING", 409, "The payee is being changed at this very moment. Please try again.");
