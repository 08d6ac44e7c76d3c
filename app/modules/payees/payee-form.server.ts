import { parseWithZod } from "@conform-to/zod/v4";
import type * as z from "zod";
import type { AppError } from "~/kernel/app-error";
import { fieldConstraints } from "~/kernel/field-constraints.server";
import { PAYEE_FIELDS, type PayeeDetails, type PayeeField } from "~/kernel/payee";
import { newPayeeSchema, payeeFields } from "./payee.schema.server";
import { EMPTY_VALUES, type PayeeFormAnswer, type PayeeFormValues } from "./payee.view";

/** The attributes that the fields of a payee carry, out of the rules that a post is checked with. */
export const payeeConstraints = fieldConstraints(payeeFields);

type Parsed = { details: PayeeDetails } | { answer: PayeeFormAnswer };

/** Reads the fields of a payee from a posted form: the details, or the form as it goes back. */
export function parsePayeeForm(form: FormData): Parsed {
  const submission = parseWithZod(form, { schema: newPayeeSchema satisfies z.ZodType<PayeeDetails> });
  if (submission.status === "success") return { details: submission.value };
  const errors: PayeeFormAnswer["errors"] = {};
  for (const field of PAYEE_FIELDS) {
    const messages = submission.error?.[field];
    if (messages?.length) errors[field] = messages;
  }
  return { answer: { ...NO_PROBLEM, values: typedValues(form), errors } };
}

/** A refusal of the command as the form shows it. */
export function refusedForm(form: FormData, error: AppError): PayeeFormAnswer {
  const { code, message, extra, fieldErrors } = error;
  const isDuplicate = code === "DUPLICATE_PAYEE";
  return {
    values: typedValues(form),
    errors: (fieldErrors ?? {}) as Partial<Record<PayeeField, string[]>>,
    formErrors: isDuplicate ? [] : [code === "IDEMPOTENCY_CONFLICT" ? ALREADY_SENT : message],
    duplicate: isDuplicate ? { id: String(extra?.payeeId), name: String(extra?.payeeName) } : null,
    needsSubscription: code === "SUBSCRIPTION_REQUIRED",
  };
}

const NO_PROBLEM = { errors: {}, formErrors: [], duplicate: null, needsSubscription: false };

const ALREADY_SENT =
  "This form was already sent once, with other details. Look whether the payee is there; to add another one, send the form again.";

/** Everything typed, so that nothing is lost. */
export function typedValues(form: FormData): PayeeFormValues {
  const values = { ...EMPTY_VALUES };
  for (const field of PAYEE_FIELDS) {
    const value = form.get(field);
    if (typeof value === "string") values[field] = value;
  }
  return values;
}
