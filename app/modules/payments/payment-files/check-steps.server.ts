import type { Statement } from "@db/client";
import { paymentFiles } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import type { Job } from "~/modules/core/commands/job";
import { giveWay } from "~/modules/core/commands/outbox.server";
import { endJob, postponeJob } from "~/modules/core/commands/outbox.statements.server";
import { type CommandAudit, runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { saveRuleSet } from "~/modules/rules/decision-record.statements.server";
import type { Services, WriteServices } from "~/services";
import { addToCounts, insertLines } from "./file-lines.server";
import { type FiredRule, sumRules } from "./fired-rules";
import { type FileContext, judgeLines } from "./judge-lines.server";
import type { FileLine } from "./payment-file";

/** How the lines of a file are checked: the same steps in the request that uploads it and in the queue's job. */

export type Checking = WriteServices & Pick<Services, "secrets">;

type Owner = { organizationId: string; fileId: string };

/** How fast a file is checked. */
export type Pace = {
  /** Lines written by one batch. */
  linesPerStep: number;
  /** No further step is begun after this time, in milliseconds. */
  forMs: number;
};

/** A few megabytes. */
export const LINES_PER_STEP = 5_000;

/** What one step writes. */
export type CheckStep = {
  /** How many lines of the file are checked after it. */
  checked: number;
  isLast: boolean;
  statements: Statement[];
  /** Every rule that fired on the lines of this step, as often as it did. */
  fired: readonly FiredRule[];
};

/** Judges the next lines of a file, from the one after the first `from`. Writes nothing. */
export async function judgeStep(
  services: Checking,
  context: FileContext,
  { lines, from, pace }: { lines: readonly FileLine[]; from: number; pace: Pace },
): Promise<CheckStep> {
  const owner = { organizationId: context.organizationId, fileId: context.fileId };
  const judged = await judgeLines(services, context, lines.slice(from, from + pace.linesPerStep));
  const { ruleSetId, statement } = await saveRuleSet(services, owner.organizationId, context.levels);
  const checked = from + judged.length;
  const isLast = checked >= lines.length;
  const set = { checkedCount: checked, ...(isLast ? { status: "open" as const } : {}) };
  return {
    checked,
    isLast,
    fired: judged.flatMap(({ reasons }) => reasons),
    statements: [
      statement,
      ...insertLines(services, { ...owner, ruleSetId }, judged),
      addToCounts(services, owner, { lines: judged, set }),
    ],
  };
}

/** The entry that says that every line of a file was checked, with the rules that fired on all of them. */
export const checkedAudit = (fileId: string, lineCount: number, fired: readonly FiredRule[]): CommandAudit => ({
  action: "payment_file.checked",
  entityType: "payment_file",
  entityId: fileId,
  details: { lineCount, rules: sumRules(fired) },
  bySystem: true,
});

/** What is left to check of a file. */
export type Rest = {
  context: FileContext;
  /** Every line of the file. */
  lines: readonly FileLine[];
  /** How many of them are checked. */
  from: number;
  /** The rules that fired on those. */
  fired: readonly FiredRule[];
  /** The job of this file, which the caller holds. */
  job: Job;
  pace: Pace;
  /** When the caller began, epoch milliseconds. */
  since: number;
};

/**
 * Checks the rest of a file in steps. Each step is one batch that moves the file on from where it was read, so a step that
 * runs twice, or a caller that dies in one, leaves every line checked once. What there is no time for is left to the queue.
 */
export async function checkInSteps(services: Checking, rest: Rest): Promise<void> {
  const { context, lines, job, pace } = rest;
  const owner = { organizationId: context.organizationId, fileId: context.fileId };
  let fired = rest.fired;
  for (let from = rest.from; ; from += pace.linesPerStep) {
    const isLate = isOver(services, rest);
    await giveWay();
    const step = await judgeStep(services, context, { lines, from, pace });
    fired = sumRules([...fired, ...step.fired]);
    const conditions: StepConditions = [checkedUpTo(services, owner, from)];
    if (step.isLast) return endCheck(services, { job, step: { ...step, fired }, conditions, owner });
    const again = isLate ? [postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 })] : [];
    const { ok } = await runStep(services, {
      conditions,
      statements: [...step.statements, ...again],
      woken: isLate ? [job] : [],
    });
    if (!ok || isLate) return;
  }
}

/** The time of this caller is over: the next step is the last it begins, or another's. */
export const isOver = ({ clock }: Pick<Services, "clock">, { pace, since }: Pick<Rest, "pace" | "since">): boolean =>
  clock.now() - since >= pace.forMs;

type StepConditions = readonly [ReturnType<typeof checkedUpTo>];

async function endCheck(
  services: Checking,
  { owner, job, step, conditions }: { owner: Owner; job: Job; step: CheckStep; conditions: StepConditions },
): Promise<void> {
  await runCommand(services, systemActor(owner.organizationId, job.id), {
    conditions,
    statements: [...step.statements, endJob(services, job, "done")],
    audit: [checkedAudit(owner.fileId, step.checked, step.fired)],
    answer: undefined,
  });
}

/** The file is being checked, and so many of its lines are. */
export function checkedUpTo({ db }: Checking, { organizationId, fileId }: Owner, count: number) {
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
