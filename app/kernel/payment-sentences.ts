import type { PaymentStatus } from "./enums";

/** What is said of a payment in each of its states, everywhere: errors, reasons, the timeline and the page's messages. */

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

type Told = { title: string; description?: string };

/** Nobody puts a payment on hold by hand. */
const TOLD: Record<Exclude<PaymentStatus, "held">, Told> = {
  authorised: { title: "Payment approved", description: "It is authorised and may be paid." },
  verification_requested: {
    title: "Verification requested",
    description: "The payment needs a decision again once the payee's verification is decided.",
  },
  rejected: { title: "Payment rejected", description: "It will not be paid." },
  successful: { title: "Payment marked successful" },
  failed: { title: "Payment marked failed" },
};

/** How a payment stands, to follow "This payment": "is held". */
export function paymentStanding(status: PaymentStatus): string {
  return STANDING[status];
}

/** What a person did by bringing a payment to a status, to follow their name: "approved this payment". */
export function paymentDone(status: PaymentStatus): string {
  return DONE[status];
}

/** What the next page tells the person who brought a payment to a status by a decision or an outcome. */
export function paymentTold(status: Exclude<PaymentStatus, "held">): Told {
  return TOLD[status];
}
