import * as z from "zod";
import { maskAccountNumber } from "~/kernel/bank-account";
import { PAYMENT_STATUSES } from "~/kernel/enums";
import { payeeStatus as currentStatus } from "~/kernel/payee";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { findPayeeGrade } from "~/modules/payees/payee.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { rejectHeldPayments } from "~/modules/payments/held-payments.server";
import { currentReasons } from "~/modules/payments/payment";
import { getPayment, listTransitions } from "~/modules/payments/payment.server";
import {
  accountPaymentSchema,
  bulkPaymentsSchema,
  decisionSchema,
  outcomeSchema,
  payeePaymentSchema,
} from "~/modules/payments/payment-fields.server";
import { conditionsOf, PAYMENT_FILTERS } from "~/modules/payments/payment-list";
import { listPayments, readPaymentsQuery } from "~/modules/payments/payment-list.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { replayPayment } from "~/modules/payments/replay.server";
import { ruleDecision } from "~/modules/rules";
import { askBeforePayment } from "~/modules/verifying/bank-checks/ask-accounts.server";
import {
  accountName,
  accountNumber,
  bsb,
  cents,
  choice,
  count,
  cursor,
  days,
  EXAMPLE,
  endpoint,
  facts,
  flag,
  grade,
  id,
  idOf,
  instant,
  maskedAccountNumber,
  NAMES,
  named,
  nextCursor,
  person,
  text,
  word,
} from "./endpoint.server";
import { evidenceCalls } from "./evidence.server";
import { payeeStatus } from "./payees.server";

export const paymentStatus = z.enum(PAYMENT_STATUSES);

const statusNow = z.enum(PAYMENT_STATUSES).meta({
  description:
    "What has become of the payment. It differs from `payment.status` only where the same `Idempotency-Key` is sent again later: pay only what is authorised now.",
});

const decision = z
  .enum(["authorised", "held"])
  .meta({ description: "What the rules decided. Held: a person has to decide." });

export const paymentReason = z
  .object({
    rule: text("payee_not_trusted"),
    level: z.enum(["hold", "warn"]),
    message: text("This payee has not been verified for its current bank details."),
    evidence: facts.meta({ description: "What the rule saw; bank numbers masked." }),
  })
  .meta({ description: "A rule that flagged the payment." })
  .register(NAMES, { id: "PaymentReason" });

const payment = z
  .object({
    id: id(EXAMPLE.heldPayment),
    organizationId: id(EXAMPLE.organization),
    payeeId: id(EXAMPLE.payee).nullable(),
    payee: z.object({ id: id(EXAMPLE.payee), name: text("Wattle Creek Electrical") }).nullable(),
    accountName,
    bsb,
    accountNumber,
    amount: cents,
    reference: text("INV-2041").nullable(),
    description: text("Switchboard, second stage").nullable(),
    status: paymentStatus,
    verificationId: id(EXAMPLE.verification).nullable(),
    failureReason: text("Account closed").nullable(),
    processedAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .register(NAMES, { id: "Payment" });

const listedPayment = z
  .object({ ...payment.shape, accountNumber: maskedAccountNumber })
  .register(NAMES, { id: "ListedPayment" });

const paymentStep = z.object({
  id: id(EXAMPLE.entry),
  from: paymentStatus,
  to: paymentStatus,
  reason: text("Called the payee").nullable(),
  by: text("Mira Okafor").nullable().meta({ description: "Null: PayeeProof itself." }),
  createdAt: instant,
});

const paidPayee = z.object({
  id: id(EXAMPLE.payee),
  name: text("Wattle Creek Electrical"),
  status: payeeStatus,
  grade,
  whitelisted: flag(true),
  paymentCount: count(4),
  lastPaymentDate: instant.nullable(),
});

const paymentReplay = z.object({
  isKept: flag(true, "False: the payment was recorded before the facts behind a decision were kept."),
  different: z.array(text("payee_not_trusted")),
  changedRules: z.array(text("unusual_amount")),
  differentCount: count(0),
  unreadableCount: count(0, "1: the stored facts cannot be read, so the decision cannot be worked out again."),
});

const bulkPayment = z.object({
  id: id(EXAMPLE.heldPayment),
  name: text("$1,250.00 to Wattle Creek Electrical"),
  done: flag(true),
  code: text("ALREADY_DECIDED", "Why it was refused. Null: it was rejected.").nullable(),
  message: text("Rejected"),
});

const byId = { id: idOf("payment", EXAMPLE.heldPayment) };

export const PAYMENT_CALLS = [
  endpoint({
    id: "listPayments",
    group: "payments",
    at: "GET /api/payments",
    needs: "payments:read",
    title: "List payments",
    text: "Newest first, 50 at a time.",
    query: {
      status: choice("Only payments with this status.", PAYMENT_FILTERS),
      q: word("Words from the names, the reference or the description.", "INV-2041"),
      ...days,
      min: word("The smallest amount, in dollars.", "100"),
      max: word("The largest amount, in dollars.", "9,999.99"),
      payeeId: word("Only payments to this payee.", EXAMPLE.payee),
      by: word("A user's id: only payments that this person recorded.", EXAMPLE.person),
      cursor,
    },
    answers: {
      200: { text: "A page of payments.", schema: z.object({ payments: z.array(listedPayment), nextCursor }) },
    },
    examples: [
      { title: "All payments", status: 200 },
      { title: "Held payments above $100", status: 200, query: { status: "held", min: "100" } },
    ],
    run: async ({ services, actor, asked }) => {
      const { search, after } = readPaymentsQuery(asked);
      const page = await listPayments(services, actor, { conditions: conditionsOf(search, actor.timeZone), after });
      const masked = page.payments.map((row) => ({ ...row, accountNumber: maskAccountNumber(row.accountNumber) }));
      return { payments: masked, nextCursor: page.next ?? null };
    },
  }),
  endpoint({
    id: "recordPayment",
    group: "payments",
    at: "POST /api/payments",
    needs: "payments:write",
    title: "Record and check a payment",
    text: "Name one of your payees, or an account. Every rule runs before the answer.",
    isIdempotent: true,
    body: z.union([payeePaymentSchema, accountPaymentSchema]),
    way: (given) => (given.payeeId !== undefined && given.payeeId !== null ? payeePaymentSchema : accountPaymentSchema),
    answers: {
      201: {
        text: "The payment, what was decided, and every rule that flagged it.",
        schema: z.object({ payment, decision, reasons: z.array(paymentReason), statusNow }),
      },
    },
    refusals: ["SUBSCRIPTION_REQUIRED", "NOT_FOUND", "PAYEE_CHANGING"],
    examples: [
      {
        title: "To a payee",
        status: 201,
        json: {
          payeeId: EXAMPLE.payee,
          amount: 125_000,
          reference: "INV-2041",
          description: "Switchboard, second stage",
        },
      },
      {
        title: "To an account that belongs to no payee",
        status: 201,
        json: {
          bsb: "062-000",
          accountNumber: "87654321",
          accountName: "Wattle Creek Electrical",
          amount: 4_950,
          reference: "INV-2042",
        },
      },
    ],
    run: async ({ services, actor, body, idempotencyKey }) => {
      // If the payee was named by its id, the answer reveals its account; a typed account is known already.
      const showsAccount = "payeeId" in body.to;
      const asked = { payment: body, idempotencyKey, showsAccount };
      await askBeforePayment(services, actor, body);
      const recorded = await recordPayment(services, actor, asked);
      const { payment, decision, reasons, statusNow, isRepeated } = recorded;
      if (isRepeated && showsAccount) {
        await recordReveal(services, actor, { entityType: "payment", entityId: payment.id });
      }
      return { payment, decision, reasons, statusNow };
    },
  }),
  ...evidenceCalls({ type: "payment", path: "payments", example: EXAMPLE.heldPayment }),
  endpoint({
    id: "readPayment",
    group: "payments",
    at: "GET /api/payments/{id}",
    needs: "payments:read",
    title: "Read a payment",
    text: "Shows the account number in full; the audit trail records that.",
    path: byId,
    answers: {
      200: {
        text: "The payment, what flags it now, and its history.",
        schema: z.object({
          payment,
          decision,
          reasons: z.array(paymentReason),
          recordedByUser: person.nullable(),
          transitions: z.array(paymentStep),
        }),
      },
    },
    examples: [{ title: "One payment", status: 200, path: { id: EXAMPLE.heldPayment } }],
    run: async ({ services, actor, path: { id } }) => {
      const payment = await getPayment(services, actor, id);
      const [transitions] = await Promise.all([
        listTransitions(services, actor, id),
        recordReveal(services, actor, { entityType: "payment", entityId: id }),
      ]);
      const reasons = currentReasons(payment);
      return {
        payment,
        decision: ruleDecision(reasons),
        reasons,
        recordedByUser: named(payment.recordedBy),
        transitions: transitions.map((step) => ({
          ...step,
          from: step.fromStatus,
          to: step.toStatus,
          by: step.userName,
        })),
      };
    },
  }),
  endpoint({
    id: "rejectPayments",
    group: "payments",
    at: "POST /api/payments/bulk",
    needs: "payments:write",
    title: "Reject several held payments",
    text: "Rejects up to 50 held payments for one reason, one after the other, with a result for each. Nothing approves several at once.",
    isIdempotent: true,
    body: bulkPaymentsSchema,
    answers: {
      200: { text: "The result for each, in the order sent.", schema: z.object({ results: z.array(bulkPayment) }) },
    },
    examples: [
      {
        title: "Reject",
        status: 200,
        json: { act: "reject", ids: [EXAMPLE.heldPayment], reason: "The supplier did not send these invoices" },
      },
    ],
    run: async ({ services, actor, body: { ids, reason }, idempotencyKey: key }) => {
      const results = await rejectHeldPayments(services, actor, { ids, reason, key });
      return {
        results: results.map(({ id, name, isDone, text, code }) => ({ id, name, done: isDone, code, message: text })),
      };
    },
  }),
  endpoint({
    id: "decidePayment",
    group: "payments",
    at: "POST /api/payments/{id}/decision",
    needs: "payments:write",
    title: "Decide a held payment",
    isIdempotent: true,
    path: byId,
    body: decisionSchema,
    answers: { 200: { text: "The payment.", schema: z.object({ payment }) } },
    refusals: [
      "SUBSCRIPTION_REQUIRED",
      "APPROVAL_LIMIT",
      "SECOND_PERSON_REQUIRED",
      "ALREADY_DECIDED",
      "PAYMENT_NOT_HELD",
      "DETAILS_CHANGED",
      "PAYEE_REQUIRED",
      "PAYMENT_CHANGED",
    ],
    examples: [
      {
        title: "Approve",
        status: 200,
        path: { id: EXAMPLE.heldPayment },
        json: { decision: "approve", reason: "Called the payee" },
      },
      {
        title: "Reject",
        status: 200,
        path: { id: EXAMPLE.heldPayment },
        json: { decision: "reject", reason: "Paid last month" },
      },
      {
        title: "Ask for a verification",
        status: 200,
        path: { id: EXAMPLE.heldPayment },
        json: { decision: "request_verification" },
      },
    ],
    run: async ({ services, actor, path: { id }, body, idempotencyKey }) => {
      const payment = await decidePayment(services, actor, { paymentId: id, ...body, idempotencyKey });
      await recordReveal(services, actor, { entityType: "payment", entityId: id });
      return { payment };
    },
  }),
  endpoint({
    id: "recordOutcome",
    group: "payments",
    at: "POST /api/payments/{id}/outcome",
    needs: "payments:write",
    title: "Record what the bank did",
    isIdempotent: true,
    path: { id: idOf("payment", EXAMPLE.authorisedPayment) },
    body: outcomeSchema,
    answers: {
      200: {
        text: "The payment, and what the outcome changed about its payee.",
        schema: z.object({ payment, payee: paidPayee.nullable() }),
      },
    },
    refusals: ["ALREADY_DECIDED", "PAYMENT_HELD", "PAYMENT_NOT_HELD", "PAYMENT_CHANGED"],
    examples: [
      { title: "Paid", status: 200, path: { id: EXAMPLE.authorisedPayment }, json: { status: "successful" } },
      {
        title: "Returned",
        status: 200,
        path: { id: EXAMPLE.authorisedPayment },
        json: { status: "failed", reason: "Account closed" },
      },
    ],
    run: async ({ services, actor, path: { id }, body, idempotencyKey }) => {
      const payment = await recordOutcome(services, actor, { paymentId: id, ...body, idempotencyKey });
      await recordReveal(services, actor, { entityType: "payment", entityId: id });
      const { payee, latest } = payment;
      const grade = payee && (await findPayeeGrade(services, actor, payee.id));
      return { payment, payee: payee && { ...payee, status: currentStatus(payee, latest), grade } };
    },
  }),
  endpoint({
    id: "replayPayment",
    group: "payments",
    at: "GET /api/payments/{id}/replay",
    needs: "payments:read",
    title: "Decide a payment again",
    text: "Runs the rules again on the facts stored with the payment, and compares the decisions. Changes nothing.",
    path: byId,
    answers: {
      200: { text: "Which rules would decide differently: none, unless a record is damaged.", schema: paymentReplay },
    },
    examples: [{ title: "One payment", status: 200, path: { id: EXAMPLE.heldPayment } }],
    run: async ({ services, actor, path }) => {
      const { id } = await getPayment(services, actor, path.id);
      const replay = await replayPayment(services, actor, id);
      return { ...replay, differentCount: replay.different.length };
    },
  }),
];
