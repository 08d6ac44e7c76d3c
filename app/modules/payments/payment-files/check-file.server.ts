import { paymentFileLines } from "@db/schema/index";
import { sql } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { endJob } from "~/modules/core/commands/outbox.statements.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { ReadServices } from "~/services";
import { type Checking, checkedUpTo, checkInSteps, LINES_PER_STEP, type Pace } from "./check-steps.server";
import { findFileContext } from "./file-context.server";
import { recount } from "./file-lines.server";
import type { FiredRule } from "./fired-rules";
import { findPaymentFile } from "./payment-file.server";
import { readStoredFile } from "./stored-file.server";

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
  const { lines, format } = await readStoredFile(services, organizationId, file);
  const owner = { organizationId, fileId: file.id, uploadedById: file.uploadedById };
  const context = await findFileContext(services, owner, { lines, format });
  const since = services.clock.now();
  const from = file.checkedCount;
  const fired = from === 0 ? [] : await countFiredRules(services, { organizationId, fileId: file.id });
  await checkInSteps(services, { context, lines, from, fired, job, pace, since });
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
