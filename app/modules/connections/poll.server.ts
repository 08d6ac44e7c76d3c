import { organizationIntegrations } from "@db/schema";
import { and, asc, eq, lte } from "drizzle-orm";
import { isActiveOrganization } from "~/modules/accounts/organizations/organization.server";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import {
  askForSync,
  type Integration,
  integrationIsUnchanged,
  listApprovedSince,
  noSyncIsWanted,
  POLL_MS,
  syncJob,
  updateIntegration,
} from "./integration.server";

/** Connections that one run looks at; the next takes the rest. */
const MAX_PER_RUN = 200;
/** Verifications of one connection that one run looks at. */
const MAX_NOTES = 100;

type Due = Pick<Integration, "id" | "organizationId" | "notedTo" | "version">;

/**
 * Asks for the syncs that are due: of systems without webhooks, of events that were lost, and of syncs that had given up.
 * A suspended organisation's wait until it is active again. Also queues the notes that are due there.
 * @returns how many were asked for
 */
export async function pollAccounting(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const due: Due[] = await db
    .select({
      id: organizationIntegrations.id,
      organizationId: organizationIntegrations.organizationId,
      notedTo: organizationIntegrations.notedTo,
      version: organizationIntegrations.version,
    })
    .from(organizationIntegrations)
    .where(and(eq(organizationIntegrations.status, "connected"), lte(organizationIntegrations.nextPollAt, clock.now())))
    .orderBy(asc(organizationIntegrations.nextPollAt))
    .limit(MAX_PER_RUN);
  let asked = 0;
  for (const integration of due) if (await askOne(services, integration)) asked += 1;
  return asked;
}

async function askOne(services: WriteServices, integration: Due): Promise<boolean> {
  if (!(await isActiveOrganization(services, integration.organizationId))) {
    const later = updateIntegration(services, integration, { nextPollAt: services.clock.now() + POLL_MS });
    await runStep(services, { conditions: [integrationIsUnchanged(services, integration)], statements: [later] });
    return false;
  }
  await queueNotes(services, integration);
  const { ok } = await runStep(services, {
    conditions: [noSyncIsWanted(services, integration)],
    statements: [askForSync(services, integration)],
    jobs: [syncJob(services, integration)],
  });
  return ok;
}

/**
 * One job for each verification that was approved since the last run, in the batch that moves on the position in the trail.
 * Nothing where no notes are wanted.
 */
async function queueNotes(services: WriteServices, integration: Due): Promise<void> {
  const { organizationId, notedTo } = integration;
  if (notedTo === null) return;
  const approved = await listApprovedSince(services, integration, { position: notedTo, limit: MAX_NOTES });
  const last = approved.at(-1);
  if (!last) return;
  await runStep(services, {
    conditions: [integrationIsUnchanged(services, integration)],
    statements: [updateIntegration(services, integration, { notedTo: last.position })],
    jobs: approved.map(({ verificationId }) => ({
      id: services.ids.next(),
      kind: "accounting_note" as const,
      organizationId,
      subjectId: verificationId,
    })),
  });
}
