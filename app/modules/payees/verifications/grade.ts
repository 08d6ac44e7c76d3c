import type { CheckOutcome, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { approvedAt, type BankDetails, payeeStatus } from "~/kernel/payee";
import type { ResultData } from "./verification";

/**
 * How something came to be verified. "Verified" alone says only that somebody, or a rule, said yes; the grade says what
 * that rests on, in the same words wherever the word stands. Pure.
 */

/**
 * - `bank_consent`: the payee's bank confirmed the name, with the payee's consent
 * - `bank_instant`: the payee's bank confirmed the name at once (Confirmation of Payee)
 * - `call_back`: the payee confirmed the details in a call that counts as proof
 * - `vouched`: other organisations vouch for the account
 * - `person`: a person approved it without any of these
 * - `rule`, `unknown`: approved by a rule, or by nobody on record, without any of these
 * - `payments`, `by_hand`, `restored`: of a payee, trusted otherwise than by the approval of a verification
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
  /** "Approved by a person, no bank was asked": stands beside "Verified". */
  text: string;
};

const grade = (name: GradeName, note: string | null): Grade => ({
  name,
  text: note === null ? WORDS[name] : `${WORDS[name]}, ${note}`,
});

const PROVEN: ReadonlySet<GradeName> = new Set(["bank_consent", "bank_instant", "call_back"]);

/** Whether the payee or its bank has confirmed the details; otherwise somebody trusts them. */
export const isProven = ({ name }: Pick<Grade, "name">): boolean => PROVEN.has(name);

/** A grade within a sentence. */
export const inSentence = ({ text }: Pick<Grade, "text">): string => text.charAt(0).toLowerCase() + text.slice(1);

/** What the audit trail keeps of the grade of an approval: a code for programs, and the words. */
export const gradeDetails = (grade: Grade | null) => (grade ? { grade: grade.name, gradeText: grade.text } : {});

/** A verification as far as its grade looks at it. */
export type GradeFacts = {
  status: VerificationStatus;
  method: VerificationMethod;
  outcome: CheckOutcome | null;
  /** Who gave the result; null: there is none. */
  source: ResultData["source"] | null;
  /** The bank that answered is another one than the BSB belongs to. */
  institutionDiffers: boolean;
  /** The payee confirmed the details in a call that counts as proof. */
  isCalledBack: boolean;
  /** Null: no decision is on record. */
  decider: "person" | "rule" | null;
};

/** How a verification was verified; null for one that was not. */
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

/** What is known from the bank of a verification that no bank has confirmed. */
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

/** The newest verification of a payee that was approved. */
export type NewestApproval = BankDetails & GradeFacts & { completedAt: number | null };

/** An approval and the trust that it gives are written in one batch, a few milliseconds apart at most. */
const SAME_BATCH_MS = 1_000;

/**
 * How a payee that is trusted now came to be: by the approval of its details, or otherwise; null for one that is not
 * trusted. An earlier approval does not speak for a payee that was taken off the whitelist and trusted again since.
 */
export function gradeOfPayee(payee: Trust, latest: Latest | null, newestApproval: NewestApproval | null): Grade | null {
  const status = payeeStatus(payee, latest);
  if (status !== "whitelisted" && status !== "verified") return null;
  const { whitelistedAt, whitelistedById } = payee;
  // An approval whose time is not on record is as late as can be.
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

/** A rejection ends the trust, except where it put back the details and the trust from before they were changed. */
const isRestored = ({ whitelisted, whitelistedAt }: Trust, latest: Latest | null): boolean =>
  whitelisted && latest?.status === "rejected" && (latest.completedAt ?? 0) > (whitelistedAt ?? 0);

/** The columns of a stored verification that its grade is read from; flags as the database counts them. */
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
