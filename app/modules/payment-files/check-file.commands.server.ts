import { paymentFiles } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import { decodeBytes } from "~/kernel/text-decoding";
import type { Job } from "~/modules/commands/job";
import { finishJob } from "~/modules/commands/outbox.commands.server";
import { endJob, postponeJob } from "~/modules/commands/outbox.statements.server";
import { runCommand, runStep } from "~/modules/commands/run-command.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { keepRuleSet } from "~/modules/payment-rules/decision-record.statements.server";
import type { Services } from "~/services";
import { getBytes } from "./file-bytes.queries.server";
import { insertLines, recount } from "./file-lines.statements.server";
import { findFileSettings } from "./file-settings.queries.server";
import { judgeLines } from "./judge-lines.queries.server";
import { nameWidthOf } from "./payment-file";
import { findPaymentFile, type PaymentFileDetail } from "./payment-file.queries.server";
import { readPaymentFile } from "./read-file";
import { lookAtWhole } from "./whole-file";

type Checking = Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues">;

/** Lines checked in one step: well within a minute's lease, and a batch of some megabytes. */
const LINES_PER_STEP = 2_000;

/**
 * Checks the next lines of a large file. Each step is one batch that moves the file on from where it was read, so a step
 * that runs twice, or a consumer that dies in one, leaves every line checked once.
 */
export async function checkPaymentFile(services: Checking, job: Job): Promise<void> {
  const { organizationId, subjectId: fileId } = job;
  const file = organizationId && fileId ? await findPaymentFile(services, { organizationId }, fileId) : undefined;
  if (!organizationId || !file || file.status !== "checking") return finishJob(services, job);
  const owner = { organizationId, fileId: file.id };
  const { statements, checkedCount } = await checkNextLines(services, organizationId, file);
  const conditions = [checkedUpTo(services, owner, file.checkedCount)] as const;
  if (checkedCount < file.lineCount) {
    const again = postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 });
    const moved = recount(services, owner, { checkedCount });
    await runStep(services, { conditions, statements: [...statements, moved, again], woken: [job] });
    return;
  }
  await runCommand(services, systemActor(organizationId, job.id), {
    conditions,
    statements: [
      ...statements,
      recount(services, owner, { checkedCount, status: "open" }),
      endJob(services, job, "done"),
    ],
    audit: [
      {
        action: "payment_file.checked",
        entityType: "payment_file",
        entityId: file.id,
        details: { lineCount: file.lineCount },
      },
    ],
    answer: undefined,
  });
}

async function checkNextLines(services: Checking, organizationId: string, file: PaymentFileDetail) {
  const bytes = await getBytes(services, { organizationId, ownerId: file.id, byteCount: file.byteCount });
  const settings = await findFileSettings(services, organizationId);
  const reading = readPaymentFile(decodeBytes(bytes), {
    isPasted: file.format === "pasted",
    known: settings.mappings,
  });
  if (!reading.ok) throw new Error("a stored payment file can no longer be read");
  const { lines } = reading.file;
  const next = lines.slice(file.checkedCount, file.checkedCount + LINES_PER_STEP);
  const policy = await findPolicy(services, organizationId);
  const context = {
    organizationId,
    fileId: file.id,
    policy,
    settings,
    whole: lookAtWhole(lines),
    nameWidth: nameWidthOf(file.format),
    levels: policy.ruleLevels,
  };
  const judged = await judgeLines(services, context, next);
  const { ruleSetId, statement } = await keepRuleSet(services, organizationId, policy.ruleLevels);
  return {
    statements: [statement, ...insertLines(services, { organizationId, fileId: file.id, ruleSetId }, judged)],
    checkedCount: file.checkedCount + next.length,
  };
}

function checkedUpTo(
  { db }: Checking,
  { organizationId, fileId }: { organizationId: string; fileId: string },
  count: number,
) {
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
