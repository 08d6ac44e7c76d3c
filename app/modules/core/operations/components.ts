import type { Component } from "~/kernel/enums";

/** What people read of each part of the service. `trouble` stands on every page while it does not work. */
export const COMPONENT_WORDS: Readonly<Record<Component, { name: string; trouble: string }>> = {
  app: { name: "Website and API", trouble: "The website and the API do not work as they should." },
  background: {
    name: "Work in the background",
    trouble: "Imports, payment files and messages take longer than usual. Nothing is lost.",
  },
  email: { name: "Email", trouble: "Emails are delayed. We go on trying, and nothing is lost." },
  texts: { name: "Text messages", trouble: "Text messages are delayed. We go on trying." },
  bank_consent: {
    name: "Bank checks by consent (Basiq)",
    trouble: "Bank checks with Basiq are delayed. We go on asking, and no check ends because of this.",
  },
  bank_instant: {
    name: "Confirmation of Payee",
    trouble: "Confirmation of Payee does not answer. You can verify a payee another way.",
  },
  register: {
    name: "Public registers",
    trouble: "A public register does not answer. ABNs and email domains are looked up later.",
  },
  accounting: {
    name: "Xero and MYOB",
    trouble: "Xero or MYOB does not answer. Changes of suppliers and bills are seen later.",
  },
  billing: { name: "Card payments (Stripe)", trouble: "Card payments for subscriptions do not work at the moment." },
  seals: { name: "Seals of the audit trail", trouble: "Entries of the audit trail are sealed later than usual." },
};
