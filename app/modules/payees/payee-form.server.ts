import { AppError } from "~/kernel/app-error";
import { fieldConstraints } from "~/kernel/field-constraints.server";
import { payeeFields } from "./payee.server";

/** The attributes that the fields of a payee carry, out of the rules that a post is checked with. */
export const payeeConstraints = fieldConstraints(payeeFields);

const ALREADY_SENT =
  "This form was already sent once, with other details. Look whether the payee is there; to add another one, send the form again.";

/** A refusal in the words of the form that adds a payee. */
export function describeAdding(error: AppError): AppError {
  return error.code === "IDEMPOTENCY_CONFLICT" ? new AppError(error.code, error.status, ALREADY_SENT) : error;
}
