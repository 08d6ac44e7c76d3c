import * as z from "zod";
import { isId } from "~/kernel/ids";
import { formatAud, MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import type { BankDetails } from "~/kernel/payee";
import { cleanLine, cleanText, isStorable } from "~/kernel/text";
import { bankDetailsFields } from "~/modules/payees/payee.schema.server";
import type { NewPayment } from "./new-payment";
import { noonOf } from "./outcome";
import { MAX_DESCRIPTION_LENGTH, MAX_REASON_LENGTH, MAX_REFERENCE_LENGTH, OUTCOMES } from "./payment";

/** What people and programs send about payments: each field with its sentence, normalised. */

/** More than any field holds; longer input is refused before it is looked at. */
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
  .int("The amount is a whole number of cents")
  .min(1, "The amount is at least one cent")
  .max(MAX_AMOUNT_CENTS, TOO_MUCH)
  .meta({ description: "Whole cents of Australian dollars." });

const NOT_DOLLARS = "Enter an amount in dollars, such as 1,234.50";
/** As many characters as an amount is typed with, separators included. */
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
            ? "The amount is at least one cent"
            : value > MAX_AMOUNT_CENTS
              ? TOO_MUCH
              : undefined;
    if (problem === undefined && value !== undefined) return value;
    context.addIssue({ code: "custom", message: problem ?? "" });
    return z.NEVER;
  });

const either = z.undefined("Give either payeeId or an account, not both").optional();
const payee = {
  payeeId: text("Choose a payee"),
  bsb: either,
  accountNumber: either,
  accountName: either,
};

const details = {
  reference: line("Enter a reference", MAX_REFERENCE_LENGTH),
  description: optional(MAX_DESCRIPTION_LENGTH),
};

/** Body of POST /api/payments before it is known whether it names a payee or an account. */
export const anyPaymentSchema = z.looseObject({});

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

/** Body of POST /api/payments for one of the organisation's payees. */
export const payeePaymentSchema = z.object({ ...payee, amount: cents, ...details }).transform(toPayee);

/** Body of POST /api/payments for an account. */
export const accountPaymentSchema = z.object({ ...bankDetailsFields, amount: cents, ...details }).transform(toAccount);

/** The fields of the page's forms, the amount in dollars, whose rules the forms also carry as attributes. */
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
  "The decision is approve, reject or request_verification",
);

/** Body of POST /api/payments/{id}/outcome. */
export const outcomeSchema = z.object({
  status: z.enum(OUTCOMES, "The outcome is successful or failed"),
  reason: optional(MAX_REASON_LENGTH),
  processedAt: z.iso
    .datetime({ offset: true, error: "The time is ISO 8601, such as 2026-11-20T05:31:00Z" })
    .nullish()
    .transform((value) => (value ? Date.parse(value) : null)),
});

const NOT_A_DAY = "Enter the day on which the bank processed the payment";

/** The day on the page's form; none: now. */
const processedOn = z
  .string(NOT_A_DAY)
  .optional()
  .transform((input, context) => {
    if (!input?.trim()) return null;
    const noon = noonOf(input);
    if (noon !== undefined) return noon;
    context.addIssue({ code: "custom", message: NOT_A_DAY });
    return z.NEVER;
  });

const withSubmission = {
  submissionId: z.string().refine(isId).optional().catch(undefined),
  /** What the person had before them. */
  basis: text("Open this payment again, then decide").optional(),
};

/**
 * A post of the page of a payment. A payment that failed needs the reason here; a bank's file gives none where its line
 * has none.
 */
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
export type PaymentPost = z.infer<typeof paymentPostSchema>;
