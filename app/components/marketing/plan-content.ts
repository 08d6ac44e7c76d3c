/** One line of the plan. A note says what exactly there is: the list promises nothing that does not work. */
export interface PlanLine {
  text: string;
  note?: string;
}

/** The one plan and everything in it (specification, section 9). */
export const PLAN = {
  name: "PayeeProof",
  price: "A$500.00",
  per: "per month, including GST",
  includes: [
    { text: "Unlimited users per organisation" },
    { text: "Unlimited payment verifications" },
    { text: "Advanced whitelist management" },
    { text: "Bank account verification through Basiq" },
    { text: "Email and SMS alerts" },
    { text: "Accounting integration", note: "suppliers and approved bills of Xero and MYOB; payments of Xero" },
    { text: "Premium support" },
    { text: "A complete audit trail" },
  ] satisfies PlanLine[],
};
