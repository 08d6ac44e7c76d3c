import * as z from "zod";
import { addressId } from "~/kernel/fields.schema.server";
import { isId } from "~/kernel/ids";
import { formatAud, MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import type { BankDetails } from "~/kernel/payee";
import { cleanLine, cleanText, isStorable } from "~/kernel/text";
import { bankDetailsFields } from "~/modules/payees/payee-fields.server";
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_REASON_LENGTH,
  MAX_REFERENCE_LENGTH,
  type NewPayment,
  noonOf,
  OUTCOMES,
} from "./payment";

/** Schemas for what people and programs send about payments: each field has its error sentence and is normalised. */

/** Longer than any field; such input is refused without further checks. */
const MAX_INPUT = 2_000;

const text = (missing: string) =>
  z
    .string(missing)
    .max(MAX_INPUT, "This is far too long")
    .refine(isStorable, "This contains characters that cannot be stored");

const line = (missing: string, max: number) =>
  text(missing)
    .transform(cleanLine)
    .pipe(z.string().min(1, missing).max(max, `Keep this to ${max} characters`));

const optional = (max: number) =>
  text("This must be text")
    .transform(cleanText)
    .pipe(z.string().max(max, `Keep this to ${max} characters`))
    .nullish()
    .transform((value) => value || null);

const TOO_MUCH = `The largest amount is ${formatAud(MAX_AMOUNT_CENTS)}`;

/** Integer cents. */
const cents = z
  .int("The amount must be a whole number of cents")
  .min(1, "The amount must be at least one cent")
  .max(MAX_AMOUNT_CENTS, TOO_MUCH)
  .meta({ description: "Whole cents of Australian dollars." });

const NOT_DOLLARS = "Enter an amount in dollars, such as 1,234.50";

/** The longest typed amount, including separators. */
const MAX_DOLLARS_LENGTH = 20;

/** Dollars as people type them. */
const dollars = z
  .string("Enter the amount")
  .max(MAX_DOLLARS_LENGTH, NOT_DOLLARS)
  .transform((input, context) => {
    const value = parseAud(input);
    const problem =
      input.trim() === ""
        ? "Enter the amount"
        : value === undefined
          ? NOT_DOLLARS
          : value < 1
            ? "The amount must be at least one cent"
            : value > MAX_AMOUNT_CENTS
              ? TOO_MUCH
              : undefined;
    if (problem === undefined && value !== undefined) return value;
    context.addIssue({ code: "custom", message: problem ?? "" });
    return z.NEVER;
  });

const either = z.undefined("Give either payeeId or an account, not both").optional();

const payee = { payeeId: text("Choose a payee"), bsb: either, accountNumber: either, accountName: either };

const details = {
  reference: line("Enter a reference", MAX_REFERENCE_LENGTH),
  description: optional(MAX_DESCRIPTION_LENGTH),
};

type Rest = Pick<NewPayment, "amount" | "reference" | "description">;

const restOf = ({ amount, reference, description }: Rest): Rest => ({ amount, reference, description });

const toPayee = ({ payeeId, ...rest }: { payeeId: string } & Rest): NewPayment => ({
  to: { payeeId },
  ...restOf(rest),
});

const toAccount = ({ bsb, accountNumber, accountName, ...rest }: BankDetails & Rest): NewPayment => ({
  to: { bsb, accountNumber, accountName },
  ...restOf(rest),
});

/** Body of POST /api/payments for a payment to one of the organisation's payees. */
export const payeePaymentSchema = z.object({ ...payee, amount: cents, ...details }).transform(toPayee);

/** Body of POST /api/payments for a payment to an account. */
export const accountPaymentSchema = z.object({ ...bankDetailsFields, amount: cents, ...details }).transform(toAccount);

/** The fields of the page's forms, with the amount in dollars. The forms also carry these rules as HTML attributes. */
export const payeePaymentFields = z.object({ payeeId: payee.payeeId, amount: dollars, ...details });

export const accountPaymentFields = z.object({ ...bankDetailsFields, amount: dollars, ...details });

export const payeePaymentFormSchema = payeePaymentFields.transform(toPayee);

export const accountPaymentFormSchema = accountPaymentFields.transform(toAccount);

const reason = (missing: string) =>
  text(missing)
    .transform(cleanText)
    .refine((value) => value !== "", missing)
    .refine((value) => value.length <= MAX_REASON_LENGTH, `Keep the reason to ${MAX_REASON_LENGTH} characters`);

/** Body of POST /api/payments/{id}/decision, and the fields of the page's form. */
export const decisionSchema = z.discriminatedUnion(
  "decision",
  [
    z.object({ decision: z.literal("approve"), reason: reason("Give a reason for approving") }),
    z.object({ decision: z.literal("reject"), reason: reason("Give a reason for rejecting") }),
    z.object({ decision: z.literal("request_verification"), reason: optional(MAX_REASON_LENGTH) }),
  ],
  "The decision must be approve, reject or request_verification",
);

/** When the bank processed a payment, as a program writes it; absent: now. */
export const timeProcessed = z.iso
  .datetime({ offset: true, error: "The time must be in ISO 8601, such as 2026-11-20T05:31:00Z" })
  .nullish()
  .transform((value) => (value ? Date.parse(value) : null));

export const outcomeSchema = z.object({
  status: z.enum(OUTCOMES, "The outcome must be successful or failed"),
  reason: optional(MAX_REASON_LENGTH),
  processedAt: timeProcessed,
});

/** The day entered on a page's form; empty: now. */
export const dayProcessed = (notADay: string) =>
  z
    .string(notADay)
    .optional()
    .transform((input, context) => {
      if (!input?.trim()) return null;
      const noon = noonOf(input);
      if (noon !== undefined) return noon;
      context.addIssue({ code: "custom", message: notADay });
      return z.NEVER;
    });

const processedOn = dayProcessed("Enter the day on which the bank processed the payment");

const withSubmission = {
  submissionId: addressId,
  /** The state of the payment that the person saw. */
  basis: text("Open this payment again, then decide").optional(),
};

/** A form post of a payment's page. A failure needs a reason here; in a bank's return file, a line may lack one. */
export const paymentPostSchema = z.discriminatedUnion(
  "intent",
  [
    z.object({ intent: z.literal("approve"), reason: reason("Give a reason for approving"), ...withSubmission }),
    z.object({ intent: z.literal("reject"), reason: reason("Give a reason for rejecting"), ...withSubmission }),
    z.object({ intent: z.literal("request_verification"), reason: optional(MAX_REASON_LENGTH), ...withSubmission }),
    z.object({ intent: z.literal("successful"), processedOn, ...withSubmission }),
    z.object({ intent: z.literal("failed"), processedOn, reason: reason("Say why it failed"), ...withSubmission }),
  ],
  "Choose what to do with this payment",
);

const NO_PAYMENT = "Tick at least one payment";

/** As many as one page of the list has. */
const MAX_TICKED = 50;

/** A form post of the list: held payments to reject together, for one reason. */
export const rejectHeldSchema = z.object({
  intent: z.literal("reject"),
  submissionId: withSubmission.submissionId,
  id: z
    .array(z.string({ error: NO_PAYMENT }).refine(isId, NO_PAYMENT), { error: NO_PAYMENT })
    .min(1, NO_PAYMENT)
    .max(MAX_TICKED, `Tick at most ${MAX_TICKED} at once`)
    .transform((ids) => [...new Set(ids)]),
  reason: reason("Give a reason for rejecting"),
});

const NO_ID = "Name at least one payment";

/** Body of POST /api/payments/bulk. Bulk approval does not exist. */
export const bulkPaymentsSchema = z.object({
  act: z.literal("reject", 'Send what to do: "reject". Each payment is approved by itself'),
  ids: z
    .array(z.string({ error: NO_ID }).refine(isId, "This is not the id of a payment"), { error: NO_ID })
    .min(1, NO_ID)
    .max(MAX_TICKED, `At most ${MAX_TICKED} at once`)
    .transform((ids) => [...new Set(ids)]),
  reason: reason("Give a reason for rejecting"),
});

export type PaymentPost = z.infer<typeof paymentPostSchema>;
