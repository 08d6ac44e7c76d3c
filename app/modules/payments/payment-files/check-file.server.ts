import { paymentFileLines, paymentFiles } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, giveWay } from "~/modules/core/commands/outbox.server";
import { endJob, postponeJob } from "~/modules/core/commands/outbox.statements.server";
import { type CommandAudit, runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { saveRuleSet } from "~/modules/rules/decision-record.statements.server";
import type { ReadServices, Services, WriteServices } from "~/services";
import { addToCounts, insertLines, recount } from "./file-lines.server";
import { type JudgedFile, judgeLines } from "./judge-lines.server";
import type { FileLine } from "./payment-file";
import { findPaymentFile } from "./payment-file.server";
import { readStoredFile } from "./stored-file.server";

/** How the lines of a file are checked: the same steps in the request that uploads it and in the queue's job. */

type Checking = WriteServices & Pick<Services, "secrets">;

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

/** Judges the next lines of a file, from the one after the first `from`. Writes nothing. */
export async function judgeStep(
  services: Checking,
  file: JudgedFile,
  { lines, from, pace }: { lines: readonly FileLine[]; from: number; pace: Pace },
) {
  const owner = { organizationId: file.organizationId, fileId: file.id };
  const next = lines.slice(from, from + pace.linesPerStep);
  const { lines: judged, levels } = await judgeLines(services, file, lines, next);
  const { ruleSetId, statement } = await saveRuleSet(services, owner.organizationId, levels);
  const checked = from + judged.length;
  const isLast = checked >= lines.length;
  const set = { checkedCount: checked, ...(isLast ? { status: "open" as const } : {}) };
  return {
    /** How many lines of the file are checked after this step. */
    checked,
    isLast,
    /** Every rule that fired on the lines of this step, as often as it did. */
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
  file: JudgedFile;
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
  const { file, lines, job, pace } = rest;
  const owner = { organizationId: file.organizationId, fileId: file.id };
  let fired = rest.fired;
  for (let from = rest.from; ; from += pace.linesPerStep) {
    const isLate = isOver(services, rest);
    await giveWay();
    const step = await judgeStep(services, file, { lines, from, pace });
    fired = sumRules([...fired, ...step.fired]);
    const conditions = [checkedUpTo(services, owner, from)] as const;
    if (step.isLast) {
      await runCommand(services, systemActor(owner.organizationId, job.id), {
        conditions,
        statements: [...step.statements, endJob(services, job, "done")],
        audit: [checkedAudit(file.id, step.checked, fired)],
        answer: undefined,
      });
      return;
    }
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

/** The file is being checked, and so many of its lines are. */
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

/** Of a delivery: well within its lease, and within the time a consumer has. */
const PACE_OF_DELIVERY: Pace = { linesPerStep: LINES_PER_STEP, forMs: 15_000 };

/**
 * Checks what the upload of a file left unchecked: reads the file once, then goes on in steps. What a delivery has no time
 * for, the next one does.
 */
export async function checkPaymentFile(services: Checking, job: Job, pace = PACE_OF_DELIVERY): Promise<void> {
  const { organizationId, subjectId: fileId } = job;
  const file = organizationId && fileId ? await findPaymentFile(services, { organizationId }, fileId) : undefined;
  if (!organizationId || !file || file.status !== "checking") return finishJob(services, job);
  const { lines } = await readStoredFile(services, organizationId, file);
  const since = services.clock.now();
  const from = file.checkedCount;
  const fired = from === 0 ? [] : await countFiredRules(services, { organizationId, fileId: file.id });
  await checkInSteps(services, { file: { ...file, organizationId }, lines, from, fired, job, pace, since });
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

/** How often each rule fired on the lines of a file that are written, 20,000 at most. */
function countFiredRules(
  { db }: ReadServices,
  { organizationId, fileId }: { organizationId: string; fileId: string },
): Promise<Required<FiredRule>[]> {
  return db.all<
    Required<FiredRule>
  >(sql`SELECT "reason"."value" ->> 'rule' AS "rule", "reason"."value" ->> 'level' AS "level",
      count(*) AS "count"
    FROM ${paymentFileLines}, json_each("payment_file_lines"."reasons") AS "reason"
    WHERE "payment_file_lines"."organizationId" = ${organizationId} AND "payment_file_lines"."fileId" = ${fileId}
    GROUP BY 1, 2`);
}

/** `count` is 1 unless told. */
export type FiredRule = { rule: string; level: string; count?: number };

/** One entry for each rule and level, those that fired most often first. */
export function sumRules(fired: readonly FiredRule[]): Required<FiredRule>[] {
  const sums = new Map<string, Required<FiredRule>>();
  for (const { rule, level, count = 1 } of fired) {
    const sum = sums.get(`${rule}:${level}`) ?? { rule, level, count: 0 };
    sums.set(`${rule}:${level}`, { ...sum, count: sum.count + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || a.rule.localeCompare(b.rule));
}
