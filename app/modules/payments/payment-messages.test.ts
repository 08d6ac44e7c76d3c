import { expect, test } from "vitest";
import { PAYMENT_STATUSES, type PaymentStatus } from "~/kernel/enums";
import { paymentDone, paymentStanding } from "~/kernel/payment-sentences";
import { DECISIONS, type Decision, OUTCOMES, type PaymentIntent, successOf } from "./payment";
import { paymentMovedOn } from "./payment.server";
import { FILTER_LABELS } from "./payment-list";

/** The words that only the description of each status contains. */
const WORDS: Record<PaymentStatus, RegExp> = {
  authorised: /authoris|approv/i,
  held: /\bheld\b|\bhold\b/i,
  verification_requested: /verification/i,
  rejected: /reject|will not be paid/i,
  successful: /successful/i,
  failed: /fail/i,
};

const DECISION_NAMES = Object.keys(DECISIONS) as Decision[];
const toStatus = (intent: PaymentIntent): PaymentStatus =>
  intent === "successful" || intent === "failed" ? intent : DECISIONS[intent];

const statesIn = (sentence: string) => PAYMENT_STATUSES.filter((status) => WORDS[status].test(sentence));

function sentencesOf(status: PaymentStatus): string[] {
  const told = [...DECISION_NAMES, ...OUTCOMES].filter((intent) => toStatus(intent) === status).map(successOf);
  return [
    FILTER_LABELS[status],
    paymentStanding(status),
    paymentDone(status),
    ...told.flatMap(({ title, description }) => (description ? [title, description] : [title])),
    paymentMovedOn(status, undefined, "Australia/Sydney").message,
  ];
}

test.each(PAYMENT_STATUSES)(
  "every sentence about a payment that is %s speaks of that state and of no other",
  (status) => {
    for (const sentence of sentencesOf(status)) {
      expect([sentence, statesIn(sentence)]).toEqual([sentence, [status]]);
    }
  },
);

test.each([...DECISION_NAMES, ...OUTCOMES])("the message after %s speaks of what the timeline then says", (intent) => {
  expect(statesIn(successOf(intent).title)).toEqual(statesIn(paymentDone(toStatus(intent))));
});
