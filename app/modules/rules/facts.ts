import * as z from "zod";
import { BILL_STATUSES, CHECK_OUTCOMES, PAYMENT_STATUSES, VERIFICATION_STATUSES } from "~/kernel/enums";
import type { PaymentReason, PolicyRuleLevel } from "./payment-holds";

/*
 * The facts that the rules judge: everything known about a payment when it is recorded. Stored facts are parsed
 * with the same schema, so facts of another shape are refused. Instants are epoch milliseconds, amounts integer
 * cents of Australian dollars.
 */

const text = z.string();
const flag = z.boolean();
const instant = z.number();
const cents = z.number();

const bankDetails = { accountName: text, bsb: text, accountNumber: text };

/** The last decision about an account, in the shape of `AccountStanding`. */
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
  /** The outcome of its check while it waits for a decision; absent when no check has ended. */
  outcome: z.enum(CHECK_OUTCOMES).optional(),
  /** When it was decided; absent while it is pending. */
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
  /** When the payee was last renamed; absent: never. */
  renamedAt: instant.optional(),
  takenOffWhitelistAt: instant.nullable(),
  contactChangedAt: instant.nullable(),
  /** When the payee was archived; absent: it is in use. */
  archivedAt: instant.optional(),
  /** When the payee submitted its own details, while no person has accepted them; absent: it is not a draft. */
  draftSince: instant.optional(),
  /** How many payments succeeded, and when the last was processed. */
  paymentCount: z.number(),
  lastPaymentDate: instant.nullable(),
  /** The largest of the last `RECENT_PAYMENTS` successful payments; null when there were none. */
  largestRecentAmount: cents.nullable(),
  /** The newest verification, decided or not. */
  latest: verification.nullable(),
  /** The newest verification that was decided: verified or rejected. */
  latestDecided: verification.required({ completedAt: true }).nullable(),
});

/** The reference as it was written on the earlier payment. */
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
  /** True for an invoice of the payee being paid, or of a supplier with this very account. */
  isOwn: flag,
  /** The supplier's account in the accounting system; null: unreadable. */
  bsb: text.nullable(),
  maskedAccountNumber: text.nullable(),
});

const invoice = z.object({
  id: text,
  /** Raised whenever the invoice changes. */
  version: z.number(),
  number: text.nullable(),
  supplier: text.nullable(),
  receivedAt: instant,
  totalCents: cents.nullable(),
  /**
   * How the payment was matched to the invoice: its reference equals the invoice number, or its payee and amount do.
   */
  by: z.enum(["reference", "amount"]),
  /** The invoice belongs to the payee being paid. */
  isOwn: flag,
  /** The accounts that the invoice asks to be paid to; `isPaid` marks the one being paid. */
  accounts: z.array(z.object({ bsb: text, maskedAccountNumber: text, isPaid: flag })),
  /** A finding stopped the invoice and nobody has decided (`open`), or a person stopped it (`decided`). */
  stop: z.enum(["open", "decided"]).nullable(),
  /** An earlier payment of this number and amount to this payee that did not fail. */
  paid: z.object({ id: text, createdAt: instant }).nullable(),
});

/** Signs against an email domain that a look-up found. */
export const emailDomain = {
  domain: text,
  registration: z.object({ since: instant.nullable(), lookedUpAt: instant }).optional(),
  noDmarc: z.object({ lookedUpAt: instant, hadAt: instant.optional() }).optional(),
};

/** Facts that are known only for some payments. A rule whose fact is absent finds nothing. */
const furtherFacts = z.object({
  /** How many characters of a name the file can hold; null: all of them. */
  nameWidth: z.number().nullable(),
  /** Other titles that the same payment file gives the same account. */
  otherTitles: z.array(text),
  /** An earlier line of the same file that pays the same account the same amount with the same reference. */
  earlierLine: z.number().nullable(),
  /** The account is one that the organisation pays staff to. */
  isStaffAccount: flag,
  /** The business register's entry for the payee's ABN. */
  register: z.object({ abn: text, state: z.enum(["active", "cancelled", "not_found"]), names: z.array(text) }),
  /**
   * Signs against the payee's email domain: it was registered less than a year ago (`since` is null when it is
   * unregistered), or it has no valid DMARC policy, or lost the one it had. Absent: no such sign, or the domain was not
   * looked up.
   */
  emailDomain: z.object(emailDomain),
  /** The payee's email domain, and the known domain that it could be mistaken for. */
  lookalikeDomain: z.object({ domain: text, known: text }).nullable(),
  /**
   * Payees whose name is given with an account that belongs to no payee. `standing` is absent in facts stored before it
   * was recorded.
   */
  namesakes: z.array(z.object({ ...knownAccount, payeeId: text, name: text, standing: standing.optional() })),
  /** Another payee that used this account before; absent: there is none. */
  formerHolder: z.object({
    payeeId: text,
    name: text,
    /** When that payee's bank details changed; for an archived payee that still has it, when it was archived. */
    changedAt: instant,
    /**
     * Absent in facts stored before it was recorded; at that time only accounts that belong to no payee were checked.
     * `now`: the former holder's present account; null: the holder is archived and still has this one.
     */
    account: z.object({ standing, now: z.object(knownAccount).nullable() }).optional(),
  }),
  /** A bank's newest answer about the account, if it is unfavourable and no person has approved the account since. */
  bankAnswer: z.object({
    /** The verification that asked the bank; null: the account was checked on its own. */
    verificationId: text.nullable(),
    /** The name that the bank was asked to confirm. */
    askedName: text,
    /** What the bank said, in a sentence. */
    said: text,
    /** The name that the bank has on record; null: it gave none. */
    bankName: text.nullable(),
    outcome: z.enum(CHECK_OUTCOMES),
    answeredAt: instant,
  }),
  /** How the payee's present account came about, while the change is recent or undecided. */
  lastChange: z.object({
    changedAt: instant,
    /** The last decision about the account being paid. */
    standing,
    /**
     * The last verified account before it; if none was verified, the one just before it. `until`: when the payee
     * stopped using it.
     */
    former: z.object({ ...knownAccount, until: instant }),
  }),
  /** The file marks the bank details as new or varied (indicator N). */
  newDetails: flag,
  /** One person or role may approve up to this many cents; null: no limit. */
  approvalLimitCents: cents.nullable(),
  /**
   * The daily limit per payee of the people responsible for this payment: whoever approved it; or whoever trusted its
   * payee (or approved the payments that put it on the whitelist), and whoever recorded the payment. Absent: one of
   * them has no limit, or nobody in the organisation trusted the payee.
   */
  ownLimit: z.object({
    by: z.enum(["trust", "approval", "payments", "rule"]),
    limitCents: cents,
    /** Other payments to the payee that were authorised today. */
    sameDayCents: cents,
    /** Other lines of the same file to this payee that nobody with a higher limit is responsible for. */
    sameFileCents: cents,
  }),
  /** How often the payee was edited in the last 24 hours. */
  editsInLastDay: z.number(),
  /** A payment of the same amount and account, recorded in a period that a restore erased; absent: none. */
  lostPayment: z.object({ id: text, recordedAt: instant }),
  /** The payee's last payment, if it came back; null: it did not. */
  lastReturned: z.object({ id: text, returnedAt: instant, reason: text.nullable() }).nullable(),
  /** An accounting system has a different account for the payee, and no person has decided which is right. */
  accountingChange: z.object({
    system: text,
    noticedAt: instant,
    editedBy: text.nullable(),
    /** Null: the accounting system's value cannot be read as an account. */
    bsb: text.nullable(),
    maskedAccountNumber: text,
  }),
  /**
   * The payee's account was imported from an accounting system. Absent when the account was paid before and this
   * payment is not one person's work alone.
   */
  accountingOrigin: z.object({
    system: text,
    cameAt: instant,
    /** Who last edited the supplier in the accounting system; null: not known. */
    editedBy: text.nullable(),
    /** Everybody who edited it in the accounting system is also known here. */
    isEditorKnown: flag,
    isFirstPayment: flag,
    /**
     * Nobody knows who entered the account in the accounting system, the organisation requires a second person, and the
     * person recording the payment also trusted the payee.
     */
    isOnePerson: flag,
  }),
  /** Approved bills from an accounting system that the payment could be for. Absent: no bills are known. */
  bills: z.object({
    /**
     * Bills whose number is the payment's reference: the payee's own; failing those, other suppliers' bills with the
     * same amount or nearly the same name.
     */
    named: z.array(bill),
    /** When no bill has that number: the payee's other bills, open or paid in the last 30 days; null: none. */
    others: z.object({ system: text, count: z.number(), totalCents: cents, isFitting: flag }).nullable(),
  }),
  /**
   * Invoices that the payment could be for. Empty: no invoice matches; this is stored only for organisations that
   * require one. Absent: no invoices are known.
   */
  invoices: z.array(invoice),
  /** BSBs of the payee's earlier accounts. */
  formerBsbs: z.array(text),
  /** The organisation's working hours, in minutes after midnight of its time zone; null: at any time. */
  workingHours: z.object({ opensAtMinute: z.number(), closesAtMinute: z.number(), worksWeekends: flag }).nullable(),
});

export const paymentFacts = z.object({
  now: instant,
  /** IANA name of the organisation's time zone. */
  timeZone: text,
  /** A verification older than this is stale. */
  reverifyAfterMonths: z.number(),
  /** A first payment above this many cents is held. */
  firstPaymentLimitCents: cents,
  amount: cents,
  reference: text,
  /** The name given with an account; null when the payment was recorded for a payee. */
  givenName: text.nullable(),
  /** Where the money is to go. */
  account: z.object(bankDetails),
  /** Why the account's BSB cannot be paid, as a sentence; null when nothing is wrong with it. */
  bsbProblem: text.nullable(),
  /** Null: the account belongs to no payee of the organisation. */
  payee: payee.nullable(),
  /** The newest payment to this payee with this amount and `referenceKey` in `DUPLICATE_DAYS` that was not returned. */
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

/** One rule. The organisation decides what its finding leads to, but not below the rule's floor. */
export type Rule = {
  /** Stored with the payment and used as the key in the organisation's policy. */
  id: string;
  /** What it looks for, in a few words: shown on the policies page and wherever a rule is named without a finding. */
  label: string;
  /** Raised whenever the rule's results change: a stored decision records the version it was made with. */
  version: number;
  defaultLevel: PolicyRuleLevel;
  /** The lowest level that the organisation can set for these facts. */
  floor?: (facts: PaymentFacts) => "hold" | undefined;
  /** The rule enforces another policy, so its level cannot be chosen: its floor applies to every finding. */
  isFixed?: true;
  /**
   * Whether a payment file's line that is held for this finding must be decided individually, not together with others:
   * "always", or only if the field of the evidence that `where` names is true. Absent: never.
   */
  decidedIndividually?: "always" | { where: string };
  /** The finding; undefined when the rule finds nothing. */
  find: (facts: PaymentFacts) => Finding | undefined;
  /** The basis of the finding, shown in small print under its sentence. */
  note?: (evidence: Record<string, unknown>) => string | undefined;
};
