import type { Decision, PaymentOutcome } from "./payment";

/** What a person can do on the page of a payment. */
export type PaymentIntent = Decision | PaymentOutcome;

const DONE: Record<PaymentIntent, { title: string; description?: string }> = {
  approve: { title: "Payment approved", description: "It is authorised and may be paid." },
  reject: { title: "Payment rejected", description: "It will not be paid." },
  request_verification: {
    title: "Verification requested",
    description: "The payment comes back here, held, when the verification is decided.",
  },
  successful: { title: "Payment marked successful" },
  failed: { title: "Payment marked failed" },
};

/** What the next page says after it was done. */
export function successOf(intent: PaymentIntent) {
  return DONE[intent];
}
