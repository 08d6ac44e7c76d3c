import { displayName } from "~/kernel/actor";
import type { BankCheckStep, CheckOutcome, VerificationMethod } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { isMobile } from "~/kernel/phone";
import { showTime } from "~/kernel/shown-time";
import { sentenceOf } from "~/modules/audit/audit.json";
import { matchNames, type NameDifference, type NamePart } from "~/modules/name-match";
import { type StoredChange, tellChangeStory } from "~/modules/payees/change-story";
import { canRetry, explainOutcome, reasonSentence } from "~/modules/verifications/outcomes";
import type { Evidence, ResultData } from "~/modules/verifications/verification";
import type { TimelineEntry } from "~/modules/verifications/verification.json";
import type { ReviewCase, Reviewer } from "./review";
import { findReviewFlags, flagFactsOf, flagsNeedingReason, primaryAction, type ReviewFlag } from "./review-flags";
import { VERDICTS, verdictOf } from "./verdict";

/** What the page of one verification shows, ready to read. Pure: no database, no clock. */

type Named = { firstName: string; lastName: string };

/** The verification as the database has it, as far as the page shows it. */
export type ReviewSubject = Omit<ReviewCase, "payee"> & {
  id: string;
  method: VerificationMethod;
  nameMatchScore: number | null;
  nameDifferences: NameDifference[] | null;
  verifiedName: string | null;
  resultData: ResultData | null;
  outcome: CheckOutcome | null;
  reasonCode: string | null;
  evidence: Evidence | null;
  rejectedReason: string | null;
  verifiedByPayeeAt: number | null;
  disputedByPayeeAt: number | null;
  disputeNote: string | null;
  notificationSentAt: number | null;
  verificationTokenExpiresAt: number | null;
  createdAt: number;
  payee: ReviewCase["payee"] & {
    id: string;
    name: string;
    email: string | null;
    phone: string | null;
    whitelistGlobal: boolean;
    whitelisted: boolean;
    bankDetailsChangedAt: number | null;
    contactChangedAt: number | null;
  };
  requestedBy: (Named & { email: string }) | null;
  decision: { reason: string | null; createdAt: number } | null;
  decidedBy: Named | null;
  runningCheck: { step: BankCheckStep; startedAt: number } | null;
};

export type Reader = Reviewer & {
  canWrite: boolean;
  timeZone: string;
  now: number;
  /** Of the bank data provider, e.g. "Basiq". */
  providerName: string;
};

const STEPS: Record<BankCheckStep, string> = {
  starting: "The bank check is starting: the payee will be sent a link.",
  awaiting_payee: "The payee has been sent a link and has not been to their bank yet.",
  at_bank: "The payee has been at their bank. The bank's answer usually comes within minutes.",
  finished: "The bank check has ended.",
};

/** What can be done about the bank check now. `closed`: asking the bank would say nothing new. */
export type CheckState = "running" | "startable" | "repeatable" | "no_contact" | "closed";

export type ReviewView = ReturnType<typeof toReviewView>;

/** What else is known when the page is drawn. */
export type ReviewContext = {
  timeline: readonly TimelineEntry[];
  /** Of the payee, newest first. */
  changes: readonly StoredChange[];
  /** Payments to the payee that wait for a decision; cents. */
  money: { count: number; cents: number };
};

export function toReviewView(subject: ReviewSubject, context: ReviewContext, reader: Reader) {
  const { timeline, changes } = context;
  const flags = findReviewFlags(flagFactsOf(subject), reader.now);
  const { payee, resultData, requestedBy } = subject;
  const at = (ms: number | null) => (ms === null ? null : showTime(ms, reader));
  return {
    id: subject.id,
    status: subject.status,
    method: subject.method,
    providerName: reader.providerName,
    payee: { id: payee.id, name: payee.name, whitelistGlobal: payee.whitelistGlobal },
    requestedBy: requestedBy && { name: displayName(requestedBy), email: requestedBy.email },
    createdAt: showTime(subject.createdAt, reader),
    submitted: {
      accountName: subject.accountName,
      bsb: subject.bsb,
      accountNumber: subject.accountNumber,
      institution: subject.evidence?.institution?.name ?? null,
    },
    verified: resultData && { ...resultData, accountName: subject.verifiedName ?? resultData.accountName },
    checkedAt: at(resultData?.checkedAt ?? null),
    match: toMatch(subject),
    outcome: subject.outcome,
    reason: toReason(subject),
    evidence: subject.evidence,
    check: toCheckState(subject),
    link: {
      sentAt: at(subject.notificationSentAt),
      expiresAt: at(subject.verificationTokenExpiresAt),
      confirmedAt: at(subject.verifiedByPayeeAt),
      canEmail: payee.email !== null,
      canText: payee.phone !== null && isMobile(payee.phone),
    },
    dispute:
      subject.disputedByPayeeAt === null ? null : { at: at(subject.disputedByPayeeAt), note: subject.disputeNote },
    decision: subject.decision && {
      by: subject.decidedBy && displayName(subject.decidedBy),
      at: showTime(subject.decision.createdAt, reader),
      reason: subject.decision.reason,
    },
    verdict: toVerdict(subject, flags, context.money),
    /** Only where the verification is about changed details: an old story frightens for nothing. */
    story: flags.includes("changed_details") ? (tellChangeStory(changes, reader) ?? null) : null,
    flags,
    asksForReason: flagsNeedingReason(flags).length > 0,
    primary: primaryAction(flags),
    canDecide: reader.canWrite && subject.status === "pending",
    approval: !reader.isOwn ? "open" : reader.secondPersonRequired ? "needs_second_person" : "own_work",
    timeline: timeline.map((entry) => ({
      ...entry,
      sentence: sentenceOf(entry.action),
      when: showTime(entry.createdAt, reader),
    })),
  } as const;
}

/** The strip above the details: the word, what speaks for or against, the next step and the money that waits. */
function toVerdict(subject: ReviewSubject, flags: readonly ReviewFlag[], money: ReviewContext["money"]) {
  const { status, outcome, runningCheck, notificationSentAt, verifiedByPayeeAt, evidence } = subject;
  const isLinkOpen = notificationSentAt !== null && verifiedByPayeeAt === null;
  const name = verdictOf({ status, outcome, flags, isWaiting: runningCheck !== null || isLinkOpen });
  const isOpen = status === "pending";
  return {
    name,
    ...VERDICTS[name],
    evidence: isOpen
      ? [...flagSentences(flags, subject), ...(evidence?.lookalikes ?? []).map(({ detail }) => detail)]
      : [],
    money:
      money.count === 0
        ? "No payment waits for this payee"
        : `${money.count} ${money.count === 1 ? "payment" : "payments"} waiting, ${formatAud(money.cents)}`,
  };
}

function flagSentences(flags: readonly ReviewFlag[], { verifiedName }: ReviewSubject): string[] {
  const sentences: Partial<Record<ReviewFlag, string>> = {
    disputed: "The payee said that these are not their details.",
    account_closed: "The bank says that this account is closed.",
    name_mismatch: verifiedName
      ? `The bank holds this account as "${verifiedName}".`
      : "The bank holds this account under a different name.",
    name_close: verifiedName ? `The bank holds this account as "${verifiedName}".` : undefined,
    contact_changed: "The payee's email or phone was changed in the last 30 days.",
  };
  return flags.flatMap((flag) => sentences[flag] ?? []);
}

/** The stored score and differences stand; the marks on the characters are worked out again for the eye. */
function toMatch(subject: ReviewSubject): { score: number; differences: NameDifference[]; parts: NamePart[] } | null {
  const { nameMatchScore: score, verifiedName } = subject;
  if (score === null || verifiedName === null) return null;
  const { parts } = matchNames(subject.accountName, verifiedName);
  return { score, differences: subject.nameDifferences ?? [], parts };
}

function toReason({ status, outcome, reasonCode, runningCheck, decision }: ReviewSubject): string | undefined {
  if (runningCheck && status === "pending") return STEPS[runningCheck.step];
  if (status === "failed") return toFailure({ outcome, reasonCode, decision });
  if (outcome === "unable" || reasonCode === "compared_with_identity") return reasonSentence(reasonCode);
  return undefined;
}

/** Why a verification failed, in a sentence. */
export function toFailure({
  outcome,
  reasonCode,
  decision,
}: Pick<ReviewSubject, "outcome" | "reasonCode" | "decision">): string {
  const known = reasonSentence(reasonCode);
  if (known) return known;
  if (decision?.reason) return `${decision.reason}.`.replace(/\.\.$/, ".");
  return outcome ? explainOutcome(outcome, reasonCode) : "The bank details could not be verified.";
}

function toCheckState(subject: ReviewSubject): CheckState {
  const { status, runningCheck, disputedByPayeeAt, payee, outcome, reasonCode } = subject;
  if (status !== "pending" || disputedByPayeeAt !== null) return "closed";
  if (runningCheck) return "running";
  const isReachable = payee.email !== null || (payee.phone !== null && isMobile(payee.phone));
  if (!isReachable) return "no_contact";
  if (outcome === "unable" && !canRetry(reasonCode)) return "closed";
  return outcome === null ? "startable" : "repeatable";
}
