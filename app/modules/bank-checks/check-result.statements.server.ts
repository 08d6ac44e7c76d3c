import type { Statement } from "@db/client";
import { verifications } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import type { CheckResult } from "~/modules/bank-answers/compare-with-bank";
import type { CommandAudit } from "~/modules/commands/run-command.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { returnRequestedPayments } from "~/modules/payment-holds/payment-holds.statements.server";
import { gradeDetails, gradeFactsOf, gradeOf } from "~/modules/verifications/grade";
import { explainOutcome } from "~/modules/verifications/outcomes";
import { isConclusive, statusAfterOutcome } from "~/modules/verifications/verification";
import { endVerification } from "~/modules/verifications/verification.statements.server";
import { whitelistPayee } from "~/modules/whitelist/whitelist.statements.server";
import type { Services } from "~/services";

const APPROVED_BY_CONSENT = "Exact match at the payee's own bank";
const APPROVED_AT_ONCE = "Exact match by Confirmation of Payee";

type Following = Pick<Services, "db" | "clock" | "ids">;

/** A verification whose check has ended, as it is now. */
export type Checked = {
  organizationId: string;
  verificationId: string;
  verification: { outcome: CheckOutcome | null };
  payee: { id: string; disputedAt: number | null; draftSince: number | null };
};

type Found = {
  result: CheckResult;
  /** What the provider charges for it. */
  costCents: number;
  /** The result is kept and decides nothing by itself, because another check of the verification is under way. */
  isBesideAnother?: boolean;
  /** A person decides about an exact result, whatever the policy says. */
  needsPerson?: boolean;
};

/**
 * What follows from the result of a check, however the bank was asked: the result beside what was submitted, and the status
 * that it leads to by rule, with the trail of the latter. The command requires `verificationIsPending`, writes its own
 * entry about the check, and has the rules act as the system.
 */
export async function followResult(
  services: Following,
  { origin }: { origin: Origin },
  checked: Checked,
  { result, costCents, isBesideAnother = false, needsPerson = false }: Found,
): Promise<{ statements: Statement[]; audit: CommandAudit[] }> {
  const status = isBesideAnother ? "pending" : await statusAfter(services, checked, { result, needsPerson });
  const ending = endingOf(services, origin, checked, { status, result });
  return {
    statements: [recordResult(services, checked, { result, costCents }), ...ending.statements],
    audit: ending.audit,
  };
}

/**
 * An exact result approves itself only where the organisation said so, and never past a dispute, another institution than
 * the BSB's, a name that the bank kept to itself, where the command asks for a person, for a draft that no person has accepted, or past the rule that a second
 * person must look: a rule of ours is no second person.
 */
async function statusAfter(
  services: Following,
  { organizationId, payee }: Checked,
  { result: { outcome, reasonCode, resultData, match }, needsPerson }: { result: CheckResult; needsPerson: boolean },
): Promise<VerificationStatus> {
  const isDoubted =
    payee.disputedAt !== null || payee.draftSince !== null || resultData?.institutionDiffers === true || match === null;
  if (outcome !== "match" || isDoubted || needsPerson) return statusAfterOutcome(outcome, reasonCode);
  const policy = await findPolicy(services, organizationId);
  return policy.autoApproveExact && !policy.secondPersonRequired ? "verified" : statusAfterOutcome(outcome, reasonCode);
}

/** The class of a result that has no score, as lists show it. */
const CLASS_WITHOUT_SCORE: Partial<Record<CheckOutcome, "exact" | "fuzzy">> = { match: "exact", close_match: "fuzzy" };

/** `unable` says nothing, so it never takes the place of an earlier result that said something. */
function recordResult(
  { db }: Following,
  { organizationId, verificationId, verification }: Checked,
  { result, costCents }: Found,
): Statement {
  const { match, outcome, reasonCode, resultData } = result;
  const known = verification.outcome;
  const keepsKnown = !isConclusive(outcome) && known !== null && isConclusive(known);
  const found = {
    method: "basiq" as const,
    outcome,
    reasonCode,
    resultData,
    verifiedName: resultData?.accountName ?? null,
    nameMatch: match === null ? null : match.matchType === "exact",
    nameMatchScore: match?.score ?? null,
    matchType: match?.matchType ?? CLASS_WITHOUT_SCORE[outcome] ?? ("none" as const),
    nameDifferences: match?.differences ?? null,
  };
  return db
    .update(verifications)
    .set({ ...(keepsKnown ? {} : found), cost: sql`coalesce(${verifications.cost}, 0) + ${costCents}` })
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId)));
}

/** How a result that a rule approves by itself verifies the details. */
const gradeByRule = ({ outcome, resultData }: CheckResult) =>
  gradeOf(gradeFactsOf({ status: "verified", method: "basiq", outcome, resultData, isCalledBack: 0, decider: "rule" }));

type Ended = { status: VerificationStatus; result: CheckResult };

function endingOf(
  services: Following,
  origin: Origin,
  { organizationId, verificationId, payee }: Checked,
  { status, result }: Ended,
): { statements: Statement[]; audit: CommandAudit[] } {
  if (status !== "failed" && status !== "verified") return { statements: [], audit: [] };
  const { outcome, reasonCode, resultData } = result;
  const byRule = { userId: null, organizationId, origin };
  const approved = resultData?.source === "cop" ? APPROVED_AT_ONCE : APPROVED_BY_CONSENT;
  const reason = status === "failed" ? explainOutcome(outcome, reasonCode) : approved;
  const ending = { decisionId: services.ids.next(), verificationId, status, reason, ...(reasonCode && { reasonCode }) };
  const statements = [
    ...endVerification(services, byRule, ending),
    ...returnRequestedPayments(services, byRule, verificationId),
  ];
  const entry = { entityType: "verification", entityId: verificationId, bySystem: true } as const;
  if (status === "failed") {
    return { statements, audit: [{ ...entry, action: "verification.failed", details: { reasonCode } }] };
  }
  return {
    statements: [...statements, whitelistPayee(services, byRule, { payeeId: payee.id, reason })],
    audit: [
      {
        ...entry,
        action: "verification.approved",
        details: { reason, by: "policy", ...gradeDetails(gradeByRule(result)) },
      },
      {
        action: "payee.whitelisted",
        entityType: "payee",
        entityId: payee.id,
        bySystem: true,
        details: { reason, verificationId },
      },
    ],
  };
}
