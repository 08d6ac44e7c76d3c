import * as z from "zod";
import { FILE_FORMATS, FILE_STATUSES, LINE_STATUSES } from "~/kernel/enums";
import type { FileProblem } from "~/kernel/file-problem";
import type { Cleared } from "~/modules/payments/payment-files/clear-file.server";
import type { Difference } from "~/modules/payments/payment-files/compare-files";
import type { toClearingJson, toFileJson, toLineJson } from "~/modules/payments/payment-files/payment-file.json";
import type { Outcomes } from "~/modules/payments/payment-files/record-outcomes.server";
import type { ReplayResult } from "~/modules/payments/payment-files/replay.server";
import { EXAMPLE } from "../example-ids";
import { bsb, cents, count, describes, id, instant, maskedAccountNumber, sha256, text } from "./fields.server";
import { paymentReason, paymentStatus } from "./payments.answers.server";

const problem = describes<FileProblem>()(
  z.object({
    line: count(3).nullable(),
    level: z.enum(["error", "warning"]),
    message: text("Line 3: the reference is empty."),
  }),
);

export const paymentFile = describes<ReturnType<typeof toFileJson>>()(
  z.object({
    id: id(EXAMPLE.openFile),
    name: text("suppliers.aba"),
    format: z.enum(FILE_FORMATS),
    status: z.enum(FILE_STATUSES),
    sha256,
    totals: z.object({
      lines: count(2),
      cents,
      checked: count(2),
      held: count(1),
      heldCents: cents,
      authorised: count(1),
      authorisedCents: cents,
      rejected: count(0),
      cleared: count(0),
      settled: count(0),
    }),
    problems: z.array(problem),
    createdAt: instant,
  }),
);

export const fileLine = describes<ReturnType<typeof toLineJson>>()(
  z.object({
    line: count(2, "The line's number in the file, from 1."),
    decision: z.enum(LINE_STATUSES),
    accountName: text("Wattle Creek Electrical Pty Ltd"),
    bsb,
    accountNumber: maskedAccountNumber,
    amount: cents,
    reference: text("INV-2041"),
    payeeId: id(EXAMPLE.payee).nullable(),
    reasons: z.array(paymentReason),
    decisionReason: text("Called the payee").nullable(),
    decidedAt: instant.nullable(),
    paymentId: id(EXAMPLE.heldPayment).nullable(),
    paymentStatus: paymentStatus.nullable(),
  }),
);

export const cleared = describes<Cleared>()(
  z.object({ id: id(EXAMPLE.clearing), sha256, lines: count(1), totalCents: cents }),
);

const clearing = describes<ReturnType<typeof toClearingJson>>()(
  z.object({
    id: id(EXAMPLE.clearing),
    fileId: id(EXAMPLE.clearedFile),
    sha256,
    lines: count(1),
    totalCents: cents,
    clearedAt: instant,
  }),
);

const difference = describes<Difference>()(
  z.object({
    kind: z.enum(["account", "amount", "title", "added", "missing", "record"]),
    line: count(2).nullable(),
    message: text("Line 2 pays Wattle Creek Electrical $1,950.00. $1,250.00 was cleared."),
  }),
);

export const proof = z.union([
  z.object({ cleared: z.literal(true), clearing }),
  z.object({
    cleared: z.literal(false),
    sha256,
    comparedWith: clearing.nullable(),
    differences: z.array(difference),
  }),
]);

export const outcomes = describes<Outcomes>()(
  z.object({
    settled: count(1),
    failed: count(0),
    left: z.array(count(3)).meta({ description: "Lines whose payment is held again and has no outcome yet." }),
    unmatched: z.array(count(5)).meta({ description: "Lines of the bank's file that match no payment of this one." }),
  }),
);

export const replay = describes<ReplayResult>()(
  z.object({
    lines: count(2),
    different: z.array(z.object({ line: count(2), rules: z.array(text("payee_not_trusted")) })),
    differentCount: count(0),
    changedRules: z.array(text("unusual_amount")),
  }),
);
