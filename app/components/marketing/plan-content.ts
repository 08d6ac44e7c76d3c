import { PLAN as STANDARD } from "~/modules/accounts/billing/plan";

/** The one plan as the pricing section shows it. */
export const PLAN = {
  name: "PayeeProof",
  price: "A$500.00",
  per: "per month, including GST",
  includes: STANDARD.includes,
};
