import { institutionOf } from "~/kernel/bsb";
import { type BankDetails, isForCurrentDetails } from "~/kernel/payee";
import { type FlagFacts, findReviewFlags, flagFactsOf, type ReviewFlag } from "./review-flags";
import { type ChangeLook, changeOf, isWaitingForPayee, lookOf, type VerdictLook } from "./verdict";
import type { Evidence, Lookalike, ResultData } from "./verification";
import { describeVerification, type VerificationWords, type WordFacts } from "./verification-words";

/** A verification as the database has it, as far as its verdict and its sentences need it. Instants in epoch milliseconds. */
export type Standing = BankDetails &
  Pick<WordFacts, "status" | "outcome" | "reasonCode" | "verifiedName"> & {
    nameMatchScore: number | null;
    resultData: ResultData | null;
    evidence: Evidence | null;
    disputedByPayeeAt: number | null;
    verifiedByPayeeAt: number | null;
    notificationSentAt: number | null;
    verificationTokenExpiresAt: number | null;
    createdAt: number;
    runningCheck: WordFacts["check"];
    decision: { reason: string | null } | null;
    payee: BankDetails & FlagFacts["payee"] & { name: string };
  };

/** Everything that is said of a stored verification: the one source of its sentences, filled in. */
export function wordsOfVerification(subject: Standing, flags: readonly ReviewFlag[], now: number): VerificationWords {
  const { evidence, payee, runningCheck } = subject;
  return describeVerification({
    status: subject.status,
    outcome: subject.outcome,
    reasonCode: subject.reasonCode,
    flags,
    verifiedName: subject.verifiedName,
    institutions: {
      verified: subject.resultData?.institution ?? null,
      ofBsb: evidence?.institution?.name ?? institutionOf(subject.bsb)?.name ?? null,
    },
    check: runningCheck,
    isWaiting: isWaitingForPayee({ ...subject, isCheckRunning: runningCheck !== null }, now),
    isConfirmedByPayee: subject.verifiedByPayeeAt !== null,
    lookalikes: evidence?.lookalikes.map(sayLookalike) ?? [],
    isTrusted: payee.whitelisted && isForCurrentDetails(payee, subject),
    payeeName: payee.name,
    decisionReason: subject.decision?.reason ?? null,
  });
}

const sayLookalike = ({ reason, name, detail }: Lookalike) =>
  reason === "former_email_domain" ? detail : `${name}: ${detail}`;

/** The verdict of a verification that waits for a decision, as other pages show it. */
export type OpenVerdict = VerdictLook & { verificationId: string; next: string; change: ChangeLook | null };

/** The same verdict, word and next step as on the verification's own page; null once it is decided. */
export function openVerdictOf(subject: (Standing & { id: string }) | null, now: number): OpenVerdict | null {
  if (subject?.status !== "pending") return null;
  const flags = findReviewFlags(flagFactsOf(subject));
  const { name, next } = wordsOfVerification(subject, flags, now).verdict;
  return { ...lookOf(name), verificationId: subject.id, next, change: changeOf(flags) };
}
