import type { CheckOutcome, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { approvedAt, type BankDetails, payeeStatus } from "~/kernel/payee";
import type { ResultData } from "./verification";

/**
 * How something was verified. "Verified" alone says only that somebody, or a rule, approved it; the grade says what the
 * approval rests on, in the same words on every page. Pure.
 */

/**
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
