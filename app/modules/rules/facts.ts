import type { BillStatus, CheckOutcome, PaymentStatus, VerificationStatus } from "~/kernel/enums";
import type { BankDetails } from "~/kernel/payee";
import type { AccountStanding, KnownAccount } from "./account-standing";
import type { PaymentReason, RuleLevel } from "./payment-reason";

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
} & Partial<FurtherFacts>;

/** Facts that are not known of every payment. A rule whose fact is absent says nothing. */
export type FurtherFacts = {
  /** The file carries this many characters of a name; null: all of them. */
  nameWidth: number | null;
  /** Other titles under which the same account is in the same payment file. */
  otherTitles: string[];
  /** An earlier line of the same file that pays the same account the same amount with the same reference. */
  earlierLine: number | null;
  /** The account is among those that the organisation pays its staff to. */
  isStaffAccount: boolean;
  /** What the business register says of the payee's ABN. */
  register: { abn: string; state: "active" | "cancelled" | "not_found"; names: string[] };
  /** The payee's email domain, and the known one that it could be taken for. */
  lookalikeDomain: { domain: string; known: string } | null;
  /** Payees that have the name of an account which is no payee's. `standing` is absent in facts of before it was looked at. */
  namesakes: { payeeId: string; name: string; bsb: string; maskedAccountNumber: string; standing?: AccountStanding }[];
  /** A payee of which the account was before, and which is not the one that is paid as its payee; absent: of none. */
  formerHolder: FormerHolderFact;
  /** The newest answer of a bank about the account, where it speaks against it and no person has approved it since. */
  bankAnswer: BankAnswerFact;
  /** How the payee came to the account that is paid, while that is new or nobody has decided about it. */
  lastChange: LastChangeFact;
  /** The file marks the bank details as new or varied (indicator N). */
  newDetails: boolean;
  /** Up to this many cents may be approved by one person or role; null: no limit. */
  approvalLimitCents: number | null;
  /** How often the payee was edited in the last 24 hours. */
  editsInLastDay: number;
  /** The payee's last payment came back; null: it did not. */
  lastReturned: { id: string; returnedAt: number; reason: string | null } | null;
  /** An accounting system has another account for the payee, and no person has decided which is right. */
  accountingChange: {
    system: string;
    noticedAt: number;
    editedBy: string | null;
    /** Null: what stands there as the account cannot be read. */
    bsb: string | null;
    maskedAccountNumber: string;
  };
  /**
   * The payee's account came in from an accounting system. Absent where it was paid before and nobody stands behind this
   * payment alone.
   */
  accountingOrigin: {
    system: string;
    cameAt: number;
    /** Who last edited the supplier there; null: not known. */
    editedBy: string | null;
    /** Everybody who edited it there is known here. */
    isEditorKnown: boolean;
    isFirstPayment: boolean;
    /**
     * It is not known who entered it there, the organisation requires a second person, and whoever records the payment
     * also trusted the payee.
     */
    isOnePerson: boolean;
  };
  /** Approved bills of an accounting system that the payment could be for. Absent: none is known. */
  bills: BillsFact;
  /** BSBs of the payee's former accounts. */
  formerBsbs: string[];
  /** When the organisation works, in minutes after midnight of its time zone; null: at any time. */
  workingHours: { opensAtMinute: number; closesAtMinute: number; worksWeekends: boolean } | null;
};

export type FormerHolderFact = {
  payeeId: string;
  name: string;
  /** When its bank details changed; of a payee that is archived with the account, when it was archived. */
  changedAt: number;
  /**
   * Absent in facts of before it was looked at: then only accounts that are no payee's were asked about. `now`: its account
   * of today; null: this one, it is archived.
   */
  account?: { standing: AccountStanding; now: KnownAccount | null };
};

export type BankAnswerFact = {
  verificationId: string;
  /** The name that the bank was asked about. */
  askedName: string;
  /** What the bank said, in a sentence. */
  said: string;
  /** The name that the bank has; null: it gave none. */
  bankName: string | null;
  outcome: CheckOutcome;
  answeredAt: number;
};

export type LastChangeFact = {
  changedAt: number;
  /** Of the account that is paid. */
  standing: AccountStanding;
  /** The account before it: the last one that was verified; where none was, the last one. `until`: when it was given up. */
  former: KnownAccount & { until: number };
};

export type BillsFact = {
  /**
   * Bills with the payment's reference as their number: those of the payee; where it has none, those of another supplier
   * with the same amount or nearly the name that is paid.
   */
  named: BillFact[];
  /** Without such a bill, what else the payee has, open or paid in the last 30 days; null: nothing. */
  others: { system: string; count: number; totalCents: number; isFitting: boolean } | null;
};

/** Integer cents, Australian dollars. */
export type BillFact = {
  system: string;
  number: string;
  supplier: string;
  status: BillStatus;
  amountDue: number;
  amountPaid: number;
  /** Of the payee that is paid, or of a supplier with this very account. */
  isOwn: boolean;
  /** The account of the supplier there; null: none that can be read. */
  bsb: string | null;
  maskedAccountNumber: string | null;
};

export type PayeeFacts = BankDetails & {
  id: string;
  name: string;
  version: number;
  whitelisted: boolean;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  /** When it was last given another name; absent: never. */
  renamedAt?: number;
  takenOffWhitelistAt: number | null;
  contactChangedAt: number | null;
  /** When it was taken out of use; absent: it is in use. */
  archivedAt?: number;
  /** When it sent its details itself, while no person has accepted it; absent: it is no draft. */
  draftSince?: number;
  /** Successful payments, and when the last was processed. */
  paymentCount: number;
  lastPaymentDate: number | null;
  /** The largest of the last `RECENT_PAYMENTS` successful payments, in cents; null when there was none. */
  largestRecentAmount: number | null;
  /** The newest verification, decided or not. */
  latest: VerificationFacts | null;
  /** The newest verification that was decided: verified or rejected. */
  latestDecided: (VerificationFacts & { completedAt: number | null }) | null;
};

type VerificationFacts = BankDetails & {
  id: string;
  status: VerificationStatus;
  createdAt: number;
  /** What a check of it ended with, while it waits for a decision; absent: no check has ended. */
  outcome?: CheckOutcome;
};

/** `reference` as it was written then. */
export type DuplicateFacts = { id: string; status: PaymentStatus; reference: string | null; createdAt: number };

/** What a rule found. Bank numbers in the evidence are masked. */
export type Finding = Pick<PaymentReason, "message" | "evidence">;

/** One rule. It never looks at its level: the organisation decides what follows from it, within the rule's floor. */
export type Rule = {
  /** Stored with the payment and named in the organisation's policy. */
  id: string;
  /** What it looks for, in a line: for the policies, and wherever a rule is named without a finding. */
  label: string;
  /** Raised by every change of what the rule finds: a stored decision says which version it was made with. */
  version: number;
  defaultLevel: RuleLevel;
  /** The level that no organisation can go below for these facts. */
  floor?: (facts: PaymentFacts) => "hold" | undefined;
  /** It follows another policy, so no level is offered for it: it has a floor whenever it finds something. */
  isFixed?: true;
  /**
   * A payment of a file that is held for this finding is decided by itself, never together with others: always, or where
   * the evidence has true under this name. Absent: never.
   */
  decidedSingly?: "always" | { where: string };
  /** The finding, or undefined: the rule has nothing to say. */
  find: (facts: PaymentFacts) => Finding | undefined;
  /** What the finding rests on, in a line under its sentence. */
  note?: (evidence: Record<string, unknown>) => string | undefined;
};
