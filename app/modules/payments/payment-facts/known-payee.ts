import type { DetailsOrigin } from "~/kernel/payee";
import type { FurtherFacts, PayeeFacts } from "~/modules/rules/facts";
import type { Returned } from "./returned-payment";

/** Everything of a payee that the rules look at. */
export type KnownPayee = {
  facts: PayeeFacts;
  email: string | null;
  abn: string | null;
  formerBsbs: string[];
  editsInLastDay: number;
  lastReturned: Returned | null;
  /** Undefined where there is none: stored facts of thousands of lines stay short. */
  accountingChange: FurtherFacts["accountingChange"] | undefined;
  /** Where its account came in from an accounting system, by whose decision it is trusted (null: a rule's), and whether it was paid. */
  accountingOrigin: (DetailsOrigin & { trustedById: string | null | undefined; isPaid: boolean }) | undefined;
  /** A bank spoke against an account of it once, and no newer confirmation of the account is its newest verification. */
  hasAnswerAgainst: boolean;
};

/** Who a payment is meant for: a payee, or the holder of an account. */
export type Recipient = { payeeId: string } | { bsb: string; accountNumber: string };
