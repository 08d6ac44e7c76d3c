import type { Decision, PaymentOutcome } from "./payment";

/** What a person can do on the page of a payment. */
export type PaymentIntent = Decision | PaymentOutcome;

/** A post of the page that was refused: the form as it comes back. */
export type PaymentAnswer = {
  /** Null when the trouble is with a field. */
  problem: string | null;
  needsSubscription: boolean;
  values: { reason: string; processedOn: string };
  errors: { reason?: string[]; processedOn?: string[] };
};

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
