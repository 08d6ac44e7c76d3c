import type { DemoPayee } from "./demo-card";
import type { Feature } from "./feature-grid";
import type { HowItWorksStep } from "./how-it-works-steps";

/** The words of the home page. Every claim is something the product does. */

export const FEATURES: readonly Feature[] = [
  {
    icon: "shield",
    title: "Whitelist verification",
    text: "Every payment is compared with the payees you trust. A whitelisted payee is answered in seconds.",
  },
  {
    icon: "bank",
    title: "Proof from the payee's own bank",
    text: "With the payee's consent their bank says who holds the account, and you see both names side by side.",
  },
  {
    icon: "flag",
    title: "Changed details are held",
    text: "A new BSB, account number or account name takes the trust away until somebody has checked it.",
  },
  {
    icon: "users",
    title: "A second pair of eyes",
    text: "Flagged payments wait for review, and the person who asked need not be the person who approves.",
  },
  {
    icon: "bell",
    title: "Alerts that reach somebody else",
    text: "When bank details change, every other member who can act is told, and so is the payee's previous address.",
  },
  {
    icon: "file",
    title: "An audit trail that stands up",
    text: "Who did what, when and why, sealed so that a later change to the record cannot hide.",
  },
];

export const STEPS: readonly HowItWorksStep[] = [
  { title: "Enter the details", text: "BSB, account number and account name, as they stand on the invoice." },
  {
    title: "See the evidence",
    text: "Institution, look-alikes, and what other organisations say of the account, at once.",
  },
  {
    title: "Verify the payee",
    text: "They confirm by a link and show the account at their own bank. You compare and decide.",
  },
  {
    title: "Pay with reasons",
    text: "Every payment is authorised or held, and says why. After three or more successful payments a payee is whitelisted.",
  },
];

export const DEMO_PAYEE: DemoPayee = {
  name: "Coastline Timber Supplies",
  accountName: "Coastline Timber Supplies Pty Ltd",
  bsb: "062000",
  accountNumber: "12345678",
  amountCents: 845_000,
};

export const PLAN = {
  name: "PayeeProof",
  price: "$500.00",
  per: "per month, in Australian dollars, including GST",
  includes: [
    "Unlimited users per organisation",
    "Unlimited payment verifications",
    "Advanced whitelist management",
    "Bank account verification with Basiq",
    "Email and SMS alerts",
    "A complete audit trail",
  ],
} as const;
