/** The one plan (specification, section 9): what it costs and what it includes. */
export const PLAN = {
  name: "Standard",
  /** Integer cents, GST included. */
  amount: 50_000,
  /** Of which GST: an eleventh. */
  taxAmount: 4_545,
  includes: [
    "Unlimited users in your organisation",
    "Unlimited payment verifications",
    "Advanced whitelist management",
    "Bank account verification",
    "Email and SMS alerts",
    "Accounting integration",
    "Premium support",
    "Complete audit trail",
  ],
} as const;
