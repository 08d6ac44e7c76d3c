import { readTrailOn } from "~/modules/core/read-on.server";
import type { TrailEntry } from "~/modules/core/trail-entry";
import { readNewEntries } from "~/modules/core/trail-reading.server";
import type { WriteServices } from "~/services";
import { hasActiveEndpoints, insertDeliveries, jobOf, listActiveEndpoints, type NewDelivery } from "./endpoint.server";
import { eventPayload, TOLD_ACTIONS, webhookEventOf } from "./webhook-event";

/** What one run reads at most; the next goes on from there. */
const MAX_PAGES = 20;

/**
 * Queues what endpoints are to be told of the audit trail: each act one delivery for each endpoint.
 * @returns how many deliveries were queued
 */
export async function raiseWebhooks(services: WriteServices): Promise<number> {
  if (!(await hasActiveEndpoints(services))) return 0;
  return readTrailOn(services, {
    name: "webhooks",
    maxPages: MAX_PAGES,
    async readPage(position) {
      const { entries, ...read } = await readNewEntries(services, { position, actions: TOLD_ACTIONS });
      const rows = await deliveriesOf(services, entries);
      return {
        ...read,
        done: rows.length,
        statements: rows.length > 0 ? [insertDeliveries(services, rows)] : [],
        jobs: rows.map((row) => jobOf(services, row)),
      };
    },
  });
}

async function deliveriesOf(services: WriteServices, entries: readonly TrailEntry[]): Promise<NewDelivery[]> {
  const organizationIds = [...new Set(entries.map(({ organizationId }) => organizationId))];
  if (organizationIds.length === 0) return [];
  const endpoints = await listActiveEndpoints(services, organizationIds);
  return entries.flatMap((entry) => {
    const name = webhookEventOf(entry.action);
    if (!name) return [];
    const told = endpoints.filter(
      ({ organizationId, events, activeSince }) =>
        organizationId === entry.organizationId && events.includes(name) && activeSince <= entry.createdAt,
    );
    return told.map((endpoint) => ({
      id: services.ids.next(),
      organizationId: entry.organizationId,
      endpointId: endpoint.id,
      eventId: `evt_${entry.id}`,
      eventType: name,
      payload: eventPayload(name, entry),
    }));
  });
}
