import type { DemoPayee } from "./demo-card";
import type { Feature } from "./features-section";
import type { HowItWorksStep } from "./how-it-works-section";

/** The text of the home page. Every claim is something that the product does. */

export const FEATURES: readonly Feature[] = [
  {
    id: "whitelist",
    icon: "shieldCheck",
    title: "Automated whitelist verification",
    text: "Every payment is compared with the payees you trust. A payment to a whitelisted payee is authorised unless a rule holds it. If the bank details change, the payee leaves the whitelist at once.",
  },
  {
    id: "alerts",
    icon: "bell",
    title: "Real-time alerts",
    text: "When bank details change, every other member who can act is alerted, and a message goes to the payee's former contact. If that message cannot be delivered, the payee's page says so.",
  },
  {
    id: "steps",
    icon: "users",
    title: "Multi-step verification",
    text: "The bank says at once whether the name fits the account, or the payee confirms the details and shares the account. A reviewer decides, and you can require a second person.",
  },
  {
    id: "audit",
    icon: "history",
    title: "Audit trails",
    text: "Who did what, when, from where and why. Each entry is sealed within minutes, so that a later change to it can be detected.",
  },
  {
    id: "integration",
    icon: "code",
    title: "Easy integration",
    text: "You connect Xero and MYOB by signing in there. Your system can make the same checks through a JSON API, with the same rules, reasons and audit trail.",
  },
  {
    id: "analytics",
    icon: "flag",
    title: "Security analytics",
    text: "See what is waiting, verified and held, and which payees need attention. Every held payment shows the rule that held it and the evidence.",
  },
];

/** A situation in accounts payable, without PayeeProof and with it. */
export interface Situation {
  event: string;
  before: string;
  after: string;
}

export const SITUATIONS: readonly Situation[] = [
  {
    event: "An email says that a supplier's bank details have changed",
    before: "The new numbers are entered, and the next payment goes to them.",
    after: "The payee leaves the whitelist. Payments are held until the change has been reviewed.",
  },
  {
    event: "The name on the invoice is not the name on the account",
    before: "The names are not compared before the payment is made.",
    after: "Both names are shown side by side with the differences marked.",
  },
  {
    event: "The person who entered a payee also approves it",
    before: "The policy forbids it, but the software allows it.",
    after: "If you require a second person, PayeeProof refuses it.",
  },
  {
    event: "The auditor asks who checked a payee, and when",
    before: "You search through old emails.",
    after: "You export a sealed audit trail.",
  },
];

export const STEPS: readonly HowItWorksStep[] = [
  { title: "Enter the details", text: "Enter the BSB, account number and account name as shown on the invoice." },
  {
    title: "Check the details",
    text: "Your whitelist answers while you wait. For a new payee you see the institution, similar payees and how many other organisations trust the account.",
  },
  {
    title: "Verify the payee",
    text: "The bank says at once whether the name fits the account, where Confirmation of Payee is switched on. Or the payee confirms the details through a link and, with their consent, their bank says who holds the account. You compare the two names and decide.",
  },
  {
    title: "Authorise the payment",
    text: "Each payment is authorised or held, with the reasons. After 3 or more successful payments a payee is whitelisted automatically.",
  },
];

export const DEMO_PAYEE: DemoPayee = {
  name: "Coastline Timber Supplies",
  accountName: "Coastline Timber Supplies Pty Ltd",
  bsb: "062000",
  accountNumber: "12345678",
  amountCents: 845_000,
};
