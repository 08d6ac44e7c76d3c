import type { Statement } from "@db/client";
import { auditLogs, trailCursors, webhookDeliveries, webhookEndpoints } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import type { TrailReaderName } from "~/modules/core/trail-reading.queries.server";
import type { ReadServices, Services } from "~/services";

type Writing = Pick<Services, "db" | "clock" | "ids">;

export const isEndpoint = (organizationId: string, id: string) =>
  and(eq(webhookEndpoints.organizationId, organizationId), eq(webhookEndpoints.id, id));

/**
 * Before the first endpoint becomes active: reading goes on from the end of the trail, because nobody read it meanwhile.
 * Stands before the statement that makes it active.
 */
export function skipUnreadTrail({ db }: ReadServices): Statement {
  return db
    .update(trailCursors)
    .set({ position: sql`(SELECT coalesce(max(${auditLogs.position}), 0) FROM ${auditLogs})` })
    .where(
      and(
        eq(trailCursors.name, "webhooks" satisfies TrailReaderName),
        sql`NOT EXISTS (SELECT 1 FROM ${webhookEndpoints} WHERE ${webhookEndpoints.status} = 'active')`,
      ),
    );
}

export type NewDelivery = Pick<
  typeof webhookDeliveries.$inferInsert,
  "id" | "organizationId" | "endpointId" | "eventId" | "eventType" | "payload"
>;

/** One statement however many rows there are: D1 binds at most 100 parameters. */
export function insertDeliveries({ db, clock }: Writing, rows: readonly NewDelivery[]): Statement {
  return db.insert(webhookDeliveries).select(
    sql`SELECT value ->> 'id', value ->> 'organizationId', value ->> 'endpointId', value ->> 'eventId',
      value ->> 'eventType', value ->> 'payload', 'pending', 0, NULL, ${clock.now()}, NULL, NULL, NULL, NULL,
      ${clock.now()} FROM json_each(${JSON.stringify(rows)})`,
  );
}

export const jobOf = ({ ids }: Pick<Services, "ids">, delivery: { id: string; organizationId: string }): NewJob => ({
  id: ids.next(),
  kind: "webhook",
  organizationId: delivery.organizationId,
  subjectId: delivery.id,
});
