import { parseWithZod } from "@conform-to/zod/v4";
import type { AppError } from "~/kernel/app-error";
import { fieldConstraints } from "~/kernel/field-constraints.server";
import type { NewPayment } from "./facts.queries.server";
import { EMPTY_PAYMENT, PAYMENT_FIELDS, type PaymentFormAnswer, type PaymentFormValues } from "./new-payment.view";
import {
  accountPaymentFields,
  accountPaymentFormSchema,
  payeePaymentFields,
  payeePaymentFormSchema,
} from "./payment.schema.server";

/** The attributes that the fields of a payment carry, out of the rules that a post is checked with. */
export const paymentConstraints = {
  payee: fieldConstraints(payeePaymentFields),
  account: fieldConstraints(accountPaymentFields),
};

type Parsed = { payment: NewPayment } | { answer: PaymentFormAnswer };

/** Reads a posted payment, to a chosen payee or to an account: the payment, or the form as it goes back. */
export function parsePaymentForm(form: FormData): Parsed {
  const submission = form.has("payeeId")
    ? parseWithZod(form, { schema: payeePaymentFormSchema })
    : parseWithZod(form, { schema: accountPaymentFormSchema });
  if (submission.status === "success") return { payment: submission.value };
  const errors: PaymentFormAnswer["errors"] = {};
  for (const field of PAYMENT_FIELDS) {
    const messages = submission.error?.[field];
    if (messages?.length) errors[field] = messages;
  }
  return { answer: { values: typedValues(form), errors, formErrors: [], needsSubscription: false } };
}

const ALREADY_SENT =
  "This form was already sent once, with another payment. Look whether that one is there; to record this one, send the form again.";

/** A refusal of the command as the form shows it. */
export function refusedPayment(form: FormData, { code, message }: AppError): PaymentFormAnswer {
  return {
    values: typedValues(form),
    errors: {},
    formErrors: [code === "IDEMPOTENCY_CONFLICT" ? ALREADY_SENT : message],
    needsSubscription: code === "SUBSCRIPTION_REQUIRED",
  };
}

/** Everything typed, so that nothing is lost. */
function typedValues(form: FormData): PaymentFormValues {
  const values = { ...EMPTY_PAYMENT };
  for (const field of PAYMENT_FIELDS) {
    const value = form.get(field);
    if (typeof value === "string") values[field] = value;
  }
  return values;
}
