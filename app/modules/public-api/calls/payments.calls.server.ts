import * as z from "zod";
import {
  accountPaymentSchema,
  decisionSchema,
  outcomeSchema,
  payeePaymentSchema,
} from "~/modules/payments/payment.server";
import { PAYMENT_FILTERS } from "~/modules/payments/payment-list";
import { nextCursor, person } from "../answers/fields.server";
import {
  decision,
  listedPayment,
  paidPayee,
  payment,
  paymentReason,
  paymentReplay,
  paymentStep,
} from "../answers/payments.answers.server";
import { evidencePack } from "../answers/records.answers.server";
import type { Call } from "../call";
import { EXAMPLE } from "../example-ids";
import { choice, cursor, days, idOf, word } from "./parameters.server";

const parameters = [idOf("payment", EXAMPLE.heldPayment)];

export const PAYMENT_CALLS: readonly Call[] = [
  {
    id: "listPayments",
    group: "payments",
    method: "GET",
    path: "payments",
    title: "List payments",
    text: "Newest first, 50 at a time.",
    query: [
      choice("status", "Only these.", PAYMENT_FILTERS),
      word("q", "Words of the names, of the reference or of the description.", "INV-2041"),
      ...days,
      word("min", "The smallest amount, in dollars.", "100"),
      word("max", "The largest amount, in dollars.", "9,999.99"),
      word("payeeId", "Only payments to this payee.", EXAMPLE.payee),
      word("by", "Only payments that this person recorded: a user's id.", EXAMPLE.person),
      cursor,
    ],
    answers: [
      { status: 200, text: "A page of payments.", schema: z.object({ payments: z.array(listedPayment), nextCursor }) },
    ],
    examples: [
      { title: "All payments", status: 200 },
      { title: "Held payments above $100", status: 200, query: { status: "held", min: "100" } },
    ],
  },
  {
    id: "recordPayment",
    group: "payments",
    method: "POST",
    path: "payments",
    title: "Record and check a payment",
    text: "Names one of your payees, or an account. Every rule runs before the answer.",
    isIdempotent: true,
    body: { json: z.union([payeePaymentSchema, accountPaymentSchema]) },
    answers: [
      {
        status: 201,
        text: "The payment, what was decided, and every rule that flagged it.",
        schema: z.object({ payment, decision, reasons: z.array(paymentReason) }),
      },
    ],
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
        title: "To an account that is no payee's",
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
  },
  {
    id: "readPaymentEvidence",
    group: "payments",
    method: "GET",
    path: "payments/:id/evidence",
    title: "Read the evidence of a payment",
    text: "What the audit trail holds of it, each entry with its seal, and the certificates. `scripts/verify-evidence.mjs` checks it without PayeeProof. Up to 1,000 entries. A token needs `audit:read`.",
    parameters,
    answers: [{ status: 200, text: "The evidence pack.", schema: evidencePack }],
    examples: [{ title: "One payment", status: 200, path: { id: EXAMPLE.heldPayment } }],
  },
  {
    id: "downloadPaymentEvidence",
    group: "payments",
    method: "GET",
    path: "payments/:id/evidence.pdf",
    title: "Download the evidence of a payment",
    text: "The same on paper, with the JSON inside.",
    parameters,
    answers: [{ status: 200, text: "A PDF file.", type: "application/pdf" }],
    examples: [{ title: "One payment", status: 200, path: { id: EXAMPLE.heldPayment } }],
  },
  {
    id: "readPayment",
    group: "payments",
    method: "GET",
    path: "payments/:id",
    title: "Read a payment",
    text: "With the account number in full, which the audit trail records.",
    parameters,
    answers: [
      {
        status: 200,
        text: "The payment, what flags it now, and its history.",
        schema: z.object({
          payment,
          decision,
          reasons: z.array(paymentReason),
          recordedByUser: person.nullable(),
          transitions: z.array(paymentStep),
        }),
      },
    ],
    examples: [{ title: "One payment", status: 200, path: { id: EXAMPLE.heldPayment } }],
  },
  {
    id: "decidePayment",
    group: "payments",
    method: "POST",
    path: "payments/:id/decision",
    title: "Decide a held payment",
    parameters,
    isIdempotent: true,
    body: { json: decisionSchema },
    answers: [{ status: 200, text: "The payment.", schema: z.object({ payment }) }],
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
  },
  {
    id: "recordOutcome",
    group: "payments",
    method: "POST",
    path: "payments/:id/outcome",
    title: "Record what the bank did",
    parameters: [idOf("payment", EXAMPLE.authorisedPayment)],
    isIdempotent: true,
    body: { json: outcomeSchema },
    answers: [
      {
        status: 200,
        text: "The payment, and what the outcome changed about its payee.",
        schema: z.object({ payment, payee: paidPayee.nullable() }),
      },
    ],
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
  },
  {
    id: "replayPayment",
    group: "payments",
    method: "GET",
    path: "payments/:id/replay",
    title: "Decide a payment again",
    text: "Runs the rules on the facts that were stored with the payment and compares. Changes nothing.",
    parameters,
    answers: [
      {
        status: 200,
        text: "Which rules would decide differently: none, unless a record is broken.",
        schema: paymentReplay,
      },
    ],
    examples: [{ title: "One payment", status: 200, path: { id: EXAMPLE.heldPayment } }],
  },
];
