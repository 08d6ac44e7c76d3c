import type { CheckOutcome, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { approvedAt, type BankDetails, payeeStatus } from "~/kernel/payee";
import type { ResultData } from "./verification";

/*
 * How a verification came out, in the words that pages show: why its check ended as it did (in more detail than the
 * outcome, stored as `reasonCode`), and what its approval rests on. Pure.
 */

/** `fact` stays true after a decision; `next` says what to do and applies only before one. */
export type OutcomeWords = { title: string; fact: string; next?: string };

type Reason = OutcomeWords & {
  /** True if repeating the same check may give a different result. */
  canRetry: boolean;
  /** The reason explains a comparison, and its words follow those of the outcome. */
  explains?: true;
  /** Only a Confirmation of Payee check ends like this, which says nothing about what a check by consent would find. */
  isInstant?: true;
};

export const REASONS = {
  compared_with_identity: {
    title: "Compared with the person who signed in",
    fact: "The bank gave no holder name with the account, so the name was compared with that of the person or organisation who signed in and owns it.",
    canRetry: false,
    explains: true,
  },
  account_closed: {
    title: "Account closed",
    fact: "The bank says that this account is closed.",
    next: "Ask the payee for current details.",
    canRetry: false,
  },
  account_state_unclear: {
    title: "Not known whether the account is open",
    fact: "The payee shared this account, but what the bank said about its state cannot be read, so we do not know whether it is open.",
    next: "Confirm with the payee that the account is open.",
    canRetry: true,
  },
  account_not_shared: {
    title: "Account not among those shared",
    fact: "The payee signed in to their bank, but this account was not among the accounts they shared. They may have another bank or have left it out.",
    next: "Ask the payee which bank holds the account.",
    canRetry: true,
  },
  account_number_slip: {
    title: "Account not among those shared",
    fact: "This account was not among those shared, but one of them differs by what may be a typing error.",
    next: "Ask the payee to read the account number to you.",
    canRetry: false,
  },
  bsb_differs: {
    title: "Account under another BSB",
    fact: "An account with this number was shared, but under another BSB.",
    next: "Ask the payee which branch the account is held at.",
    canRetry: false,
  },
  not_owned: {
    title: "Not an owner of the account",
    fact: "The person who signed in can see this account, but the bank does not count them among its owners.",
    next: "Ask the owner of the account to confirm instead.",
    canRetry: true,
  },
  consent_refused: {
    title: "Consent refused",
    fact: "The payee chose not to share their bank details, so nothing could be compared.",
    canRetry: true,
  },
  consent_withdrawn: {
    title: "Consent withdrawn",
    fact: "The payee withdrew their consent at the bank before the details could be compared.",
    canRetry: true,
  },
  consent_expired: {
    title: "Consent ran out",
    fact: "The payee's consent at the bank ran out before the details could be compared.",
    canRetry: true,
  },
  name_withheld: {
    title: "No name from the bank",
    fact: "The bank confirmed the account but gave no name for it.",
    next: "Confirm the name another way.",
    canRetry: false,
  },
  number_masked: {
    title: "Account number hidden by the bank",
    fact: "The bank shows only part of the account number, so we cannot be sure that it is this account.",
    next: "Confirm the account number another way.",
    canRetry: false,
  },
  link_expired: {
    title: "No answer from the payee",
    fact: "The payee did not answer before the link expired.",
    next: "Start again to send a new one.",
    canRetry: true,
  },
  provider_timeout: {
    title: "No answer from the bank",
    fact: "The payee was at their bank, but the bank did not finish answering.",
    next: "Try again later.",
    canRetry: true,
  },
  provider_unavailable: {
    title: "Bank not reached",
    fact: "The bank data provider or the payee's bank could not be reached.",
    next: "Try again later.",
    canRetry: true,
  },
  job_failed: {
    title: "Check not finished",
    fact: "A fault on our side kept us from finishing the check.",
    next: "Try again.",
    canRetry: true,
  },
  payee_unreachable: {
    title: "Payee not reachable",
    fact: "The payee had neither an email address nor a mobile number when the check ran.",
    next: "Add one and start again.",
    canRetry: true,
  },
  payee_disputed: {
    title: "Disputed by the payee",
    fact: "The payee said that these are not their details, so the bank was not asked.",
    canRetry: false,
  },
  account_not_found: {
    title: "No account found",
    fact: "The bank has no account with this BSB and account number.",
    next: "Ask the payee for current details.",
    canRetry: false,
    isInstant: true,
  },
  name_confirmed: {
    title: "Name confirmed by the bank",
    fact: "The bank says that this account has the name you were given. It did not send the name itself, so there is no score.",
    canRetry: true,
    isInstant: true,
  },
  name_close_withheld: {
    title: "The bank says the name is close",
    fact: "The bank says that the account has a similar name. It did not send the name itself, so there is no score.",
    next: "Confirm the exact name with the payee before you decide.",
    canRetry: true,
    isInstant: true,
  },
  name_not_confirmed: {
    title: "The bank does not confirm the name",
    fact: "The account exists, but not under the name you were given. The bank did not send the name that it holds: banks do not send the names of private people.",
    canRetry: true,
    isInstant: true,
  },
  bank_stricter: {
    title: "The bank is less sure",
    fact: "Our own comparison found the two names closer than the bank did, and the stricter of the two counts.",
    canRetry: true,
    explains: true,
    isInstant: true,
  },
  names_stricter: {
    title: "The names differ",
    fact: "The bank found the names closer than we did, but the name it holds differs from the one you were given, and the stricter of the two counts.",
    canRetry: true,
    explains: true,
    isInstant: true,
  },
  bank_not_confirmed: {
    title: "The bank could not compare the name",
    fact: "The bank was asked and could not say whether the name belongs to this account.",
    next: "Asking again would not help. Confirm the details another way.",
    canRetry: false,
    isInstant: true,
  },
  bsb_not_found: {
    title: "Bank not found",
    fact: "The bank data provider could not find a bank for this BSB, so no bank was asked.",
    next: "Check the BSB, or confirm the details another way.",
    canRetry: false,
    isInstant: true,
  },
  details_not_accepted: {
    title: "Details not accepted",
    fact: "The bank data provider did not accept these details, so no bank was asked.",
    next: "Check the BSB, the account number and the name, or confirm the details another way.",
    canRetry: false,
    isInstant: true,
  },
  account_limit: {
    title: "Asked too often about this account",
    fact: "This account was asked about too often today, so the bank gave no answer.",
    next: "Try again tomorrow, or confirm the details another way.",
    canRetry: true,
    isInstant: true,
  },
  requester_limit: {
    title: "Limit of the day reached",
    fact: "Your organisation has asked as often as the bank data provider allows in a day, so the bank was not asked.",
    next: "Try again tomorrow, or confirm the details another way.",
    canRetry: true,
    isInstant: true,
  },
  provider_busy: {
    title: "Bank data provider busy",
    fact: "The bank data provider had too many questions at once, so the bank was not asked.",
    next: "Try again in a minute.",
    canRetry: true,
    isInstant: true,
  },
  answer_lost: {
    title: "No answer arrived",
    fact: "No answer reached us. The bank may have been asked all the same.",
    next: "Try again in a few minutes.",
    canRetry: true,
    isInstant: true,
  },
  answer_unclear: {
    title: "Answer not readable",
    fact: "The bank data provider sent an answer that we cannot read, so it was not used.",
    next: "Try again later, or confirm the details another way.",
    canRetry: true,
    isInstant: true,
  },
  bank_unable_now: {
    title: "No answer about the account",
    fact: "The bank data provider gave no answer about this account.",
    next: "Try again later, or confirm the details another way.",
    canRetry: true,
    isInstant: true,
  },
} as const satisfies Record<string, Reason>;

export type ReasonCode = keyof typeof REASONS;

/** The outcomes that need no reason. */
const OUTCOMES: Record<CheckOutcome, OutcomeWords> = {
  match: { title: "The names match", fact: "The bank holds this account under the name you were given." },
  close_match: {
    title: "The names are close",
    fact: "The bank holds this account under a similar name.",
    next: "Compare the two names before you decide.",
  },
  no_match: { title: "The names do not match", fact: "The bank holds this account under a different name." },
  account_closed: REASONS.account_closed,
  account_not_shared: REASONS.account_not_shared,
  consent_refused: REASONS.consent_refused,
  unable: {
    title: "Could not check",
    fact: "We could not get an answer from the bank. This says nothing about the payee, good or bad.",
  },
};

const isReasonCode = (code: string): code is ReasonCode => Object.hasOwn(REASONS, code);

const findReason = (code: string | null): Reason | undefined =>
  code !== null && isReasonCode(code) ? REASONS[code] : undefined;

const inWords = ({ fact, next }: OutcomeWords) => (next ? `${fact} ${next}` : fact);

/**
 * Describes how a check ended. A reason that explains a comparison follows the outcome's words; any other reason
 * replaces them, so that "we could not get an answer" and "the bank confirmed the account" never appear together.
 */
export function describeOutcome(outcome: CheckOutcome, reasonCode: string | null): OutcomeWords {
  const told = OUTCOMES[outcome];
  const reason = findReason(reasonCode);
  if (!reason) return told;
  if (!reason.explains) return reason;
  return { ...told, fact: `${told.fact} ${reason.fact}` };
}

/** The same in one or two sentences, for the organisation that asked. */
export const explainOutcome = (outcome: CheckOutcome, reasonCode: string | null): string =>
  inWords(describeOutcome(outcome, reasonCode));

/** The words for a reason code; undefined if it is not from a bank check (a superseded verification, say). */
export function describeReason(reasonCode: string | null): OutcomeWords | undefined {
  return findReason(reasonCode);
}

/** True if repeating the same check may give a different result. For an unknown reason it may. */
export function canRetry(reasonCode: string | null): boolean {
  return findReason(reasonCode)?.canRetry ?? true;
}

type Ended = { outcome: CheckOutcome | null; reasonCode: string | null };

/** True if asking with consent would only repeat the result: the check cannot be finished, for a lasting reason. */
export const wouldRepeat = ({ outcome, reasonCode }: Ended): boolean =>
  outcome === "unable" && !canRetry(reasonCode) && findReason(reasonCode)?.isInstant !== true;

/** The same for Confirmation of Payee. */
export const wouldRepeatConfirmationOfPayee = ({ outcome, reasonCode }: Ended): boolean =>
  outcome === "unable" && !canRetry(reasonCode) && findReason(reasonCode)?.isInstant === true;

/**
 * How something was verified. "Verified" alone says only that somebody, or a rule, approved it; the grade says what the
 * approval rests on, in the same words on every page.
 * - `bank_consent`: the payee's bank confirmed the name, with the payee's consent
 * - `bank_instant`: the payee's bank confirmed the name at once (Confirmation of Payee)
 * - `call_back`: the payee confirmed the details in a call that counts as proof
 * - `vouched`: other organisations vouch for the account
 * - `person`: a person approved it without any of these
 * - `rule`, `unknown`: approved by a rule, or by nobody on record, without any of these
 * - `payments`, `by_hand`, `restored`: for a payee that became trusted without an approved verification
 */
export const GRADE_NAMES = [
  "bank_consent",
  "bank_instant",
  "call_back",
  "vouched",
  "person",
  "rule",
  "unknown",
  "payments",
  "by_hand",
  "restored",
] as const;
export type GradeName = (typeof GRADE_NAMES)[number];

const WORDS: Readonly<Record<GradeName, string>> = {
  bank_consent: "Confirmed by the bank",
  bank_instant: "Confirmed by the bank",
  call_back: "Called back",
  vouched: "Vouched for by other organisations",
  person: "Approved by a person",
  rule: "Approved by a rule",
  unknown: "Approved",
  payments: "Whitelisted after successful payments",
  by_hand: "Whitelisted by hand",
  restored: "Former details restored",
};

export type Grade = {
  name: GradeName;
  /** For example "Approved by a person, no bank was asked", shown beside "Verified". */
  text: string;
};

const grade = (name: GradeName, note: string | null): Grade => ({
  name,
  text: note === null ? WORDS[name] : `${WORDS[name]}, ${note}`,
});

const PROVEN: ReadonlySet<GradeName> = new Set(["bank_consent", "bank_instant", "call_back"]);

/** True if the payee or its bank has confirmed the details; otherwise somebody merely trusts them. */
export const isProven = ({ name }: Pick<Grade, "name">): boolean => PROVEN.has(name);

/** The grade worded for the middle of a sentence. */
export const inSentence = ({ text }: Pick<Grade, "text">): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The grade of an approval for the audit trail: a code for programs, and the words. */
export const gradeDetails = (grade: Grade | null) => (grade ? { grade: grade.name, gradeText: grade.text } : {});

/** The facts of a verification that decide its grade. */
export type GradeFacts = {
  status: VerificationStatus;
  method: VerificationMethod;
  outcome: CheckOutcome | null;
  /** Where the result came from; null: there is none. */
  source: ResultData["source"] | null;
  /** The bank that answered is not the one that the BSB belongs to. */
  institutionDiffers: boolean;
  /** The payee confirmed the details in a call that counts as proof. */
  isCalledBack: boolean;
  /** Null: no decision is on record. */
  decider: "person" | "rule" | null;
};

/** The grade of a verification; null if it is not verified. */
export function gradeOf(facts: GradeFacts): Grade | null {
  const { status, method, outcome, source, institutionDiffers, isCalledBack, decider } = facts;
  if (status !== "verified") return null;
  if (outcome === "match" && !institutionDiffers) {
    if (source === "cop") return grade("bank_instant", "by Confirmation of Payee");
    if (source === "basiq") return grade("bank_consent", "with the payee's consent");
  }
  const note = noteOfBank(facts);
  if (isCalledBack) return grade("call_back", note);
  if (method === "whitelist" && decider === "rule") return grade("vouched", note);
  return grade(decider ?? "unknown", note);
}

/** What the bank said in a verification that no bank has confirmed. */
function noteOfBank({ outcome, method, institutionDiffers }: GradeFacts): string {
  switch (outcome) {
    case null:
      return method === "basiq" ? "no bank answered" : "no bank was asked";
    case "match":
      return institutionDiffers
        ? "the account is at a different institution from its BSB"
        : "no bank answer is on record";
    case "close_match":
      return "the name at the bank is close, not the same";
    case "no_match":
      return "the bank did not confirm the name";
    case "account_closed":
      return "the bank said that the account is closed";
    case "account_not_shared":
      return "the payee did not share this account at the bank";
    case "consent_refused":
      return "the payee did not consent at the bank";
    case "unable":
      return "no bank gave a usable answer";
  }
}

type Trust = BankDetails & {
  whitelisted: boolean;
  whitelistedAt: number | null;
  whitelistedById: string | null;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  renamedAt: number | null;
  takenOffWhitelistAt: number | null;
};

type Latest = BankDetails & { status: VerificationStatus; createdAt: number; completedAt: number | null };

/** A payee's newest approved verification. */
export type NewestApproval = BankDetails & GradeFacts & { completedAt: number | null };

/** An approval and the resulting trust are written in one batch, at most a few milliseconds apart. */
const SAME_BATCH_MS = 1_000;

/**
 * How a trusted payee became trusted: by an approved verification or otherwise; null if it is not trusted. An earlier
 * approval does not count for a payee that was taken off the whitelist and trusted again since.
 */
export function gradeOfPayee(payee: Trust, latest: Latest | null, newestApproval: NewestApproval | null): Grade | null {
  const status = payeeStatus(payee, latest);
  if (status !== "whitelisted" && status !== "verified") return null;
  const { whitelistedAt, whitelistedById } = payee;
  // If the time of an approval is not on record, treat it as the latest possible.
  const completedAt = newestApproval?.completedAt ?? Number.MAX_SAFE_INTEGER;
  const approved = approvedAt(payee, newestApproval && { ...newestApproval, completedAt });
  const approval = approved === null ? null : newestApproval;
  const isByApproval = approved !== null && (whitelistedAt === null || whitelistedAt <= approved + SAME_BATCH_MS);
  const own =
    approval && isByApproval
      ? gradeOf(approval)
      : grade(whitelistedById === null ? "payments" : "by_hand", approval ? null : "without an approved verification");
  return own && isRestored(payee, latest) ? grade("restored", inSentence(own)) : own;
}

/** A rejection ends the trust, unless it restored the details and trust from before the change. */
const isRestored = ({ whitelisted, whitelistedAt }: Trust, latest: Latest | null): boolean =>
  whitelisted && latest?.status === "rejected" && (latest.completedAt ?? 0) > (whitelistedAt ?? 0);

/** The stored columns that the grade depends on; booleans as 0 or 1. */
export type GradeRow = {
  status: VerificationStatus;
  method: VerificationMethod;
  outcome: CheckOutcome | null;
  resultData: Pick<ResultData, "source" | "institutionDiffers"> | null;
  /** 1 or 0. */
  isCalledBack: number;
  decider: "person" | "rule" | null;
};

export const gradeFactsOf = ({ resultData, isCalledBack, ...row }: GradeRow): GradeFacts => ({
  ...row,
  source: resultData?.source ?? null,
  institutionDiffers: resultData?.institutionDiffers === true,
  isCalledBack: isCalledBack === 1,
});
