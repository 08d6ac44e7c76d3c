/** How a payment ended, as the page tells it after the person came back (specification, section 4). */
export type PaymentOutcome = "succeeded" | "processing" | "requires_payment_method" | "other";

export const OUTCOME_TEXT: Record<PaymentOutcome, string> = {
  succeeded: "Payment succeeded!",
  processing: "Your payment is processing.",
  requires_payment_method: "Your payment was not successful, please try again.",
  other: "Something went wrong.",
};

/** Any other status of a payment, and none at all, is "other". */
export function toOutcome(status: string | null): PaymentOutcome {
  return status === "succeeded" || status === "processing" || status === "requires_payment_method" ? status : "other";
}
