import { systemActor } from "~/kernel/actor";
import { giveWay } from "~/modules/core/commands/give-way.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { endJob, jobIsLeased, postponeJob } from "~/modules/core/commands/outbox.statements.server";
import { runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { beginHealthRun } from "~/modules/payees/payee-health/health.server";
import type { Services, WriteServices } from "~/services";
import { deleteParts, findImport, importIsUnchanged, type PayeeImport, updateImport } from "./import.server";
import { processPart } from "./process-part.server";

type Running = WriteServices & Pick<Services, "secrets">;

/** How long one delivery goes on taking in slices: well within its lease, whatever the last slice takes. */
const WORK_MS = 15_000;
/** Payees may be added by others while a slice is looked up: it is then looked up anew. */
const TRIES_PER_SLICE = 4;

/**
 * Takes in the next rows of an import. Each slice is one batch that moves the import on from where it was read: a slice
 * that runs twice, or a consumer that dies in one, leaves every row with one outcome.
 */
export async function runImport(services: Running, job: Job): Promise<void> {
  const { organizationId, subjectId } = job;
  const until = services.clock.now() + WORK_MS;
  let refusals = 0;
  while (organizationId && subjectId) {
    const found = await findImport(services, { organizationId }, subjectId);
    if (found?.status !== "running") break;
    if (found.doneParts >= found.partCount) return finish(services, job, found);
    if (services.clock.now() >= until) return goOnLater(services, job, found);
    await giveWay();
    const isTaken = await processSlice(services, job, found);
    refusals = isTaken ? 0 : refusals + 1;
    if (refusals === TRIES_PER_SLICE) throw new Error("a slice of an import was refused again and again");
  }
  return finishJob(services, job);
}

/** @returns false when something changed since the slice was looked up, and nothing was written */
async function processSlice(services: Running, job: Job, found: PayeeImport): Promise<boolean> {
  const owner = { organizationId: found.organizationId, importId: found.id };
  const slice = await processPart(services, found);
  if (!slice) return false;
  const conditions = [
    importIsUnchanged(services, owner, { status: "running", doneParts: found.doneParts }),
    jobIsLeased(services, job),
  ] as const;
  const { audit, statements, uniques } = slice;
  const { ok } =
    audit.length > 0
      ? await runCommand(services, slice.actor, { conditions, uniques, statements, audit, answer: undefined })
      : await runStep(services, { conditions, statements });
  return ok;
}

async function goOnLater(services: Running, job: Job, found: PayeeImport): Promise<void> {
  const owner = { organizationId: found.organizationId, importId: found.id };
  const again = postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 });
  await runStep(services, {
    conditions: [
      importIsUnchanged(services, owner, { status: "running", doneParts: found.doneParts }),
      jobIsLeased(services, job),
    ],
    statements: [again],
    woken: [job],
  });
}

async function finish(services: Running, job: Job, found: PayeeImport): Promise<void> {
  const owner = { organizationId: found.organizationId, importId: found.id };
  const { name, rowCount, addedCount, filledCount, differsCount, refusedCount } = found;
  await runCommand(services, systemActor(found.organizationId, job.id), {
    conditions: [importIsUnchanged(services, owner, { status: "running", doneParts: found.doneParts })],
    statements: [
      updateImport(services, owner, { status: "finished", finishedAt: services.clock.now() }),
      deleteParts(services, owner),
      endJob(services, job, "done"),
    ],
    parts: [beginHealthRun(services, found.organizationId)],
    audit: [
      {
        action: "import.finished",
        entityType: "import",
        entityId: found.id,
        details: { name, rowCount, addedCount, filledCount, differsCount, refusedCount },
      },
    ],
    answer: undefined,
  });
}

const GIVEN_UP = "Something failed again and again while rows were taken in. Press Go on to try the rest once more.";

/** A slice could not be written in all the tries there are: the import waits, and the person is told on its page. */
export async function giveUpImport(services: Running, job: Job, error: string): Promise<void> {
  const { organizationId, subjectId } = job;
  const found = organizationId && subjectId ? await findImport(services, { organizationId }, subjectId) : undefined;
  if (found?.status !== "running") return finishJob(services, job, "failed", error);
  const owner = { organizationId: found.organizationId, importId: found.id };
  await runCommand(services, systemActor(found.organizationId, job.id), {
    conditions: [importIsUnchanged(services, owner, { status: "running", doneParts: found.doneParts })],
    statements: [
      updateImport(services, owner, { status: "paused", problem: GIVEN_UP }),
      endJob(services, job, "failed", error),
    ],
    audit: [{ action: "import.failed", entityType: "import", entityId: found.id }],
    answer: undefined,
  });
}
