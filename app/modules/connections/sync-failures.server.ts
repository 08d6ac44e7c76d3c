import type { ConnectableSystem } from "~/kernel/accounting-system";
import { systemActor } from "~/kernel/actor";
import { MINUTE_MS } from "~/kernel/dates";
import type { UpstreamError } from "~/kernel/upstream-error";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, moveJob } from "~/modules/core/commands/outbox.server";
import { endJob, jobIsLeased } from "~/modules/core/commands/outbox.statements.server";
import { runCommand, runStep } from "~/modules/core/commands/run-command.server";
import type { AccessLost } from "~/ports/accounting";
import {
  findIntegrationById,
  type Integration,
  integrationIsUnchanged,
  POLL_MS,
  updateIntegration,
} from "./integration.server";
import { failureSentence, lostSentence } from "./sync";
import { type Accounting, systemOf } from "./tokens.server";

/** The endings of a sync that could not continue. */

export type Reading = { integration: Integration; system: ConnectableSystem };

/** Access has ended permanently, so a person must connect again. The audit entry causes an alert to the admins. */
export async function breakOff(services: Accounting, job: Job, { integration, system }: Reading, error: AccessLost) {
  const now = services.clock.now();
  const lastError = lostSentence(system, error.reason);
  const { ok } = await runCommand(services, systemActor(integration.organizationId, job.id), {
    conditions: [integrationIsUnchanged(services, integration), jobIsLeased(services, job)],
    statements: [
      updateIntegration(services, integration, { status: "broken", wantedAt: null, lastError, lastErrorAt: now }),
      endJob(services, job, "failed", error.message),
    ],
    audit: [
      {
        entityType: "integration",
        entityId: integration.id,
        action: "integration.broken",
        details: { system, reason: error.reason, problem: lastError },
      },
    ],
    answer: undefined,
  });
  if (!ok) throw new Error("the connection changed while its access was lost");
}

/** Waiting because the system asked for it is not an error, so it uses up no attempts. */
export async function waitAsAsked(
  services: Accounting,
  job: Job,
  { integration, system }: Reading,
  error: UpstreamError,
) {
  const now = services.clock.now();
  const lastError = failureSentence(system, error);
  const dueAt = now + (error.options.retryAfterMs ?? MINUTE_MS);
  await moveJob(services, job, { dueAt, attempts: job.attempts, error: error.message }, [
    updateIntegration(services, integration, { lastError, lastErrorAt: now }),
  ]);
}

/** After the last attempt failed: the page says why, and the next poll continues where the sync stopped. */
export async function giveUpSync(services: Accounting, job: Job, error: string): Promise<void> {
  const { organizationId, subjectId } = job;
  const found =
    organizationId && subjectId ? await findIntegrationById(services, { organizationId }, subjectId) : undefined;
  const system = found && systemOf(services, found)?.name;
  if (!found || !system || found.status !== "connected") return finishJob(services, job, "failed", error);
  const now = services.clock.now();
  const lastError = `${GAVE_UP[system]} It is tried again within half an hour.`;
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [
      updateIntegration(services, found, { wantedAt: null, lastError, lastErrorAt: now, nextPollAt: now + POLL_MS }),
      endJob(services, job, "failed", error),
    ],
  });
}

const GAVE_UP: Readonly<Record<ConnectableSystem, string>> = {
  xero: "Suppliers or bills could not be read from Xero after several tries.",
  myob: "Suppliers or bills could not be read from MYOB after several tries.",
};
