export interface Question {
  question: string;
  answer: readonly string[];
}

/** The six questions (specification, section 2). */
export const QUESTIONS: readonly Question[] = [
  {
    question: "What exactly does PayeeProof check?",
    answer: [
      "The BSB, the account number and the account name. We compare them with your own whitelist, with what other organisations have confirmed about the account, and with what the payee's bank says. The bank is asked in one of two ways: at once by Confirmation of Payee, where it is switched on, which needs nothing from the payee; or through Basiq, with the payee's consent.",
      "Beside the result you see the BSB's institution, similar payees and unusual account numbers. The reviewer sees both names side by side with every difference marked.",
    ],
  },
  {
    question: "How long does a verification take?",
    answer: [
      "A payee on your whitelist is checked while you wait. Confirmation of Payee, where it is switched on, answers while you wait too. A payee who confirms through a link and their bank can take as long as they need: the link works for 7 days.",
    ],
  },
  {
    question: "What happens when a payment is flagged?",
    answer: [
      "It is held for review, and the page shows which rule held it and why. You then approve it with a reason, reject it, or request additional verification. A held payment is never authorised without a person's decision.",
    ],
  },
  {
    question: "When is a payee whitelisted?",
    answer: [
      "When a reviewer approves a verification, and automatically after 3 or more successful payments to unchanged details, as long as no payment to the payee is held or failed and the payee has not disputed the details. A payment that was checked here counts as successful when a person marks it, when the outcome of its payment file is recorded, or when Xero has reconciled it. Any change of BSB, account number or account name takes the payee off the whitelist until it has been checked again.",
    ],
  },
  {
    question: "Our bank already checks account names. What does this add?",
    answer: [
      "Australian banks have offered Confirmation of Payee since mid-2025. Use it: it checks the name in the bank's screen, for the person who is paying, when they pay. PayeeProof works earlier. It checks changes to your supplier records, holds payments after a change, involves a second person, and keeps a sealed record of who checked what.",
    ],
  },
  {
    question: "What does it cost, and can we stop?",
    answer: [
      "One plan: A$500.00 per month including GST, for any number of people, payees and verifications. Daily limits against misuse are on the pricing page. A new organisation has 14 days to try it, with no card needed. You can cancel at any time. The service runs to the end of the period you paid for, and you can still read and export your records afterwards.",
    ],
  },
];
