import * as z from "zod";
import { PAYMENT_STATUSES } from "~/kernel/enums";
import type { toPaidPayeeJson, toPaymentJson, toStepJson } from "~/modules/payments/payment.json";
import type { PaymentReplay } from "~/modules/payments/replay-payment.server";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import { EXAMPLE } from "../example-ids";
import {
  accountName,
  accountNumber,
  bsb,
  cents,
  count,
  describes,
  facts,
  flag,
  grade,
  id,
  instant,
  maskedAccountNumber,
  text,
} from "./fields.server";
import { payeeStatus } from "./payees.answers.server";

export const paymentStatus = z.enum(PAYMENT_STATUSES);

export const decision = z
  .enum(["authorised", "held"])
  .meta({ description: "What the rules decided. Held: a person has to decide." });

export const paymentReason = describes<PaymentReason>()(
  z
    .object({
      rule: text("payee_not_trusted"),
      level: z.enum(["hold", "warn"]),
      message: text("This payee has not been verified for its current bank details."),
      evidence: facts.meta({ description: "What the rule saw; bank numbers masked." }),
    })
    .meta({ description: "A rule that flagged the payment." }),
);

export const payment = describes<ReturnType<typeof toPaymentJson>>()(
  z.object({
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
  }),
);

export const listedPayment = z.object({ ...payment.shape, accountNumber: maskedAccountNumber });

export const paymentStep = describes<ReturnType<typeof toStepJson>>()(
  z.object({
    id: id(EXAMPLE.entry),
    from: paymentStatus,
    to: paymentStatus,
    reason: text("Called the payee").nullable(),
    by: text("Mira Okafor").nullable().meta({ description: "Null: PayeeProof itself." }),
    createdAt: instant,
  }),
);

export const paidPayee = describes<ReturnType<typeof toPaidPayeeJson>>()(
  z.object({
    id: id(EXAMPLE.payee),
    name: text("Wattle Creek Electrical"),
    status: payeeStatus,
    grade,
    whitelisted: flag(true),
    paymentCount: count(4),
    lastPaymentDate: instant.nullable(),
  }),
);

export const paymentReplay = describes<PaymentReplay & { differentCount: number }>()(
  z.object({
    isKept: flag(true, "False: the payment was recorded before decisions kept what their rules saw."),
    different: z.array(text("payee_not_trusted")),
    changedRules: z.array(text("unusual_amount")),
    differentCount: count(0),
  }),
);
