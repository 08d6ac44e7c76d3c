import { AppError } from "~/kernel/app-error";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import type { AuditAction } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Actor, Services, WriteServices } from "~/services-and-actor";
import { type ImportAct, mayDo } from "./import";
import {
  deleteParts,
  getImport,
  importChanged,
  importIsUnchanged,
  type PayeeImport,
  updateImport,
} from "./import.server";
import { type ColumnMapping, missingColumns } from "./table/columns";

/** The controls of an import: start it with chosen columns, pause, resume, stop. */

/**
 * Starts an import, which the queue then processes slice by slice.
 * @throws AppError 400 with a sentence when a column is missing; 402 SUBSCRIPTION_REQUIRED; 404; 409 IMPORT_MOVED
 */
export async function startImport(
  services: WriteServices,
  actor: Actor,
  { importId, mapping }: { importId: string; mapping: ColumnMapping },
): Promise<void> {
  await requireLiveSubscription(services, actor.organizationId);
  const missing = missingColumns(mapping);
  if (missing)
    throw new AppError("INVALID_INPUT", `${missing}.`, { fieldErrors: { "column.accountNumber": [missing] } });
  await act(services, actor, { importId, act: "start", set: { mapping, startedAt: services.clock.now() } });
}

/** @throws AppError 404; 409 IMPORT_MOVED when it is not running */
export const pauseImport = (services: WriteServices, actor: Actor, importId: string) =>
  act(services, actor, { importId, act: "pause" });

/** @throws AppError 402 SUBSCRIPTION_REQUIRED; 404; 409 IMPORT_MOVED when it is not paused */
export async function resumeImport(services: WriteServices, actor: Actor, importId: string): Promise<void> {
  await requireLiveSubscription(services, actor.organizationId);
  await act(services, actor, { importId, act: "resume" });
}

/** Stops an import: payees that it added stay, the remaining rows are deleted. @throws AppError 404; 409 */
export const stopImport = (services: WriteServices, actor: Actor, importId: string) =>
  act(services, actor, { importId, act: "stop", set: { finishedAt: services.clock.now() } });

const LEADS_TO = { start: "running", pause: "paused", resume: "running", stop: "stopped" } as const;
const RECORDED = {
  start: "import.started",
  pause: "import.paused",
  resume: "import.resumed",
  stop: "import.stopped",
} as const satisfies Record<ImportAct, AuditAction>;

type Acting = { importId: string; act: ImportAct; set?: Parameters<typeof updateImport>[2] };

/** The queue may write a slice at the same moment; the command is then tried again. */
const TRIES = 5;

async function act(services: WriteServices, actor: Actor, acting: Acting): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const found = await getImport(services, actor, acting.importId);
    if (!mayDo(acting.act, found.status)) throw importChanged(found.status);
    if (await write(services, actor, found, acting)) return;
    if (attempt === TRIES) throw importChanged(found.status);
  }
}

async function write(
  services: WriteServices,
  actor: Actor,
  { id: importId, status, doneParts, name }: PayeeImport,
  { act: done, set }: Acting,
): Promise<boolean> {
  const owner = { organizationId: actor.organizationId, importId };
  const to = LEADS_TO[done];
  const { ok } = await runCommand(services, actor, {
    conditions: [importIsUnchanged(services, owner, { status, doneParts })],
    statements: [
      updateImport(services, owner, { ...set, status: to }),
      ...(to === "stopped" ? [deleteParts(services, owner)] : []),
    ],
    audit: [{ action: RECORDED[done], entityId: importId, details: { name } }],
    jobs: to === "running" ? [toJob(services, owner)] : [],
  });
  return ok;
}

const toJob = (
  { ids }: Pick<Services, "ids">,
  { organizationId, importId }: { organizationId: string; importId: string },
) => ({ id: ids.next(), kind: "payee_import" as const, organizationId, subjectId: importId });
