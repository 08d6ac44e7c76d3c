import { organizationIntegrations } from "@db/schema";
import { and, asc, eq, lte } from "drizzle-orm";
import { runStep } from "~/modules/commands/run-command.server";
import type { WriteServices } from "~/services";
import { askForSync, noSyncIsWanted, syncJob } from "./integration.statements.server";

/** Connections that one run looks at; the next takes the rest. */
const MAX_PER_RUN = 200;

/**
 * Asks for the syncs that are due: of systems without webhooks, of events that were lost, and of syncs that had given up.
 * @returns how many were asked for
 */
export async function pollAccounting(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const due = await db
    .select({ id: organizationIntegrations.id, organizationId: organizationIntegrations.organizationId })
    .from(organizationIntegrations)
    .where(and(eq(organizationIntegrations.status, "connected"), lte(organizationIntegrations.nextPollAt, clock.now())))
    .orderBy(asc(organizationIntegrations.nextPollAt))
    .limit(MAX_PER_RUN);
  let asked = 0;
  for (const integration of due) {
    const { ok } = await runStep(services, {
      conditions: [noSyncIsWanted(services, integration)],
      statements: [askForSync(services, integration)],
      jobs: [syncJob(services, integration)],
    });
    if (ok) asked += 1;
  }
  return asked;
}
