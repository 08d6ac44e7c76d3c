import { paymentTold } from "~/kernel/payment-sentences";
import { DECISIONS, type Decision, type PaymentOutcome } from "./payment";

/** What a person can do on the page of a payment. */
export type PaymentIntent = Decision | PaymentOutcome;

/** What the next page says after it was done. */
export function successOf(intent: PaymentIntent) {
  return paymentTold(intent === "successful" || intent === "failed" ? intent : DECISIONS[intent]);
}
