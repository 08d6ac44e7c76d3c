import { releaseLease, takeLease } from "@db/lease";
import { trailCursors } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { MINUTE_MS } from "~/kernel/dates";
import type { TrailEntry } from "~/modules/alerts/events";
import { readNewEntries } from "~/modules/alerts/trail.queries.server";
import { runStep } from "~/modules/commands/run-command.server";
import type { WriteServices } from "~/services";
import { hasActiveEndpoints, listActiveEndpoints } from "./endpoint.queries.server";
import { insertDeliveries, jobOf, type NewDelivery, WEBHOOKS_CURSOR } from "./endpoint.statements.server";
import { eventPayload, TOLD_ACTIONS, webhookEventOf } from "./webhook-event";

const LEASE = "webhooks";
/** What one run reads at most; the next goes on from there. */
const MAX_PAGES = 20;

/**
 * Reads on in the audit trail and queues the events that endpoints are to be told of. Each page of the trail is one batch
 * together with the cursor, so every act becomes one delivery for each endpoint, whatever ended the run.
 * @returns how many deliveries were queued
 */
export async function raiseWebhooks(services: WriteServices): Promise<number> {
  const { db, clock, ids } = services;
  if (!(await hasActiveEndpoints(services))) return 0;
  const holder = ids.next();
  if (!(await takeLease(db, { name: LEASE, holder, now: clock.now(), ttlMs: MINUTE_MS }))) return 0;
  let raised = 0;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const read = await raiseNextPage(services);
      raised += read.raised;
      if (!read.hasMore) break;
    }
  } finally {
    await releaseLease(db, LEASE, holder);
  }
  return raised;
}

async function raiseNextPage(services: WriteServices): Promise<{ hasMore: boolean; raised: number }> {
  const { db } = services;
  const asked = { cursorName: WEBHOOKS_CURSOR, actions: TOLD_ACTIONS };
  const { position, entries, readTo, hasMore } = await readNewEntries(services, asked);
  if (readTo === position) return { hasMore: false, raised: 0 };
  const rows = await deliveriesOf(services, entries);
  const stillThere = db
    .select({ one: sql`1` })
    .from(trailCursors)
    .where(and(eq(trailCursors.name, WEBHOOKS_CURSOR), eq(trailCursors.position, position)));
  const { ok } = await runStep(services, {
    conditions: [{ name: "read_already", found: stillThere }],
    statements: [
      db.update(trailCursors).set({ position: readTo }).where(eq(trailCursors.name, WEBHOOKS_CURSOR)),
      ...(rows.length > 0 ? [insertDeliveries(services, rows)] : []),
    ],
    jobs: rows.map((row) => jobOf(services, row)),
  });
  return { hasMore, raised: ok ? rows.length : 0 };
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
