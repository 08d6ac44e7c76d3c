import { AppError } from "~/kernel/app-error";
import { fieldConstraints } from "~/kernel/field-constraints.server";
import { accountPaymentFields, payeePaymentFields } from "./payment.server";

/** The attributes that the fields of a payment carry, out of the rules that a post is checked with. */
export const paymentConstraints = {
  payee: fieldConstraints(payeePaymentFields),
  account: fieldConstraints(accountPaymentFields),
};

const ALREADY_SENT =
  "This form was already sent once, with another payment. Look whether that one is there; to record this one, send the form again.";

/** A refusal in the words of the form that records a payment. */
export function describeRecording(error: AppError): AppError {
  return error.code === "IDEMPOTENCY_CONFLICT" ? new AppError(error.code, error.status, ALREADY_SENT) : error;
}

/** A refusal in the words of the payment's page, whose form calls the time of the outcome `processedOn`. */
export function describeActing(error: AppError): AppError {
  const { processedAt, ...others } = error.fieldErrors ?? {};
  if (processedAt === undefined) return error;
  return new AppError(error.code, error.status, error.message, {
    fieldErrors: { ...others, processedOn: processedAt },
  });
}
