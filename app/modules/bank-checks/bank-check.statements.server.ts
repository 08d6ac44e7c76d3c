import type { Statement } from "@db/client";
import { verifications } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { type SystemActor, systemActor } from "~/kernel/actor";
import type { CheckResult } from "~/modules/bank-answers/compare-with-bank";
import type { DeadLetterEnding } from "~/modules/commands/dead-letters.commands.server";
import type { Job } from "~/modules/commands/job";
import { postponeJob } from "~/modules/commands/outbox.statements.server";
import type { CommandAudit, CommandPart } from "~/modules/commands/run-command.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { returnRequestedPayments } from "~/modules/payment-holds/payment-holds.statements.server";
import { explainOutcome } from "~/modules/verifications/outcomes";
import { checkIsRunning, endBankCheck } from "~/modules/verifications/running-check.statements.server";
import { isConclusive, statusAfterOutcome } from "~/modules/verifications/verification";
import { endVerification, verificationIsPending } from "~/modules/verifications/verification.statements.server";
import { whitelistPayee } from "~/modules/whitelist/whitelist.statements.server";
import type { NotifyServices, Services } from "~/services";
import { nextStep, stateOf } from "./bank-check";
import { type BankCheck, findBankCheck, timesOf } from "./bank-check.queries.server";

const AUTO_APPROVAL_REASON = "Exact match at the payee's own bank";

type Finishing = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">;

/** How a check ended. `charged`: the bank was asked, which the provider charges for. */
export type Finish = { result: CheckResult; charged: boolean };

/**
 * Everything that follows from the end of a check: the result beside what was submitted, the status it leads to, and
 * the trail, from which alerts tell the requester. The command requires `verificationIsPending` and `checkIsRunning`.
 */
export async function finishCheck(
  services: Finishing,
  actor: SystemActor,
  check: BankCheck,
  { result, charged }: Finish,
): Promise<CommandPart> {
  const { outcome, reasonCode } = result;
  const status = await statusAfter(services, check, result);
  const sentence = explainOutcome(outcome, reasonCode);
  const ending = endingOf(services, actor, check, { status, reasonCode, sentence });
  const details = { outcome, reasonCode, score: result.match?.score ?? null, explanation: sentence };
  return {
    statements: [
      endBankCheck(services, check, { outcome, reasonCode }),
      recordResult(services, check, { result, charged }),
      ...ending.statements,
    ],
    audit: [onVerification(check, "verification.bank_check_finished", details), ...ending.audit],
  };
}

/**
 * An exact result approves itself only where the organisation said so, and never past a dispute, another institution than
 * the BSB's, for a draft that no person has accepted, or past the rule that a second person must look: a rule of ours is no
 * second person.
 */
async function statusAfter(services: Finishing, check: BankCheck, { outcome, resultData }: CheckResult) {
  const { disputedAt, draftSince } = check.payee;
  const isDoubted = disputedAt !== null || draftSince !== null || resultData?.institutionDiffers === true;
  if (outcome !== "match" || isDoubted) return statusAfterOutcome(outcome);
  const policy = await findPolicy(services, check.organizationId);
  return policy.autoApproveExact && !policy.secondPersonRequired ? "verified" : statusAfterOutcome(outcome);
}

/** `unable` says nothing, so it never takes the place of an earlier result that said something. */
function recordResult(services: Finishing, check: BankCheck, { result, charged }: Finish): Statement {
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

type Ended = {
  status: ReturnType<typeof statusAfterOutcome>;
  reasonCode: CheckResult["reasonCode"];
  sentence: string;
};

function endingOf(
  services: Finishing,
  actor: SystemActor,
  check: BankCheck,
  { status, reasonCode, sentence }: Ended,
): { statements: Statement[]; audit: CommandAudit[] } {
  const { verificationId, payee } = check;
  if (status !== "failed" && status !== "verified") return { statements: [], audit: [] };
  const reason = status === "failed" ? sentence : AUTO_APPROVAL_REASON;
  const ending = { decisionId: services.ids.next(), verificationId, status, reason, ...(reasonCode && { reasonCode }) };
  const statements = [
    ...endVerification(services, actor, ending),
    ...returnRequestedPayments(services, actor, verificationId),
  ];
  if (status === "failed") return { statements, audit: [onVerification(check, "verification.failed", { reasonCode })] };
  return {
    statements: [...statements, whitelistPayee(services, actor, { payeeId: payee.id, reason })],
    audit: [
      onVerification(check, "verification.approved", { reason, by: "policy" }),
      {
        action: "payee.whitelisted",
        entityType: "payee",
        entityId: payee.id,
        details: { reason, verificationId },
      },
    ],
  };
}

const onVerification = (
  { verificationId }: BankCheck,
  action: CommandAudit["action"],
  details: Record<string, unknown>,
): CommandAudit => ({ action, entityType: "verification", entityId: verificationId, details });

/**
 * How the job of a bank check ends that the queue could not deliver: the check ends as `unable`, and the
 * job comes back once more, to delete what the provider holds. Undefined when the check is over already.
 */
export async function endDeadBankCheck(services: NotifyServices, job: Job): Promise<DeadLetterEnding | undefined> {
  const check = await findBankCheck(services, job);
  if (!check) return undefined;
  const now = services.clock.now();
  const effect = nextStep(stateOf(check), { type: "dead_lettered" }, timesOf(check), now);
  if (effect.do !== "finish") return undefined;
  const { organizationId, verificationId } = check;
  return {
    conditions: [verificationIsPending(services, organizationId, verificationId), checkIsRunning(services, check)],
    statements: [postponeJob(services, job, { dueAt: now, attempts: 0 })],
    parts: [await finishCheck(services, systemActor(organizationId, job.id), check, effect)],
    woken: [{ id: job.id, kind: job.kind }],
  };
}
