import type { Statement } from "@db/client";
import { precondition } from "@db/precondition";
import { bankChecks, verifications } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { SystemActor } from "~/kernel/actor";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import {
  jobIds,
  jobStatements,
  type Promised,
  queueEmail,
} from "~/modules/notifications/notifications.statements.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { returnRequestedPayments } from "~/modules/payment-holds/payment-holds.statements.server";
import { explainOutcome } from "~/modules/verifications/outcomes";
import { isConclusive, statusAfterOutcome } from "~/modules/verifications/verification";
import { endVerification } from "~/modules/verifications/verification.statements.server";
import { whitelistPayee } from "~/modules/whitelist/whitelist.statements.server";
import type { Services } from "~/services";
import { type BankCheck, findRequesterEmail } from "./bank-check.queries.server";
import type { CheckResult } from "./compare";

const AUTO_APPROVAL_REASON = "Exact match at the payee's own bank";

type Finishing = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">;

/** Only while the check is not finished: a dispute or another consumer may have ended it. */
export function whileRunning(
  services: Pick<Services, "db">,
  check: Pick<BankCheck, "id" | "organizationId">,
): Statement {
  const { db } = services;
  return precondition(
    db,
    db
      .select({ one: sql`1` })
      .from(bankChecks)
      .where(
        and(
          eq(bankChecks.organizationId, check.organizationId),
          eq(bankChecks.id, check.id),
          isNull(bankChecks.finishedAt),
        ),
      ),
  );
}

/** Ends the try itself, with what it found. */
export function endBankCheck(
  services: Pick<Services, "db" | "clock">,
  check: Pick<BankCheck, "id" | "organizationId">,
  ending: Partial<Pick<CheckResult, "outcome" | "reasonCode">> = {},
): Statement {
  const { db, clock } = services;
  return db
    .update(bankChecks)
    .set({ ...ending, step: "finished", finishedAt: clock.now() })
    .where(
      and(
        eq(bankChecks.organizationId, check.organizationId),
        eq(bankChecks.id, check.id),
        isNull(bankChecks.finishedAt),
      ),
    );
}

/**
 * Everything that follows from the end of a check: the result beside what was submitted, the status it leads to, the
 * trail and the news to the requester. The batch must start with `whilePending` and `whileRunning`.
 *
 * @param charged whether the bank was asked, which the provider charges for
 */
export async function finishBankCheck(
  services: Finishing,
  acting: SystemActor,
  check: BankCheck,
  result: CheckResult,
  charged: boolean,
): Promise<Promised> {
  const status = await statusAfter(services, check, result);
  const sentence = explainOutcome(result.outcome, result.reasonCode);
  const mail = await queueEmail(services, check.organizationId, await findRequesterEmail(services, check), {
    template: "bankCheckFinished",
    data: {
      organizationName: check.organizationName,
      payeeName: check.payee.name,
      result: status === "verified" ? `${sentence} Your organisation lets exact results approve themselves.` : sentence,
      href: `${services.config.appOrigin}/verifications/${check.verificationId}`,
    },
  });
  return {
    jobIds: jobIds(mail),
    statements: [
      endBankCheck(services, check, { outcome: result.outcome, reasonCode: result.reasonCode }),
      recordResult(services, check, result, charged),
      audit(services, acting, check, "verification.bank_check_finished", {
        outcome: result.outcome,
        reasonCode: result.reasonCode,
        score: result.match?.score ?? null,
      }),
      ...endingStatements(services, acting, check, status, result, sentence),
      ...jobStatements(services, mail),
    ],
  };
}

/**
 * An exact result approves itself only where the organisation said so, and never past a dispute or the rule that a
 * second person must look: a rule of ours is no second person.
 */
async function statusAfter(services: Finishing, check: BankCheck, { outcome }: CheckResult) {
  if (outcome !== "match" || check.payee.disputedAt !== null) return statusAfterOutcome(outcome);
  const policy = await findPolicy(services, check.organizationId);
  return policy.autoApproveExact && !policy.secondPersonRequired ? "verified" : statusAfterOutcome(outcome);
}

/** `unable` says nothing, so it never takes the place of an earlier result that said something. */
function recordResult(services: Finishing, check: BankCheck, result: CheckResult, charged: boolean): Statement {
  const { db, config } = services;
  const { match, outcome, reasonCode, resultData } = result;
  const known = check.verification.outcome;
  const keepsKnown = !isConclusive(outcome) && known !== null && isConclusive(known);
  const found = {
    outcome,
    reasonCode,
    resultData,
    verifiedName: resultData?.accountName ?? null,
    nameMatch: match === null ? null : match.matchType === "exact",
    nameMatchScore: match?.score ?? null,
    matchType: match?.matchType ?? ("none" as const),
    nameDifferences: match?.differences ?? null,
  };
  return db
    .update(verifications)
    .set({
      ...(keepsKnown ? {} : found),
      cost: sql`coalesce(${verifications.cost}, 0) + ${charged ? config.bankCheckCostCents : 0}`,
    })
    .where(and(eq(verifications.organizationId, check.organizationId), eq(verifications.id, check.verificationId)));
}

function endingStatements(
  services: Finishing,
  acting: SystemActor,
  check: BankCheck,
  status: ReturnType<typeof statusAfterOutcome>,
  result: CheckResult,
  sentence: string,
): Statement[] {
  const { ids } = services;
  const { verificationId, payee } = check;
  const ending = (decided: "verified" | "failed", reason: string) => [
    ...endVerification(services, acting, {
      decisionId: ids.next(),
      verificationId,
      status: decided,
      reason,
      ...(result.reasonCode && { reasonCode: result.reasonCode }),
    }),
    ...returnRequestedPayments(services, acting, verificationId),
  ];
  if (status === "failed") {
    return [
      ...ending("failed", sentence),
      audit(services, acting, check, "verification.failed", { reasonCode: result.reasonCode }),
    ];
  }
  if (status !== "verified") return [];
  return [
    ...ending("verified", AUTO_APPROVAL_REASON),
    whitelistPayee(services, acting, { payeeId: payee.id, reason: AUTO_APPROVAL_REASON }),
    audit(services, acting, check, "verification.approved", { reason: AUTO_APPROVAL_REASON, by: "policy" }),
    recordAudit(services, acting, {
      action: "payee.whitelisted",
      entityType: "payee",
      entityId: payee.id,
      details: { reason: AUTO_APPROVAL_REASON, verificationId },
    }),
  ];
}

function audit(
  services: Finishing,
  acting: SystemActor,
  check: BankCheck,
  action: Parameters<typeof recordAudit>[2]["action"],
  details: Record<string, unknown>,
): Statement {
  return recordAudit(services, acting, {
    action,
    entityType: "verification",
    entityId: check.verificationId,
    details,
  });
}
