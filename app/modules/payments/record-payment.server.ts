import { invoices, paymentRecords } from "@db/database";
import { and, eq } from "drizzle-orm";
import { allInOrder } from "~/kernel/all-in-order";
import { AppError, notFound } from "~/kernel/app-error";
import { maskAccountNumber } from "~/kernel/bank-account";
import { formatDay } from "~/kernel/dates";
import { fieldConstraints } from "~/kernel/fields.schema.server";
import { isId } from "~/kernel/ids";
import { formatAud } from "~/kernel/money";
import { cleanLine } from "~/kernel/text";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import {
  type CommandPart,
  type IdempotentRequest,
  runCommand,
  runOnce,
} from "~/modules/core/commands/run-command.server";
import { showDetails } from "~/modules/core/record-reveal.server";
import { findListedPayees, type ListedPayee, listPayees } from "~/modules/payees/payee-list.server";
import { standingOf } from "~/modules/payees/payee-standing";
import { ruleDecision, runRules } from "~/modules/rules";
import { saveDecisionRecord } from "~/modules/rules/decision-record.statements.server";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import type { PaymentFacts } from "~/modules/rules/facts";
import type { PaymentReason } from "~/modules/rules/payment-holds";
import type { Actor, ReadServices, Services, WriteServices } from "~/services-and-actor";
import type { NewPayment } from "./payment";
import { getPayment } from "./payment.server";
import { factsHold, gatherFacts } from "./payment-facts/facts.server";
import { cameFrom } from "./payment-facts/payees.server";
import { accountPaymentFields, payeePaymentFields } from "./payment-fields.server";

/** How many payees are offered at once; typing finds the others. */
const MAX_CHOICES = 12;

const MAX_QUERY = 200;

/** HTML attributes for the payment fields, from the rules that check a post. */
const paymentConstraints = {
  payee: fieldConstraints(payeePaymentFields),
  account: fieldConstraints(accountPaymentFields),
};

/**
 * The step of the new-payment page that the address asks for: a chosen payee (`payeeId`), an account to type
 * (`to=account`), or payees to choose from (`q`).
 *
 * @throws AppError 404 for a payee that is missing or another organisation's
 */
export async function readNewPaymentPage(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  params: URLSearchParams,
) {
  const now = services.clock.now();
  const submissionId = services.ids.next();
  const payeeId = params.get("payeeId");
  if (payeeId !== null) {
    if (!isId(payeeId)) throw notFound();
    const [payee] = await findListedPayees(services, actor, [payeeId]);
    if (!payee) throw notFound();
    return {
      ...{ step: "payee" as const, submissionId, payee: toPayeeChoice(payee, now) },
      values: await findInvoiceValues(services, actor, params.get("invoice")),
      constraints: paymentConstraints.payee,
    };
  }
  if (params.get("to") === "account")
    return { step: "account" as const, submissionId, constraints: paymentConstraints.account };
  const q = cleanLine((params.get("q") ?? "").slice(0, MAX_QUERY));
  const { payees, next } = await listPayees(services, actor, { q });
  const choices = payees.slice(0, MAX_CHOICES).map((payee) => toPayeeChoice(payee, now));
  return {
    step: "choose" as const,
    submissionId,
    q,
    choices,
    hasMore: payees.length > MAX_CHOICES || next !== undefined,
  };
}

/** The form values from an invoice; empty when the address names none of the organisation's. */
async function findInvoiceValues({ db }: ReadServices, { organizationId }: Actor, invoiceId: string | null) {
  if (invoiceId === null || !isId(invoiceId)) return {};
  const [row] = await db
    .select({ number: invoices.invoiceNumber, totalCents: invoices.totalCents, dueDate: invoices.dueDate })
    .from(invoices)
    .where(and(eq(invoices.organizationId, organizationId), eq(invoices.id, invoiceId)));
  if (!row) return {};
  const due = row.dueDate && formatDay(row.dueDate);
  return {
    ...(row.totalCents === null ? {} : { amount: formatAud(row.totalCents).replace("$", "") }),
    ...(row.number === null ? {} : { reference: row.number }),
    ...(due && { description: `Due ${due}` }),
  };
}

/** A payee to choose, with its account number masked. `grade`: how it was verified; null: it is not trusted. */
function toPayeeChoice(payee: ListedPayee, now: number) {
  const { id, name, accountName, bsb, accountNumber } = payee;
  const { status, headline, grade } = standingOf(payee, now);
  return { id, name, accountName, bsb, maskedAccountNumber: maskAccountNumber(accountNumber), status, headline, grade };
}

export type PayeeChoice = ReturnType<typeof toPayeeChoice>;

const ALREADY_SENT =
  "This form was already sent with a different payment. Check whether that one is there; to record this one, send the form again.";

/** Rewords a refusal for the form that records a payment. */
export function describeRecording(error: AppError): AppError {
  return error.code === "IDEMPOTENCY_CONFLICT" ? new AppError(error.code, ALREADY_SENT) : error;
}

type Asked = {
  payment: NewPayment;
  idempotencyKey?: string;
  /** The answer shows the payee's account, so the audit trail records that. */
  showsAccount?: boolean;
};

/** A payee may be edited, or the same payment recorded, while this one is being recorded; the rules then run again. */
const TRIES = 5;

/**
 * Records a payment: runs every rule on facts that still hold at commit, and returns the decision. Repeating the key
 * returns the first answer, and `statusNow` says what has happened to the payment since.
 *
 * @returns the payment as it was recorded; `isRepeated`: this is the first answer to the key, repeated
 * @throws AppError 404 for a payee that is not the organisation's; 402 SUBSCRIPTION_REQUIRED; 409 IDEMPOTENCY_CONFLICT,
 * PAYEE_CHANGING
 */
export async function recordPayment(services: WriteServices, actor: Actor, asked: Asked) {
  const id = services.ids.next();
  const { payment: input, idempotencyKey: key } = asked;
  // Starts while the key is being looked up. For a key that was answered before, its errors do not matter.
  const first = judgeNow(services, actor, input);
  first.catch(() => {});
  const recordedId = await runOnce(services, actor, { operation: "record payment", key, input }, (request) =>
    writePayment(services, actor, { ...asked, id, first, request }),
  );
  const payment = await getPayment(services, actor, recordedId);
  const { reasons, createdAt } = payment;
  const decision = ruleDecision(reasons);
  const since = { verificationId: null, failureReason: null, processedAt: null };
  return {
    payment: { ...payment, ...since, status: decision, updatedAt: createdAt },
    decision,
    reasons,
    statusNow: payment.status,
    isRepeated: recordedId !== id,
  };
}

export type RecordedPayment = Awaited<ReturnType<typeof recordPayment>>;

async function judgeNow(services: WriteServices, { organizationId, userId }: Actor, payment: NewPayment) {
  const [, { facts, levels }] = await allInOrder([
    requireLiveSubscription(services, organizationId),
    gatherFacts(services, { organizationId, recordedById: userId, nameWidth: null }, [payment]),
  ]);
  const [seen] = facts;
  if (!seen) throw new Error("facts were asked for one payment and none came");
  return { seen, levels };
}

type Writing = Asked & { id: string; first: ReturnType<typeof judgeNow>; request: IdempotentRequest | undefined };

/** @returns the payment's id; another id if the same request recorded it at the same moment */
async function writePayment(
  services: WriteServices,
  actor: Actor,
  { id, payment, showsAccount, first, request }: Writing,
): Promise<string> {
  const { organizationId } = actor;
  for (let attempt = 1, reading = first; attempt <= TRIES; attempt++) {
    const { seen, levels } = await reading;
    const reasons = runRules(seen, levels);
    const result = await runCommand(services, actor, {
      conditions: factsHold({ organizationId }, [seen]),
      parts: [
        insertPayment(services, actor, { id, facts: seen, reasons, description: payment.description }),
        { statements: await saveDecisionRecord(services, organizationId, { paymentId: id, facts: seen, levels }) },
        ...(showsAccount ? [showDetails(services, actor, { entityType: "payment", entityId: id })] : []),
      ],
      request,
      answer: id,
    });
    if (result.ok) return result.answer;
    reading = judgeNow(services, actor, payment);
  }
  throw new AppError("PAYEE_CHANGING", "Someone is changing the payee. Please try again.");
}

type Judged = { id: string; facts: PaymentFacts; reasons: PaymentReason[]; description: string | null };

function insertPayment(
  { db, clock }: WriteServices,
  { organizationId, userId }: Actor,
  { id, facts, reasons, description }: Judged,
): CommandPart {
  const { amount, reference, account, payee, accountingOrigin: origin } = facts;
  const { accountName, bsb, accountNumber } = account;
  const payeeId = payee?.id ?? null;
  const decision = ruleDecision(reasons);
  const now = clock.now();
  const paid = { payeeId, amount, reference, accountName, bsb };
  const row = {
    ...{ ...paid, id, organizationId, accountNumber, description, reasons, status: decision, recordedById: userId },
    ...{ referenceKey: referenceKey(reference), createdAt: now, updatedAt: now },
  };
  const details = {
    ...{ ...paid, accountNumber: maskAccountNumber(accountNumber), decision },
    reasons: reasons.map(({ rule, level }) => ({ rule, level })),
    ...(decision === "authorised" && origin?.isFirstPayment && { firstFromAccounting: cameFrom(origin) }),
  };
  return {
    statements: [db.insert(paymentRecords).values(row)],
    audit: [{ action: "payment.recorded", entityId: id, details }],
  };
}
