export interface Question {
  question: string;
  /** Paragraphs. */
  answer: readonly string[];
}

/** The six questions (specification, section 2). */
export const QUESTIONS: readonly Question[] = [
  {
    question: "What exactly does PayeeProof check?",
    answer: [
      "The three things a payment is made of: the BSB, the account number and the account name. They are compared with your own whitelist, with what other organisations have vouched for, and, with the payee's consent, with what the payee's own bank says.",
      "The BSB's institution, look-alike payees and unusual account numbers are shown beside the result. The reviewer sees both names side by side with every difference marked.",
    ],
  },
  {
    question: "How long does a verification take?",
    answer: [
      "A payee on your whitelist is answered in seconds, so most payees of an ordinary pay run take well under a minute in all. A new payee is verified by a link and by their bank, and takes as long as they need to answer: minutes if they are at their desk, a day or two if they are not.",
    ],
  },
  {
    question: "What happens when a payment is flagged?",
    answer: [
      "It is held, and the page says which rule held it and why. You then approve it with a reason, reject it, or request additional verification. A held payment never authorises itself, and a payee who says that the details are not theirs holds every payment to them.",
    ],
  },
  {
    question: "When is a payee whitelisted?",
    answer: [
      "When a reviewer approves a verification, and automatically after 3 or more successful payments to unchanged details, provided nothing about the payee is held, failed or disputed. Any change of BSB, account number or account name takes the payee off the whitelist until somebody has checked again.",
    ],
  },
  {
    question: "Our bank already checks account names. What does this add?",
    answer: [
      "Australian banks have offered Confirmation of Payee since mid-2025, and it is a good last check. It happens in the bank's screen, for the person who is paying, at the moment of paying. PayeeProof works earlier and keeps what it finds: it watches the details in your supplier records, holds payments after a change, brings in a second person, and leaves a sealed record of who checked what.",
    ],
  },
  {
    question: "What does it cost, and can we stop?",
    answer: [
      "One plan: A$500.00 per month including GST, for any number of people and verifications. A new organisation has 14 days to try it without giving a card. You can cancel at any time; the service runs to the end of the period you paid for, and your records stay readable.",
    ],
  },
];
