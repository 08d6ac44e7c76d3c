import type { PaymentStatus, VerificationStatus } from "~/kernel/enums";
import type { BankDetails } from "~/kernel/payee";
import type { PaymentReason, RuleLevel } from "~/modules/payment-rules/payment-reason";

/** What the rules look at: everything known of a payment at the moment it is recorded. Instants in epoch milliseconds. */
export type PaymentFacts = {
  now: number;
  /** IANA name of the zone in which the organisation reads its dates. */
  timeZone: string;
  /** A verification older than this is stale. */
  reverifyAfterMonths: number;
  /** A first payment above this many cents is too much. */
  firstPaymentLimitCents: number;
  /** Integer cents, Australian dollars. */
  amount: number;
  reference: string;
  /** The name given with an account; null when the payment was recorded for a payee. */
  givenName: string | null;
  /** Where the money is to go. */
  account: BankDetails;
  /** Why nothing can be paid to the account's BSB, in a sentence; null when nothing is wrong with it. */
  bsbProblem: string | null;
  /** Null: the account is not a payee of the organisation. */
  payee: PayeeFacts | null;
  /** The newest payment to this payee with this amount and `referenceKey` within `DUPLICATE_DAYS` that did not come back. */
  duplicate: DuplicateFacts | null;
};

export type PayeeFacts = BankDetails & {
  id: string;
  name: string;
  version: number;
  whitelisted: boolean;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  takenOffWhitelistAt: number | null;
  contactChangedAt: number | null;
  /** Successful payments, and when the last was processed. */
  paymentCount: number;
  lastPaymentDate: number | null;
  /** The largest of the last `RECENT_PAYMENTS` successful payments, in cents; null when there was none. */
  largestRecentAmount: number | null;
  /** The newest verification, decided or not. */
  latest: VerificationFacts | null;
  /** The newest verification that somebody decided: verified or rejected. */
  latestDecided: (VerificationFacts & { completedAt: number | null }) | null;
};

export type VerificationFacts = BankDetails & {
  id: string;
  status: VerificationStatus;
  createdAt: number;
};

/** `reference` as it was written then. */
export type DuplicateFacts = { id: string; status: PaymentStatus; reference: string | null; createdAt: number };

/** What a rule found. Bank numbers in the evidence are masked. */
export type Finding = Pick<PaymentReason, "message" | "evidence">;

/** One rule. It never looks at its level: the organisation decides what follows from it. */
export type Rule = {
  /** Stored with the payment and named in the organisation's policy. */
  id: string;
  defaultLevel: RuleLevel;
  /** The finding, or undefined: the rule has nothing to say. */
  find: (facts: PaymentFacts) => Finding | undefined;
  /** What the finding rests on, in a line under its sentence. */
  note?: (evidence: Record<string, unknown>) => string | undefined;
};
