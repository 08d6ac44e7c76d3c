import { bsbUploads, rowIn } from "@db/database";
import { and, eq } from "drizzle-orm";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, giveWay } from "~/modules/core/commands/outbox.server";
import { jobIsLeased, postponeJob, runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { beginHealthRun } from "~/modules/payees/payee-health/health.server";
import { PLATFORM_ORGANIZATION_ID, systemActor, type WriteServices } from "~/services-and-actor";
import { type BsbUpload, findUpload, listOwners, type Owner } from "./load-directory.server";

/** How many organisations one batch handles, and how long one delivery may run. */
const OWNERS_PER_STEP = 25;
const WORK_MS = 10_000;

/**
 * Adds an entry to the audit trail of each organisation whose payees' BSBs were closed or merged, from which alerts
 * tell its people, and starts a new health report. A step that runs twice tells each organisation once.
 */
export async function tellOwners(services: WriteServices, job: Job): Promise<void> {
  const until = services.clock.now() + WORK_MS;
  for (;;) {
    const upload = await findUpload(services, job.subjectId ?? "");
    const owners = upload ? await listOwners(services, upload, OWNERS_PER_STEP) : [];
    if (!upload || owners.length === 0) return finishJob(services, job);
    if (services.clock.now() >= until) {
      const again = postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 });
      await runStep(services, { conditions: [jobIsLeased(services, job)], statements: [again], woken: [job] });
      return;
    }
    await giveWay();
    if (!(await tellStep(services, job, upload, owners))) return;
  }
}

async function tellStep(services: WriteServices, job: Job, upload: BsbUpload, owners: readonly Owner[]) {
  const { db, ids } = services;
  const here = and(eq(bsbUploads.id, upload.id), eq(bsbUploads.toldTo, upload.toldTo));
  const { ok } = await runCommand(services, systemActor(PLATFORM_ORGANIZATION_ID, ids.next()), {
    conditions: [{ name: "told_already", found: rowIn(db, bsbUploads).where(here) }, jobIsLeased(services, job)],
    statements: [
      db
        .update(bsbUploads)
        .set({ toldTo: owners.at(-1)?.organizationId ?? upload.toldTo })
        .where(here),
    ],
    parts: owners.map(({ organizationId }) => beginHealthRun(services, organizationId)),
    audit: owners.map(({ organizationId, payees }) => ({
      organizationId,
      action: "payee.bsbs_ended" as const,
      entityType: "organization" as const,
      entityId: organizationId,
      details: { payees, fileName: upload.fileName },
    })),
  });
  return ok;
}
