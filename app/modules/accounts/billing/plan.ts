/** One line of the plan. A note says what exactly there is: the list promises nothing that does not work. */
export interface PlanLine {
  text: string;
  note?: string;
}

/** The one plan and everything in it (specification, section 9): what it costs and what it includes. */
export const PLAN = {
  name: "Standard",
  /** Integer cents, GST included. */
  amount: 50_000,
  /** Of which GST: an eleventh. */
  taxAmount: 4_545,
  includes: [
    { text: "Unlimited users per organisation" },
    { text: "Unlimited payment verifications" },
    { text: "Advanced whitelist management" },
    { text: "Bank account verification through Basiq" },
    { text: "Email and SMS alerts" },
    { text: "Accounting integration", note: "suppliers and approved bills of Xero and MYOB; payments of Xero" },
    { text: "Premium support" },
    { text: "A complete audit trail" },
  ] as readonly PlanLine[],
} as const;
