import { maskAccountNumber } from "~/kernel/account-number";
import { displayName } from "~/kernel/actor";
import { formatBsb } from "~/kernel/bsb";
import { toIso } from "~/kernel/dates";
import type { CallOutcome, CallSource, CheckOutcome, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { canonicalJson } from "~/modules/core/audit/entry";
import { type ContactsTold, type NoticeRow, toContactsTold } from "~/modules/messages/notifications/notice-rules";
import { explainDifferences } from "~/modules/name-match";
import { type Grade, gradeFactsOf, gradeOf, inSentence } from "~/modules/payees/verifications/grade";
import type { ReviewFlag } from "~/modules/payees/verifications/review-flags";
import { headlineBesideAnswer } from "~/modules/payees/verifications/verdict";
import type { VerificationSummary } from "~/modules/payees/verifications/verification";
import { CONFIRMATION_OF_PAYEE, type Evidence, providerOfResult } from "~/modules/payees/verifications/verification";
import type { CallBack } from "~/modules/verifying/call-backs/call-back";

/**
 * The first did not state how the details were verified, the second not what spoke against paying beside the bank's answer.
 * What was issued in them stays as it is.
 */
export const CERTIFICATE_FORMATS = [
  "payeeproof-certificate-1",
  "payeeproof-certificate-2",
  "payeeproof-certificate-3",
] as const;

/**
 * What a certificate states, as it is kept. Pure. The hash is SHA-256 over `certificateText`, so the names and the meaning of
 * these fields never change: a certificate that states more gets a new `format`. See docs/decisions, certificates.
 */
export type CertificateFacts = {
  format: (typeof CERTIFICATE_FORMATS)[number];
  /** Of the verification, and of the certificate. */
  id: string;
  issuedAt: string;
  organization: { id: string; name: string };
  /** IANA name of the zone in which people read the times; the times themselves are UTC. */
  timeZone: string;
  /** The account number is masked. */
  payee: { name: string; accountName: string; bsb: string; accountNumber: string };
  openedAt: string;
  /** Null: PayeeProof, by rule. */
  requestedBy: string | null;
  method: VerificationMethod;
  /** The bank data provider's name, where one was asked. */
  provider: string | null;
  result: {
    /** Null: no bank gave an answer. */
    outcome: CheckOutcome | null;
    reasonCode: string | null;
    /** 0 to 100; null: no names were compared. */
    score: number | null;
    reasons: string[];
    nameAtBank: string | null;
    institution: string | null;
    checkedAt: string | null;
    /**
     * Since format 3: the headline under which it was decided and why, where something spoke against paying about which the
     * bank's answer says nothing. Null: nothing did, as far as that is on record.
     */
    beside?: { headline: string; why: string } | null;
  };
  payeeAnswer: { confirmedAt: string | null; disputedAt: string | null; note: string | null };
  callBacks: {
    at: string;
    by: string | null;
    number: string;
    source: CallSource;
    spokeTo: string | null;
    outcome: CallOutcome;
    note: string | null;
    countsAsProof: boolean;
  }[];
  /**
   * Since format 2: whether whoever was the payee's contact before the change was told of it, as it stood when the
   * certificate was issued. Null: the verification is not about a change.
   */
  formerContact?: ContactsTold | null;
  decision: {
    status: Exclude<VerificationStatus, "pending">;
    at: string;
    /** Null: PayeeProof, by rule. */
    by: string | null;
    reason: string | null;
    /** How the details were verified; null: they were not. Absent in the first format. */
    grade?: Grade | null;
  };
};

/** The text whose SHA-256, in lower-case hexadecimal, is the certificate's hash: canonical JSON as the audit trail's. */
export const certificateText = (facts: CertificateFacts): string => canonicalJson(facts);

type CertifiedVerification = VerificationSummary & {
  evidence: Evidence | null;
  verifiedByPayeeAt: number | null;
  disputeNote: string | null;
  decision: { createdAt: number; reason: string | null } | null;
  decidedBy: { firstName: string; lastName: string } | null;
};

type Decided = {
  verification: CertifiedVerification;
  /** What stood against an approval when it was decided. */
  flags: readonly ReviewFlag[];
  calls: readonly CallBack[];
  notices: readonly NoticeRow[];
  organization: { id: string; name: string };
  timeZone: string;
  providerName: string;
};

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

/**
 * The facts of a verification as they are now.
 *
 * @param issuedAt epoch milliseconds
 * @returns undefined while it is not decided
 */
export function certificateFacts(decided: Decided, issuedAt: number): CertificateFacts | undefined {
  const { verification, flags, calls, notices, organization, timeZone, providerName } = decided;
  const { status, decision, decidedBy, requestedBy, resultData, payee } = verification;
  if (status === "pending" || decision === null) return undefined;
  const beside = headlineBesideAnswer({ ...verification, flags });
  return {
    format: "payeeproof-certificate-3",
    id: verification.id,
    issuedAt: toIso(issuedAt),
    organization,
    timeZone,
    payee: {
      name: payee.name,
      accountName: verification.accountName,
      bsb: formatBsb(verification.bsb),
      accountNumber: maskAccountNumber(verification.accountNumber),
    },
    openedAt: toIso(verification.createdAt),
    requestedBy: requestedBy && displayName(requestedBy),
    method: verification.method,
    provider: verification.method === "basiq" ? providerOfResult(resultData, providerName) : null,
    result: {
      outcome: verification.outcome,
      reasonCode: verification.reasonCode,
      score: verification.nameMatchScore,
      reasons: explainDifferences(verification.nameDifferences ?? []).map(({ sentence }) => sentence),
      nameAtBank: verification.verifiedName,
      institution: resultData?.institution ?? verification.evidence?.institution?.name ?? null,
      checkedAt: isoOrNull(resultData?.checkedAt ?? null),
      beside: beside && { headline: beside.word, why: beside.why },
    },
    payeeAnswer: {
      confirmedAt: isoOrNull(verification.verifiedByPayeeAt),
      disputedAt: isoOrNull(verification.disputedByPayeeAt),
      note: verification.disputeNote,
    },
    callBacks: calls.map(toCall),
    formerContact: toContactsTold(notices, issuedAt),
    decision: {
      status,
      at: toIso(decision.createdAt),
      by: decidedBy && displayName(decidedBy),
      reason: decision.reason,
      grade: gradeOf(gradeFactsOf(verification)),
    },
  };
}

/** How the details of a certificate were verified; null: they were not. In the first format it follows from the other facts. */
export function gradeOfFacts({ method, provider, result, callBacks, decision }: CertificateFacts): Grade | null {
  if (decision.grade !== undefined) return decision.grade;
  const asked = { source: provider === CONFIRMATION_OF_PAYEE ? "cop" : "basiq" } as const;
  return gradeOf({
    ...{ status: decision.status, method, outcome: result.outcome, institutionDiffers: false },
    source: provider === null ? null : asked.source,
    isCalledBack: callBacks.some(({ countsAsProof }) => countsAsProof),
    decider: decision.by === null ? "rule" : "person",
  });
}

/** What a certificate is headed with: how it ended, and on what that rests. */
export const titleOf = (facts: CertificateFacts): string => `Certificate: ${facts.payee.name}, ${stateOf(facts)}`;

/** "verified: approved by a person, no bank was asked": how it ended, without whom it is about. */
export function stateOf(facts: CertificateFacts): string {
  const grade = gradeOfFacts(facts);
  const ended = { verified: "verified", rejected: "rejected", failed: "failed or closed" }[facts.decision.status];
  return grade ? `${ended}: ${inSentence(grade)}` : ended;
}

const toCall = ({ createdAt, userName, number, source, spokeTo, outcome, note, noProof }: CallBack) => ({
  at: toIso(createdAt),
  by: userName,
  number,
  source,
  spokeTo,
  outcome,
  note,
  countsAsProof: outcome === "confirmed" && noProof === null,
});

/** A certificate as it was issued. */
export type Certificate = { id: string; hash: string; facts: CertificateFacts };

/** A certificate as the API shows it. */
export const toCertificateJson = ({ id, hash, facts }: Certificate) => ({ id, title: titleOf(facts), hash, facts });
