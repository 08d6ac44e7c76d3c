import { maskAccountNumber } from "~/kernel/account-number";
import { displayName } from "~/kernel/actor";
import { toIso } from "~/kernel/dates";
import { explainDifferences } from "~/modules/name-match";
import { type Grade, gradeFactsOf, gradeOf } from "./grade";
import { findReviewFlags, flagFactsOf } from "./review-flags";
import { type Standing, wordsOfVerification } from "./standing";
import type { VerificationDetail } from "./verification.server";

/** What the displayed shape of the specification is made of. */
export type VerificationSummary = Pick<
  VerificationDetail,
  | "isCalledBack"
  | "decider"
  | "id"
  | "status"
  | "method"
  | "accountName"
  | "bsb"
  | "accountNumber"
  | "matchType"
  | "nameMatchScore"
  | "nameDifferences"
  | "verifiedName"
  | "resultData"
  | "outcome"
  | "reasonCode"
  | "verifiedByPayee"
  | "disputedByPayeeAt"
  | "rejectedReason"
  | "createdAt"
  | "completedAt"
  | "requestedBy"
> & { payee: Pick<VerificationDetail["payee"], "id" | "name" | "whitelistGlobal"> };

/** The verification as the specification displays it (section 3), with the outcome of its check. */
export function toVerificationJson(verification: VerificationSummary) {
  const { payee, requestedBy, resultData } = verification;
  return {
    id: verification.id,
    status: verification.status,
    grade: toGradeJson(gradeOf(gradeFactsOf(verification))),
    matchType: verification.matchType,
    nameMatchScore: verification.nameMatchScore,
    nameDifferences: verification.nameDifferences ?? [],
    verifiedAccountName: verification.verifiedName,
    verificationMethod: verification.method,
    requestedByUser: requestedBy && { name: displayName(requestedBy), email: requestedBy.email },
    createdAt: toIso(verification.createdAt),
    completedAt: isoOrNull(verification.completedAt),
    payee: {
      id: payee.id,
      name: payee.name,
      accountName: verification.accountName,
      bsb: verification.bsb,
      accountNumber: verification.accountNumber,
      whitelistGlobal: payee.whitelistGlobal,
      institution: resultData?.institution ?? null,
    },
    outcome: verification.outcome,
    source: resultData?.source ?? null,
    reasonCode: verification.reasonCode,
    rejectedReason: verification.rejectedReason,
    verifiedByPayee: verification.verifiedByPayee,
    disputedByPayeeAt: isoOrNull(verification.disputedByPayeeAt),
  };
}

/** How something was verified, for programs (`name`) and people (`text`); null: it is not verified. */
export const toGradeJson = (grade: Grade | null): Grade | null => grade && { name: grade.name, text: grade.text };

/** The same as a line of a list: the account number is masked, as on the pages. */
export function toVerificationListJson(verification: VerificationSummary) {
  const shown = toVerificationJson(verification);
  return { ...shown, payee: { ...shown.payee, accountNumber: maskAccountNumber(verification.accountNumber) } };
}

/** One thing that happened to a verification, from the audit trail. */
export type TimelineEntry = {
  id: string;
  action: string;
  /** Null: the system, or the payee through their link. */
  userName: string | null;
  details: Record<string, unknown> | null;
  createdAt: number;
};

/** The single verification, with everything a reviewer decides on; its verdict in the words of its page. */
export function toVerificationDetailJson(
  verification: VerificationSummary &
    Standing & {
      assignedToId: string | null;
      assignedTo: { firstName: string; lastName: string } | null;
    },
  timeline: readonly TimelineEntry[],
  zone: { timeZone: string; now: number },
) {
  const flags = findReviewFlags(flagFactsOf(verification));
  const { name, tone, next, evidence: because, ...said } = wordsOfVerification(verification, flags, zone).verdict;
  const word: string = said.word;
  return {
    ...toVerificationJson(verification),
    verdict: { name, word, tone, because, next },
    flags: verification.status === "pending" ? flags : [],
    differencesExplained: explainDifferences(verification.nameDifferences ?? []).map(({ sentence }) => sentence),
    assignedTo: assignedTo(verification),
    evidence: verification.evidence,
    timeline: timeline.map((entry) => ({
      id: entry.id,
      action: entry.action,
      userName: entry.userName,
      details: entry.details,
      createdAt: toIso(entry.createdAt),
    })),
  };
}

/** Who is to decide it; null: nobody in particular. */
export const assignedTo = ({
  assignedToId: id,
  assignedTo: person,
}: {
  assignedToId: string | null;
  assignedTo: { firstName: string; lastName: string } | null;
}) => (id !== null && person ? { id, name: displayName(person) } : null);

const isoOrNull = (ms: number | null) => (ms === null ? null : toIso(ms));
