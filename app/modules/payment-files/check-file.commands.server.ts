import type { Statement } from "@db/client";
import { paymentFiles } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import { giveWay } from "~/modules/commands/give-way.server";
import type { Job } from "~/modules/commands/job";
import { finishJob } from "~/modules/commands/outbox.commands.server";
import { endJob, postponeJob } from "~/modules/commands/outbox.statements.server";
import { runCommand, runStep } from "~/modules/commands/run-command.server";
import { saveRuleSet } from "~/modules/payment-rules/decision-record.statements.server";
import type { Services, WriteServices } from "~/services";
import { findFileContext } from "./file-context.queries.server";
import { addToCounts, insertLines, recount } from "./file-lines.statements.server";
import { type FiredRule, sumRules } from "./fired-rules";
import { countFiredRules } from "./fired-rules.queries.server";
import { type FileContext, judgeLines } from "./judge-lines.queries.server";
import type { FileLine } from "./payment-file";
import { findPaymentFile } from "./payment-file.queries.server";
import { readStoredFile } from "./stored-file.queries.server";

type Checking = WriteServices & Pick<Services, "secrets">;

/** Lines written by one batch: a few megabytes. */
const LINES_PER_STEP = 4_000;
/** A delivery goes on with the next step until this is over: well within its lease, and within the time a consumer has. */
const DELIVERY_MS = 15_000;

type Owner = { organizationId: string; fileId: string };

/**
 * Checks a large file: reads it once, then judges and writes its lines in steps. Each step is one batch that moves the
 * file on from where it was read, so a step that runs twice, or a consumer that dies in one, leaves every line checked
 * once. What a delivery has no time for, the next one does.
 */
export async function checkPaymentFile(services: Checking, job: Job): Promise<void> {
  const { organizationId, subjectId: fileId } = job;
  const file = organizationId && fileId ? await findPaymentFile(services, { organizationId }, fileId) : undefined;
  if (!organizationId || !file || file.status !== "checking") return finishJob(services, job);
  const owner = { organizationId, fileId: file.id };
  const original = await readStoredFile(services, organizationId, file);
  const context = await findFileContext(services, owner, original);
  const endsAt = services.clock.now() + DELIVERY_MS;
  for (let from = file.checkedCount; ; from += LINES_PER_STEP) {
    const lines = original.lines.slice(from, from + LINES_PER_STEP);
    const isLast = from + lines.length >= original.lines.length;
    const isLate = services.clock.now() >= endsAt;
    await giveWay();
    const { fired, ...step } = await checkLines(services, context, { lines, from, isLast });
    if (isLast) return endCheck(services, { owner, job, step: { ...step, fired }, lineCount: file.lineCount });
    const again = isLate ? [postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 })] : [];
    const { ok } = await runStep(services, {
      ...step,
      statements: [...step.statements, ...again],
      woken: isLate ? [job] : [],
    });
    if (!ok || isLate) return;
  }
}

type CheckStep = {
  conditions: readonly [ReturnType<typeof checkedUpTo>];
  statements: Statement[];
  /** Every rule that fired on the lines of this step, as often as it did. */
  fired: readonly FiredRule[];
};

async function checkLines(
  services: Checking,
  context: FileContext,
  { lines, from, isLast }: { lines: readonly FileLine[]; from: number; isLast: boolean },
): Promise<CheckStep> {
  const owner = { organizationId: context.organizationId, fileId: context.fileId };
  const judged = await judgeLines(services, context, lines);
  const { ruleSetId, statement } = await saveRuleSet(services, owner.organizationId, context.levels);
  const set = { checkedCount: from + lines.length, ...(isLast ? { status: "open" as const } : {}) };
  return {
    fired: judged.flatMap(({ reasons }) => reasons),
    conditions: [checkedUpTo(services, owner, from)],
    statements: [
      statement,
      ...insertLines(services, { ...owner, ruleSetId }, judged),
      addToCounts(services, owner, { lines: judged, set }),
    ],
  };
}

async function endCheck(
  services: Checking,
  { owner, job, step, lineCount }: { owner: Owner; job: Job; step: CheckStep; lineCount: number },
): Promise<void> {
  const { organizationId, fileId } = owner;
  const rules = sumRules([...(await countFiredRules(services, owner)), ...step.fired]);
  const details = { lineCount, rules };
  await runCommand(services, systemActor(organizationId, job.id), {
    conditions: step.conditions,
    statements: [...step.statements, endJob(services, job, "done")],
    audit: [{ action: "payment_file.checked", entityType: "payment_file", entityId: fileId, details }],
    answer: undefined,
  });
}

function checkedUpTo({ db }: Checking, { organizationId, fileId }: Owner, count: number) {
  const found = db
    .select({ one: sql`1` })
    .from(paymentFiles)
    .where(
      and(
        eq(paymentFiles.organizationId, organizationId),
        eq(paymentFiles.id, fileId),
        eq(paymentFiles.status, "checking"),
        eq(paymentFiles.checkedCount, count),
      ),
    );
  return { name: "checked_already" as const, found };
}

/** The file could not be checked in all the tries there are: it is given up, and the person is told on its page. */
export async function giveUpPaymentFile(services: Checking, job: Job, error: string): Promise<void> {
  const { organizationId, subjectId: fileId } = job;
  const file = organizationId && fileId ? await findPaymentFile(services, { organizationId }, fileId) : undefined;
  if (!organizationId || !file || file.status !== "checking") return finishJob(services, job, "failed", error);
  await runCommand(services, systemActor(organizationId, job.id), {
    conditions: [checkedUpTo(services, { organizationId, fileId: file.id }, file.checkedCount)],
    statements: [
      recount(services, { organizationId, fileId: file.id }, { status: "abandoned" }),
      endJob(services, job, "failed", error),
    ],
    audit: [{ action: "payment_file.check_failed", entityType: "payment_file", entityId: file.id }],
    answer: undefined,
  });
}
