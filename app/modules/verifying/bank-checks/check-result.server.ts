import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { organizationPolicies, payees, verifications } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { CommandAudit } from "~/modules/core/commands/run-command.server";
import { payeeIsUnchanged } from "~/modules/payees/payee.server";
import { gradeDetails, gradeFactsOf, gradeOf } from "~/modules/payees/verifications/grade";
import { explainOutcome } from "~/modules/payees/verifications/outcomes";
import { findReviewFlags, flagFactsOf } from "~/modules/payees/verifications/review-flags";
import { barToRule, type RuleSubject } from "~/modules/payees/verifications/rule-approval";
import { headlineBesideAnswer } from "~/modules/payees/verifications/verdict";
import { isConclusive, statusAfterOutcome } from "~/modules/payees/verifications/verification";
import { endVerification, lastDecisionOf } from "~/modules/payees/verifications/verification.server";
import { whitelistPayee } from "~/modules/payees/whitelist/whitelist.server";
import { returnRequestedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { CheckResult } from "~/modules/verifying/bank-answers/compare-with-bank";
import type { Services } from "~/services";

const APPROVED_BY_CONSENT = "Exact match at the payee's own bank";
const APPROVED_AT_ONCE = "Exact match by Confirmation of Payee";

type Following = Pick<Services, "db" | "clock" | "ids">;

/** A verification whose check has ended. */
export type Checked = { organizationId: string; verificationId: string };

type Found = {
  result: CheckResult;
  /** What the provider charges for it. */
  costCents: number;
  /** The result is kept and decides nothing by itself, because another check of the verification is under way. */
  isBesideAnother?: boolean;
};

export type Followed = {
  /** What the rules judged is still so. The command that is refused by one of them asks again what follows. */
  conditions: readonly Condition<"judged_meanwhile">[];
  statements: Statement[];
  audit: CommandAudit[];
  /** What the page says beside the bank's answer to whoever decides now; null: nothing, or it is decided. */
  beside: ReturnType<typeof headlineBesideAnswer>;
};

/**
 * What follows from the result of a check, however the bank was asked: the result beside what was submitted, and the status
 * that it leads to by rule, with the trail of the latter. The command requires `verificationIsPending` and the conditions
 * that come back, writes its own entry about the check, and has the rules act as the system.
 */
export async function followResult(
  services: Following,
  { origin }: { origin: Origin },
  checked: Checked,
  { result, costCents, isBesideAnother = false }: Found,
): Promise<Followed> {
  const [subject, policy] = await Promise.all([
    getSubject(services, checked),
    findPolicy(services, checked.organizationId),
  ]);
  const { outcome, reasonCode, match } = result;
  const answer = { outcome, matchType: match?.matchType ?? null };
  const judged = toRuleSubject(subject, result);
  const isApproved = !isBesideAnother && !barToRule(answer, judged, policy);
  const status = isBesideAnother ? "pending" : isApproved ? "verified" : statusAfterOutcome(outcome, reasonCode);
  const ending = endingOf(services, origin, { ...checked, payee: subject.payee }, { status, result });
  return {
    conditions: isApproved ? isAsJudged(services, checked, subject.payee) : [],
    statements: [recordResult(services, checked, subject, { result, costCents }), ...ending.statements],
    audit: ending.audit,
    beside: status === "pending" ? headlineBesideAnswer({ outcome, reasonCode, flags: judged.flags }) : null,
  };
}

/** What a rule looks at, with the result that has just come in. */
const toRuleSubject = (
  subject: Awaited<ReturnType<typeof getSubject>>,
  { outcome, match, resultData }: CheckResult,
): RuleSubject => ({
  ...subject,
  flags: findReviewFlags({
    ...flagFactsOf(subject),
    outcome,
    nameMatchScore: match?.score ?? null,
    resultData,
  }),
  wasRejected: subject.lastDecision === "rejected",
});

/** The verification as it is now. Another check of it may have ended, and people go on working on its payee. */
async function getSubject({ db }: Following, { organizationId, verificationId }: Checked) {
  const [row] = await db
    .select({
      outcome: verifications.outcome,
      nameMatchScore: verifications.nameMatchScore,
      resultData: verifications.resultData,
      evidence: verifications.evidence,
      accountName: verifications.accountName,
      disputedByPayeeAt: verifications.disputedByPayeeAt,
      createdAt: verifications.createdAt,
      lastDecision: lastDecisionOf(organizationId, verifications.payeeId),
      payee: {
        id: payees.id,
        name: payees.name,
        version: payees.version,
        whitelisted: payees.whitelisted,
        bankDetailsChangedAt: payees.bankDetailsChangedAt,
        renamedAt: payees.renamedAt,
        contactChangedAt: payees.contactChangedAt,
        disputedAt: payees.disputedAt,
        draftSince: payees.draftSince,
        takenOffWhitelistAt: payees.takenOffWhitelistAt,
        archivedAt: payees.archivedAt,
      },
    })
    .from(verifications)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId)));
  if (!row) throw new Error(`verification ${verificationId} of a check is not there`);
  return row;
}

/** Nobody has edited the payee, disputed, or told rules to leave this to a person, since it was judged. */
const isAsJudged = (
  services: Following,
  { organizationId }: Checked,
  payee: { id: string; version: number },
): Condition<"judged_meanwhile">[] => [
  { ...payeeIsUnchanged(services, organizationId, payee), name: "judged_meanwhile" },
  {
    name: "judged_meanwhile",
    found: services.db
      .select({ one: sql`1` })
      .from(organizationPolicies)
      .where(
        and(
          eq(organizationPolicies.organizationId, organizationId),
          eq(organizationPolicies.autoApproveExact, true),
          eq(organizationPolicies.secondPersonRequired, false),
        ),
      ),
  },
];

/** The class of a result that has no score, as lists show it. */
const CLASS_WITHOUT_SCORE: Partial<Record<CheckOutcome, "exact" | "fuzzy">> = { match: "exact", close_match: "fuzzy" };

/** `unable` says nothing, so it never takes the place of an earlier result that said something. */
function recordResult(
  { db }: Following,
  { organizationId, verificationId }: Checked,
  { outcome: known }: { outcome: CheckOutcome | null },
  { result, costCents }: Found,
): Statement {
  const { match, outcome, reasonCode, resultData } = result;
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
  { organizationId, verificationId, payee }: Checked & { payee: { id: string } },
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
