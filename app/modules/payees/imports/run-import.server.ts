import { insertRows, payeeImportRows, payeeImports, type Statement } from "@db/database";
import { sql } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/bank-account";
import type { RowOutcome } from "~/kernel/enums";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, giveWay } from "~/modules/core/commands/outbox.server";
import {
  type Acting,
  type CommandAudit,
  endJob,
  jobIsLeased,
  postponeJob,
  runCommand,
  runStep,
} from "~/modules/core/commands/run-command.server";
import { fillPayees } from "~/modules/payees/payee.server";
import { beginHealthRun } from "~/modules/payees/payee-health/health.server";
import { askingJob } from "~/modules/payees/verifications/account-questions.server";
import { systemActor, type WriteServices } from "~/services-and-actor";
import type { RowResult } from "./import";
import { deleteParts, findImport, findPart, importIsUnchanged, type PayeeImport, updateImport } from "./import.server";
import { addPayees, type JudgedRow, type JudgedRows, judgeRows, toFilled, toResults } from "./judge-rows.server";

/** One slice of an import, ready to write. */
type Slice = {
  /** The person who uploaded the file: added payees count as their work, not the queue's. */
  actor: Acting;
  statements: Statement[];
  audit: CommandAudit[];
  /** Constraints that fail when another request wrote the same payee or row meanwhile. */
  uniques: Record<"account_taken" | "row_taken" | "verification_open", string>;
};

/** Looks up what the next rows need. @returns what to write; undefined: the import has ended meanwhile */
async function processPart(services: WriteServices, found: PayeeImport): Promise<Slice | undefined> {
  const { organizationId, id: importId, mapping, zeroColumns, doneParts } = found;
  const owner = { organizationId, importId };
  const rows = await findPart(services, owner, doneParts);
  if (!rows) return undefined;
  const { timeZone } = await findPolicy(services, organizationId);
  const judged = await judgeRows(services, organizationId, { rows, mapping, zeroColumns, timeZone });
  const requestId = `import:${importId}`;
  const actor: Acting = {
    userId: found.uploadedById,
    organizationId,
    origin: { ipAddress: null, userAgent: null, requestId },
  };
  const added = judged.judged.filter(({ judgement }) => judgement.outcome === "added");
  const results = toResults(judged);
  return {
    actor,
    uniques: { account_taken: "payees", row_taken: "payee_import_rows", verification_open: "verifications" },
    statements: [
      ...(await addPayees(services, actor, added)),
      ...fillPayees(services, actor, judged.judged.flatMap(toFilled)),
      ...insertRows(
        services.db,
        payeeImportRows,
        results.map((result) => ({ ...owner, ...result })),
      ),
      updateImport(services, owner, { doneParts: doneParts + 1, problem: null, ...counted(results, judged) }),
    ],
    audit: judged.judged.flatMap((row) => auditOf(row, found)),
  };
}

const COUNTS: Record<
  RowOutcome,
  "addedCount" | "unchangedCount" | "filledCount" | "differsCount" | "noAccountCount" | "refusedCount"
> = {
  added: "addedCount",
  unchanged: "unchangedCount",
  filled: "filledCount",
  differs: "differsCount",
  no_account: "noAccountCount",
  refused: "refusedCount",
};

function counted(results: readonly RowResult[], { judged }: JudgedRows) {
  const more = (column: keyof typeof payeeImports.$inferSelect, by: number) => sql`${payeeImports[column]} + ${by}`;
  const entries = Object.entries(COUNTS).map(([outcome, column]) => {
    return [column, more(column, results.filter((result) => result.outcome === outcome).length)] as const;
  });
  return {
    ...Object.fromEntries(entries),
    doneCount: more("doneCount", results.length),
    notedCount: more("notedCount", judged.filter(({ row }) => row.notes.length > 0).length),
  };
}

function auditOf({ row, judgement, payeeId }: JudgedRow, { id: importId, name: file }: PayeeImport): CommandAudit[] {
  const from = { importId, file, line: row.line };
  if (judgement.outcome === "added") {
    const accountNumber = maskAccountNumber(row.details.accountNumber);
    return [{ action: "payee.added", entityId: payeeId, details: { ...row.details, accountNumber, ...from } }];
  }
  if (judgement.outcome !== "filled") return [];
  const changes = Object.entries(judgement.fills).map(([field, to]) => ({ field, from: null, to }));
  return [{ action: "payee.filled", entityId: payeeId, details: { changes, ...from } }];
}

/** How long one delivery keeps starting slices: well within its lease, even if the last slice is slow. */
const WORK_MS = 15_000;
/** Other people may add payees while a slice is being prepared; it is then prepared again. */
const TRIES_PER_SLICE = 4;

/**
 * Processes the next rows of an import. Each slice is one batch on condition that the import is where it was read, so
 * that if a slice runs twice, or the consumer dies, every row still gets exactly one result.
 */
export async function runImport(services: WriteServices, job: Job): Promise<void> {
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

/** @returns false when something changed since the slice was prepared, and nothing was written */
async function processSlice(services: WriteServices, job: Job, found: PayeeImport): Promise<boolean> {
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
      ? await runCommand(services, slice.actor, { conditions, uniques, statements, audit })
      : await runStep(services, { conditions, statements });
  return ok;
}

async function goOnLater(services: WriteServices, job: Job, found: PayeeImport): Promise<void> {
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

async function finish(services: WriteServices, job: Job, found: PayeeImport): Promise<void> {
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
    jobs: services.config.asksBanksAutomatically && addedCount > 0 ? [askingJob(services, found.organizationId)] : [],
    audit: [
      {
        action: "import.finished",
        entityId: found.id,
        details: { name, rowCount, addedCount, filledCount, differsCount, refusedCount },
      },
    ],
  });
}

const GIVEN_UP = "The import failed several times. Press Continue to try the rest again.";

/** After the last attempt failed: the import pauses, and its page tells the person. */
export async function giveUpImport(services: WriteServices, job: Job, error: string): Promise<void> {
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
    audit: [{ action: "import.failed", entityId: found.id }],
  });
}
