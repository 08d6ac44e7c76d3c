import type { DemoPayee } from "./demo-card";
import type { Feature } from "./feature-grid";
import type { HowItWorksStep } from "./how-it-works-steps";

/** The words of the home page. Every claim is something the product does. */

export const FEATURES: readonly Feature[] = [
  {
    id: "whitelist",
    icon: "shieldCheck",
    title: "Automated whitelist verification",
    text: "Every payment is compared with the payees you trust. A whitelisted payee is answered in seconds; a change takes the trust away at once.",
  },
  {
    id: "alerts",
    icon: "bell",
    title: "Real-time alerts",
    text: "When bank details change, everybody else who can act is told, not only the person who typed, and so is the payee's previous address.",
  },
  {
    id: "steps",
    icon: "users",
    title: "Multi-step verification",
    text: "The payee's own confirmation, the payee's own bank, and a reviewer who need not be the person who asked.",
  },
  {
    id: "audit",
    icon: "history",
    title: "Audit trails",
    text: "Who did what, when, from where and why, sealed entry by entry so that a later change to the record cannot hide.",
  },
  {
    id: "integration",
    icon: "code",
    title: "Easy integration",
    text: "Every check a person can make is also one JSON call, with the same rules, the same reasons and the same record.",
  },
  {
    id: "analytics",
    icon: "flag",
    title: "Security analytics",
    text: "What is waiting, what is trusted, what is held, and for every held payment the rule that held it with its evidence.",
  },
];

export const STEPS: readonly HowItWorksStep[] = [
  { title: "Enter the details", text: "BSB, account number and account name, as they stand on the invoice." },
  {
    title: "Check the details",
    text: "Your whitelist answers in seconds. For a new payee the institution, look-alikes and what other organisations say of the account are shown at once.",
  },
  {
    title: "Verify the payee",
    text: "They confirm by a link and, with their consent, their own bank says who holds the account. You compare the two names and decide.",
  },
  {
    title: "Authorise with reasons",
    text: "Every payment is authorised or held, and says why. After 3 or more successful payments a payee is whitelisted automatically.",
  },
];

export const DEMO_PAYEE: DemoPayee = {
  name: "Coastline Timber Supplies",
  accountName: "Coastline Timber Supplies Pty Ltd",
  bsb: "062000",
  accountNumber: "12345678",
  amountCents: 845_000,
};

/** The one plan and everything in it (specification, section 9). */
export const PLAN = {
  name: "PayeeProof, the whole of it",
  price: "A$500.00",
  per: "per month, including GST",
  includes: [
    "Unlimited users per organisation",
    "Unlimited payment verifications",
    "Advanced whitelist management",
    "Bank account verification through Basiq",
    "Email and SMS alerts",
    "Accounting integration",
    "Premium support",
    "A complete audit trail",
  ],
} as const;
