import { payees, paymentRecords, paymentTransitions, users, verifications } from "@db/database";
import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import type { PaymentStatus } from "~/kernel/enums";
import { addressId } from "~/kernel/fields.schema.server";
import { isId } from "~/kernel/ids";
import { formatAud, MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import type { BankDetails } from "~/kernel/payee";
import { paymentDone, paymentStanding } from "~/kernel/payment-sentences";
import { cleanLine, cleanText, isStorable } from "~/kernel/text";
import { bankDetailsFields } from "~/modules/payees/payee-fields.server";
import type { Approval } from "~/modules/payees/second-person";
import { findBankDetailsEditors } from "~/modules/payees/second-person.server";
import { countsInEvidence, findVerification } from "~/modules/payees/verifications/verification.server";
import { displayName, type ReadServices } from "~/services-and-actor";
import {
  isOpenPayment,
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
  .int("The amount is a whole number of cents")
  .min(1, "The amount is at least one cent")
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

/** The day entered on the page's form; empty: now. */
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
  act: z.literal("reject", 'Say what to do: "reject". Each payment is approved by itself'),
  ids: z
    .array(z.string({ error: NO_ID }).refine(isId, "This is not the id of a payment"), { error: NO_ID })
    .min(1, NO_ID)
    .max(MAX_TICKED, `At most ${MAX_TICKED} at once`)
    .transform((ids) => [...new Set(ids)]),
  reason: reason("Give a reason for rejecting"),
});

export type PaymentPost = z.infer<typeof paymentPostSchema>;

/** The columns of a payment in lists and API answers. */
export const summaryColumns = {
  id: paymentRecords.id,
  organizationId: paymentRecords.organizationId,
  payeeId: paymentRecords.payeeId,
  amount: paymentRecords.amount,
  reference: paymentRecords.reference,
  description: paymentRecords.description,
  status: paymentRecords.status,
  accountName: paymentRecords.accountName,
  bsb: paymentRecords.bsb,
  accountNumber: paymentRecords.accountNumber,
  verificationId: paymentRecords.verificationId,
  failureReason: paymentRecords.failureReason,
  processedAt: paymentRecords.processedAt,
  createdAt: paymentRecords.createdAt,
  updatedAt: paymentRecords.updatedAt,
  payee: { id: payees.id, name: payees.name },
};

/** The step that led to the payment's present version; none for a payment as it was recorded. */
export const lastStep = alias(paymentTransitions, "lastStep");

const isLastStep = sql`${lastStep.paymentId} = ${paymentRecords.id}
  AND ${lastStep.fromVersion} = ${paymentRecords.version} - 1`;

/** The additional columns of a single payment: reasons, who recorded it, and its payee at present. */
export const detailColumns = {
  ...summaryColumns,
  reasons: paymentRecords.reasons,
  version: paymentRecords.version,
  recordedById: paymentRecords.recordedById,
  recordedBy: { firstName: users.firstName, lastName: users.lastName, email: users.email },
  payee: {
    ...summaryColumns.payee,
    accountName: payees.accountName,
    bsb: payees.bsb,
    accountNumber: payees.accountNumber,
    version: payees.version,
    createdById: payees.createdById,
    accountingOrigins: payees.accountingOrigins,
    whitelisted: payees.whitelisted,
    disputedAt: payees.disputedAt,
    bankDetailsChangedAt: payees.bankDetailsChangedAt,
    renamedAt: payees.renamedAt,
    takenOffWhitelistAt: payees.takenOffWhitelistAt,
    contactChangedAt: payees.contactChangedAt,
    paymentCount: payees.paymentCount,
    lastPaymentDate: payees.lastPaymentDate,
  },
  latest: {
    id: verifications.id,
    status: verifications.status,
    accountName: verifications.accountName,
    bsb: verifications.bsb,
    accountNumber: verifications.accountNumber,
    createdAt: verifications.createdAt,
    formerHolders: countsInEvidence.formerHolders,
    requestedById: verifications.requestedById,
  },
  lastStep: {
    fromStatus: lastStep.fromStatus,
    toStatus: lastStep.toStatus,
    reason: lastStep.reason,
    createdAt: lastStep.createdAt,
  },
};

/** Join condition that finds the payee's newest verification with one index look-up. */
export const isNewestVerification = sql`${verifications.id} = (SELECT "newest"."id" FROM "verifications" AS "newest"
  WHERE "newest"."organizationId" = ${payees.organizationId} AND "newest"."payeeId" = ${payees.id}
  ORDER BY "newest"."id" DESC LIMIT 1)`;

/** "Dana Wu rejected this payment on 20 Nov 2026, 4:42 pm: paid twice" */
function sayWho({ toStatus, userName, createdAt, reason }: Transition, timeZone: string): string {
  const on = formatDateTime(createdAt, timeZone);
  return `${userName ?? "PayeeProof"} ${paymentDone(toStatus)} on ${on}${reason ? `: ${reason}` : "."}`;
}

/**
 * The error when the payment is not in the status that a step starts from: says who moved it, or why nothing can be
 * done.
 */
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
    "The payee now has a different account from when this payment was recorded. Reject this payment, and record it again if the new account is right.",
  );

export const payeeRequired = () =>
  new AppError(
    "PAYEE_REQUIRED",
    409,
    "This account is not one of your payees, so there is no one to verify. Add it as a payee, reject this payment and record it again.",
  );

export const aboveApprovalLimit = (limitCents: number, sameDayCents = 0) =>
  new AppError(
    "APPROVAL_LIMIT",
    403,
    `You may approve payments up to ${formatAud(limitCents)}, and this one is above it${sameDayCents > 0 ? ` with the ${formatAud(sameDayCents)} that was authorised to the payee today` : ""}. A person with a higher limit has to approve it.`,
    { extra: { approvalLimitCents: limitCents } },
  );

export const secondPersonRequired = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    "Your organisation requires a second person: the person who recorded the payment, entered the payee's bank details here or in the accounting system they came from, connected that system or asked for the verification cannot approve the payment.",
  );

export const payeeKeepsChanging = () =>
  new AppError("PAYEE_CHANGING", 409, "Someone is changing the payee. Please try again.");

/** The organisation that asks: every answer is limited to it. */
export type Asking = { organizationId: string };

/** More steps than a payment takes in practice. */
const MAX_TRANSITIONS = 100;

/** One payment with who recorded it and its payee at present; undefined when the organisation has none with this id. */
export async function findPayment({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select(detailColumns)
    .from(paymentRecords)
    .leftJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, paymentRecords.payeeId)))
    .leftJoin(verifications, and(eq(verifications.organizationId, organizationId), isNewestVerification))
    .leftJoin(lastStep, and(eq(lastStep.organizationId, organizationId), isLastStep))
    .leftJoin(users, eq(users.id, paymentRecords.recordedById))
    .where(and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, id)));
  return row;
}

export type PaymentDetail = NonNullable<Awaited<ReturnType<typeof findPayment>>>;

/** As `findPayment`. @throws AppError 404, the same for missing and foreign ids */
export async function getPayment(services: ReadServices, actor: Asking, id: string): Promise<PaymentDetail> {
  const payment = await findPayment(services, actor, id);
  if (!payment) throw notFound();
  return payment;
}

/** The payee's pending verification, while the payment can still be paid. */
export async function findOpenVerification(services: ReadServices, actor: Asking, { status, latest }: PaymentDetail) {
  if (latest?.status !== "pending" || !isOpenPayment(status)) return null;
  return (await findVerification(services, actor, latest.id)) ?? null;
}

/** Everybody who would approve their own work by approving the payment. */
export async function findApproval(
  services: ReadServices,
  actor: Asking,
  { payee, latest, recordedById }: PaymentDetail,
): Promise<Approval> {
  const enteredBy = payee ? await findBankDetailsEditors(services, actor, payee) : new Set<string>();
  return { enteredBy, requestedById: latest?.requestedById ?? null, recordedBy: [recordedById] };
}

/** The status changes of a payment, oldest first. */
export async function listTransitions({ db }: ReadServices, { organizationId }: Asking, paymentId: string) {
  const rows = await db
    .select({
      id: paymentTransitions.id,
      fromStatus: paymentTransitions.fromStatus,
      toStatus: paymentTransitions.toStatus,
      fromVersion: paymentTransitions.fromVersion,
      reason: paymentTransitions.reason,
      userId: paymentTransitions.userId,
      createdAt: paymentTransitions.createdAt,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(paymentTransitions)
    .leftJoin(users, eq(users.id, paymentTransitions.userId))
    .where(and(eq(paymentTransitions.organizationId, organizationId), eq(paymentTransitions.paymentId, paymentId)))
    .orderBy(asc(paymentTransitions.fromVersion))
    .limit(MAX_TRANSITIONS);
  return rows.map(({ firstName, lastName, ...step }) => ({
    ...step,
    /** Null: the system did it. */
    userName: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }),
  }));
}

export type Transition = Awaited<ReturnType<typeof listTransitions>>[number];
