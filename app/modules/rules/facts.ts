import * as z from "zod";
import { BILL_STATUSES, CHECK_OUTCOMES, PAYMENT_STATUSES, VERIFICATION_STATUSES } from "~/kernel/enums";
import type { PaymentReason, PolicyRuleLevel } from "./payment-reason";

/*
 * What the rules look at: everything known of a payment at the moment it is recorded. Stored facts are read by the same
 * declaration, so one that has another shape is refused. Instants are epoch milliseconds, amounts integer cents of
 * Australian dollars.
 */

const text = z.string();
const flag = z.boolean();
const instant = z.number();
const cents = z.number();

const bankDetails = { accountName: text, bsb: text, accountNumber: text };

/** The last decision about an account, as `AccountStanding` says it. */
export const standing = z.discriminatedUnion("state", [
  z.object({ state: z.literal("verified"), how: text, at: instant }),
  z.object({ state: z.literal("taken_off"), how: text, verifiedAt: instant, at: instant }),
  z.object({ state: z.enum(["whitelisted", "rejected", "disputed"]), at: instant }),
  z.object({ state: z.literal("none") }),
]);
const knownAccount = { bsb: text, maskedAccountNumber: text, standing };

const verification = z.object({
  ...bankDetails,
  id: text,
  status: z.enum(VERIFICATION_STATUSES),
  createdAt: instant,
  /** What a check of it ended with, while it waits for a decision; absent: no check has ended. */
  outcome: z.enum(CHECK_OUTCOMES).optional(),
  /** Of one that was decided. */
  completedAt: instant.nullish(),
});

const payee = z.object({
  ...bankDetails,
  id: text,
  name: text,
  version: z.number(),
  whitelisted: flag,
  disputedAt: instant.nullable(),
  bankDetailsChangedAt: instant.nullable(),
  /** When it was last given another name; absent: never. */
  renamedAt: instant.optional(),
  takenOffWhitelistAt: instant.nullable(),
  contactChangedAt: instant.nullable(),
  /** When it was taken out of use; absent: it is in use. */
  archivedAt: instant.optional(),
  /** When it sent its details itself, while no person has accepted it; absent: it is no draft. */
  draftSince: instant.optional(),
  /** Successful payments, and when the last was processed. */
  paymentCount: z.number(),
  lastPaymentDate: instant.nullable(),
  /** The largest of the last `RECENT_PAYMENTS` successful payments; null when there was none. */
  largestRecentAmount: cents.nullable(),
  /** The newest verification, decided or not. */
  latest: verification.nullable(),
  /** The newest verification that was decided: verified or rejected. */
  latestDecided: verification.required({ completedAt: true }).nullable(),
});

/** `reference` as it was written then. */
const duplicate = z.object({
  id: text,
  status: z.enum(PAYMENT_STATUSES),
  reference: text.nullable(),
  createdAt: instant,
});

const bill = z.object({
  system: text,
  number: text,
  supplier: text,
  status: z.enum(BILL_STATUSES),
  amountDue: cents,
  amountPaid: cents,
  /** Of the payee that is paid, or of a supplier with this very account. */
  isOwn: flag,
  /** The account of the supplier there; null: none that can be read. */
  bsb: text.nullable(),
  maskedAccountNumber: text.nullable(),
});

const invoice = z.object({
  id: text,
  /** Raised by every change of it. */
  version: z.number(),
  number: text.nullable(),
  supplier: text.nullable(),
  receivedAt: instant,
  totalCents: cents.nullable(),
  /** What led from the payment to it: its number as the reference, or its amount to its payee. */
  by: z.enum(["reference", "amount"]),
  /** It is of the payee that is paid. */
  isOwn: flag,
  /** The accounts that a person could pay by it; `isPaid`: it is the one that is paid. */
  accounts: z.array(z.object({ bsb: text, maskedAccountNumber: text, isPaid: flag })),
  /** A finding stops it, and nobody has decided; or a person stopped it. */
  stop: z.enum(["open", "decided"]).nullable(),
  /** An earlier payment of this number and amount to this payee that did not fail. */
  paid: z.object({ id: text, createdAt: instant }).nullable(),
});

/** What was looked up of an email domain and speaks against it. */
export const emailDomain = {
  domain: text,
  registration: z.object({ since: instant.nullable(), lookedUpAt: instant }).optional(),
  noDmarc: z.object({ lookedUpAt: instant, hadAt: instant.optional() }).optional(),
};

/** Facts that are not known of every payment. A rule whose fact is absent says nothing. */
const furtherFacts = z.object({
  /** The file carries this many characters of a name; null: all of them. */
  nameWidth: z.number().nullable(),
  /** Other titles under which the same account is in the same payment file. */
  otherTitles: z.array(text),
  /** An earlier line of the same file that pays the same account the same amount with the same reference. */
  earlierLine: z.number().nullable(),
  /** The account is among those that the organisation pays its staff to. */
  isStaffAccount: flag,
  /** What the business register says of the payee's ABN. */
  register: z.object({ abn: text, state: z.enum(["active", "cancelled", "not_found"]), names: z.array(text) }),
  /**
   * What was looked up of the payee's email domain and speaks against it: a registration of less than a year (`since` null: it
   * has none), and that it has no valid DMARC policy, or none any more. Absent: nothing speaks against it, or it is not known.
   */
  emailDomain: z.object(emailDomain),
  /** The payee's email domain, and the known one that it could be taken for. */
  lookalikeDomain: z.object({ domain: text, known: text }).nullable(),
  /** Payees that have the name of an account which is no payee's. `standing` is absent in facts of before it was looked at. */
  namesakes: z.array(z.object({ ...knownAccount, payeeId: text, name: text, standing: standing.optional() })),
  /** A payee of which the account was before, and which is not the one that is paid as its payee; absent: of none. */
  formerHolder: z.object({
    payeeId: text,
    name: text,
    /** When its bank details changed; of a payee that is archived with the account, when it was archived. */
    changedAt: instant,
    /**
     * Absent in facts of before it was looked at: then only accounts that are no payee's were asked about. `now`: its
     * account of today; null: this one, it is archived.
     */
    account: z.object({ standing, now: z.object(knownAccount).nullable() }).optional(),
  }),
  /** The newest answer of a bank about the account, where it speaks against it and no person has approved it since. */
  bankAnswer: z.object({
    /** The verification that holds it; null: it was asked about the account alone. */
    verificationId: text.nullable(),
    /** The name that the bank was asked about. */
    askedName: text,
    /** What the bank said, in a sentence. */
    said: text,
    /** The name that the bank has; null: it gave none. */
    bankName: text.nullable(),
    outcome: z.enum(CHECK_OUTCOMES),
    answeredAt: instant,
  }),
  /** How the payee came to the account that is paid, while that is new or nobody has decided about it. */
  lastChange: z.object({
    changedAt: instant,
    /** Of the account that is paid. */
    standing,
    /** The account before it: the last one that was verified; where none was, the last one. `until`: when it was given up. */
    former: z.object({ ...knownAccount, until: instant }),
  }),
  /** The file marks the bank details as new or varied (indicator N). */
  newDetails: flag,
  /** Up to this many cents may be approved by one person or role; null: no limit. */
  approvalLimitCents: cents.nullable(),
  /**
   * What the people who stand behind this payment may approve to one payee in a day: whoever approved it, or whoever trusted
   * its payee, or approved the payments that put it on the whitelist, and whoever recorded it. Absent: one of them may approve
   * any amount, or nobody of the organisation trusted the payee.
   */
  ownLimit: z.object({
    by: z.enum(["trust", "approval", "payments"]),
    limitCents: cents,
    /** Of other payments to the payee, authorised since the day began. */
    sameDayCents: cents,
    /** Of other lines of the same file to the payee that nobody with a higher limit stands behind. */
    sameFileCents: cents,
  }),
  /** How often the payee was edited in the last 24 hours. */
  editsInLastDay: z.number(),
  /** A payment of the same amount to the same account, in time that a restore of the database took away; absent: none. */
  lostPayment: z.object({ id: text, recordedAt: instant }),
  /** The payee's last payment came back; null: it did not. */
  lastReturned: z.object({ id: text, returnedAt: instant, reason: text.nullable() }).nullable(),
  /** An accounting system has another account for the payee, and no person has decided which is right. */
  accountingChange: z.object({
    system: text,
    noticedAt: instant,
    editedBy: text.nullable(),
    /** Null: what stands there as the account cannot be read. */
    bsb: text.nullable(),
    maskedAccountNumber: text,
  }),
  /**
   * The payee's account came in from an accounting system. Absent where it was paid before and nobody stands behind this
   * payment alone.
   */
  accountingOrigin: z.object({
    system: text,
    cameAt: instant,
    /** Who last edited the supplier there; null: not known. */
    editedBy: text.nullable(),
    /** Everybody who edited it there is known here. */
    isEditorKnown: flag,
    isFirstPayment: flag,
    /**
     * It is not known who entered it there, the organisation requires a second person, and whoever records the payment
     * also trusted the payee.
     */
    isOnePerson: flag,
  }),
  /** Approved bills of an accounting system that the payment could be for. Absent: none is known. */
  bills: z.object({
    /**
     * Bills with the payment's reference as their number: those of the payee; where it has none, those of another
     * supplier with the same amount or nearly the name that is paid.
     */
    named: z.array(bill),
    /** Without such a bill, what else the payee has, open or paid in the last 30 days; null: nothing. */
    others: z.object({ system: text, count: z.number(), totalCents: cents, isFitting: flag }).nullable(),
  }),
  /**
   * Invoices that the payment could be for. Empty: none was seen, which is kept only where the organisation asks for one.
   * Absent: none is known.
   */
  invoices: z.array(invoice),
  /** BSBs of the payee's former accounts. */
  formerBsbs: z.array(text),
  /** When the organisation works, in minutes after midnight of its time zone; null: at any time. */
  workingHours: z.object({ opensAtMinute: z.number(), closesAtMinute: z.number(), worksWeekends: flag }).nullable(),
});

export const paymentFacts = z.object({
  now: instant,
  /** IANA name of the zone in which the organisation reads its dates. */
  timeZone: text,
  /** A verification older than this is stale. */
  reverifyAfterMonths: z.number(),
  /** A first payment above this many cents is too much. */
  firstPaymentLimitCents: cents,
  amount: cents,
  reference: text,
  /** The name given with an account; null when the payment was recorded for a payee. */
  givenName: text.nullable(),
  /** Where the money is to go. */
  account: z.object(bankDetails),
  /** Why nothing can be paid to the account's BSB, in a sentence; null when nothing is wrong with it. */
  bsbProblem: text.nullable(),
  /** Null: the account is not a payee of the organisation. */
  payee: payee.nullable(),
  /** The newest payment to this payee with this amount and `referenceKey` within `DUPLICATE_DAYS` that did not come back. */
  duplicate: duplicate.nullable(),
  ...furtherFacts.partial().shape,
});

export type PaymentFacts = z.infer<typeof paymentFacts>;
export type FurtherFacts = z.infer<typeof furtherFacts>;
export type PayeeFacts = z.infer<typeof payee>;
export type DuplicateFacts = z.infer<typeof duplicate>;
export type FormerHolderFact = FurtherFacts["formerHolder"];
export type BankAnswerFact = FurtherFacts["bankAnswer"];
export type LastChangeFact = FurtherFacts["lastChange"];
export type BillsFact = FurtherFacts["bills"];
export type InvoiceFact = FurtherFacts["invoices"][number];
export type BillFact = BillsFact["named"][number];

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
  defaultLevel: PolicyRuleLevel;
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
