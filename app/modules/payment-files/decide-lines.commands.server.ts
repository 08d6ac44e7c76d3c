import type { Statement } from "@db/client";
import { paymentFileLines } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { type IdempotentRequest, runOnce } from "~/modules/commands/idempotency.server";
import { runCommand } from "~/modules/commands/run-command.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { approvalLimitOf } from "~/modules/payment-facts/payment-limits";
import type { Services, WriteServices } from "~/services";
import { type LineChoice, listDecidableLines } from "./decide-lines.queries.server";
import { getLine } from "./file-lines.queries.server";
import { recount } from "./file-lines.statements.server";
import { findFileSettings } from "./file-settings.queries.server";
import { listPayeesOfOwnWork } from "./own-work.queries.server";
import { isDecidable, sumOf } from "./payment-file";
import {
  aboveApprovalLimit,
  fileChanged,
  fileNotOpen,
  nothingToDecide,
  secondPersonRequired,
} from "./payment-file.errors.server";
import { getPaymentFile, type PaymentFileDetail } from "./payment-file.queries.server";
import { fileIsUnchanged } from "./payment-file.statements.server";

type Deciding = WriteServices & Pick<Services, "secrets">;

export type LinesDecision = {
  fileId: string;
  choice: LineChoice;
  decision: "approve" | "reject";
  reason: string;
  idempotencyKey?: string;
};

type Decidable = { line: number; amount: number; payeeId: string | null };

/** Somebody else may decide at the same moment: the lines are then looked at again. */
const TRIES = 3;
/** Lines that an audit entry names; the count is always right. */
const MAX_NAMED = 200;

/**
 * A person's decision about held lines, singly, by reason or by payee. Approving for a reason authorises the lines that
 * nothing else holds; rejecting for a reason rejects every line it holds. Of several people at once exactly one decides.
 *
 * @returns the lines that were decided
 * @throws AppError 404; 403 SECOND_PERSON_REQUIRED, APPROVAL_LIMIT with the lines; 409 FILE_NOT_OPEN, ALREADY_DECIDED with
 * who decided, NOTHING_HELD, FILE_CHANGED, IDEMPOTENCY_CONFLICT
 */
export async function decideLines(services: Deciding, actor: Actor, input: LinesDecision): Promise<number[]> {
  const { idempotencyKey: key, ...asked } = input;
  return runOnce(services, actor, { operation: "decide payment file lines", key, input: asked }, (request) =>
    writeDecision(services, actor, input, request),
  );
}

async function writeDecision(
  services: Deciding,
  actor: Actor,
  { fileId, choice, decision, reason }: LinesDecision,
  request: IdempotentRequest | undefined,
): Promise<number[]> {
  const { organizationId } = actor;
  const isApproval = decision === "approve";
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const file = await getPaymentFile(services, actor, fileId);
    if (!isDecidable(file.status)) throw fileNotOpen(file.status);
    const lines = await listDecidableLines(services, { organizationId, fileId }, { choice, isApproval });
    if (lines.length === 0) throw await whoWasFirst(services, actor, fileId, choice);
    if (isApproval) await requireMayApprove(services, actor, file, lines);
    const numbers = lines.map(({ line }) => line);
    const status = isApproval ? "authorised" : "rejected";
    const result = await runCommand(services, actor, {
      conditions: [fileIsUnchanged(services, organizationId, file)],
      statements: [
        markDecided(services, actor, { fileId, numbers, status, reason }),
        recount(services, { organizationId, fileId }),
      ],
      audit: [
        {
          action: isApproval ? "payment_file.lines_approved" : "payment_file.lines_rejected",
          entityType: "payment_file",
          entityId: fileId,
          details: {
            ...choiceForAudit(choice),
            lines: numbers.slice(0, MAX_NAMED),
            count: lines.length,
            cents: sumOf(lines),
            reason,
          },
        },
      ],
      request,
      answer: numbers,
    });
    if (result.ok) return result.answer;
  }
  throw fileChanged();
}

const choiceForAudit = (choice: LineChoice) => ("lines" in choice ? {} : choice);

/** @throws AppError 403 SECOND_PERSON_REQUIRED, APPROVAL_LIMIT */
async function requireMayApprove(
  services: Deciding,
  actor: Actor,
  file: PaymentFileDetail,
  lines: readonly Decidable[],
): Promise<void> {
  const { organizationId, userId } = actor;
  const [policy, settings] = await Promise.all([
    findPolicy(services, organizationId),
    findFileSettings(services, organizationId),
  ]);
  const limit = approvalLimitOf(settings, actor.organizationRole);
  const above = limit === null ? [] : lines.filter(({ amount }) => amount > limit);
  if (limit !== null && above.length > 0)
    throw aboveApprovalLimit(
      limit,
      above.map(({ line }) => line),
    );
  if (!policy.secondPersonRequired) return;
  const payeeIds = [...new Set(lines.flatMap(({ payeeId }) => payeeId ?? []))];
  const ownPayees = await listPayeesOfOwnWork(services, { organizationId, userId }, payeeIds);
  const own = lines.filter(({ payeeId }) => file.uploadedById === userId || ownPayees.has(payeeId ?? ""));
  if (own.length > 0) throw secondPersonRequired(own.map(({ line }) => line));
}

async function whoWasFirst(services: Deciding, actor: Actor, fileId: string, choice: LineChoice) {
  const { timeZone } = await findPolicy(services, actor.organizationId);
  const [only, another] = "lines" in choice ? choice.lines : [];
  if (only === undefined || another !== undefined) return nothingToDecide(undefined, timeZone);
  return nothingToDecide(await getLine(services, actor, { fileId, line: only }), timeZone);
}

function markDecided(
  { db, clock }: Deciding,
  { organizationId, userId }: Actor,
  decided: { fileId: string; numbers: readonly number[]; status: "authorised" | "rejected"; reason: string },
): Statement {
  const { fileId, numbers, status, reason } = decided;
  return db
    .update(paymentFileLines)
    .set({ status, decidedById: userId, decisionReason: reason, decidedAt: clock.now() })
    .where(
      and(
        eq(paymentFileLines.organizationId, organizationId),
        eq(paymentFileLines.fileId, fileId),
        sql`${paymentFileLines.line} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`,
      ),
    );
}
