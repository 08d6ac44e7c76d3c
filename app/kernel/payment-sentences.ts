import type { PaymentStatus } from "./enums";

/** Sentences about a payment in each status, for errors, reasons, the timeline and the page's messages. */

const STANDING: Record<PaymentStatus, string> = {
  authorised: "is authorised",
  held: "is held",
  verification_requested: "waits for the payee's verification",
  rejected: "was rejected",
  successful: "was successful",
  failed: "failed",
};

const DONE: Record<PaymentStatus, string> = {
  authorised: "approved this payment",
  held: "put this payment back on hold",
  verification_requested: "requested a verification of the payee",
  rejected: "rejected this payment",
  successful: "marked this payment successful",
  failed: "marked this payment failed",
};

type Message = { title: string; description?: string };

/** "held" is missing because nobody puts a payment on hold manually. */
const MESSAGES: Record<Exclude<PaymentStatus, "held">, Message> = {
  authorised: { title: "Payment approved", description: "It is authorised and may be paid." },
  verification_requested: {
    title: "Verification requested",
    description: "The payment needs a decision again once the payee's verification is decided.",
  },
  rejected: { title: "Payment rejected", description: "It will not be paid." },
  successful: { title: "Payment marked successful" },
  failed: { title: "Payment marked failed" },
};

/** A payment's status as the continuation of "This payment": "is held". */
export function paymentStanding(status: PaymentStatus): string {
  return STANDING[status];
}

/** What a person did to a payment, as the continuation of their name: "approved this payment". */
export function paymentDone(status: PaymentStatus): string {
  return DONE[status];
}

/** The message for the person whose decision or outcome gave a payment its status. */
export function paymentMessage(status: Exclude<PaymentStatus, "held">): Message {
  return MESSAGES[status];
}
