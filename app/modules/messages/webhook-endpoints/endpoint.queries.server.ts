import { keySetPage } from "@db/key-set-page";
import { webhookDeliveries, webhookEndpoints } from "@db/schema";
import { and, asc, eq, sql } from "drizzle-orm";
import { notFound } from "~/kernel/app-error";
import type { ReadServices } from "~/services";

export const LOG_PAGE_SIZE = 25;

type Asking = { organizationId: string };

/** An organisation's endpoints, the oldest first; secrets stay sealed. */
export const listEndpoints = ({ db }: ReadServices, { organizationId }: Asking) =>
  db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.organizationId, organizationId))
    .orderBy(asc(webhookEndpoints.id));

export type Endpoint = Awaited<ReturnType<typeof listEndpoints>>[number];

/** @throws AppError 404 */
export async function getEndpoint({ db }: ReadServices, { organizationId }: Asking, id: string): Promise<Endpoint> {
  const [row] = await db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.organizationId, organizationId), eq(webhookEndpoints.id, id)));
  if (!row) throw notFound();
  return row;
}

/** A page of an endpoint's log, the newest first. */
export async function listDeliveries(
  { db }: ReadServices,
  { organizationId }: Asking,
  { endpointId, after }: { endpointId: string; after?: string },
) {
  const page = keySetPage({ after }, { size: LOG_PAGE_SIZE });
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.organizationId, organizationId),
        eq(webhookDeliveries.endpointId, endpointId),
        page.beyond(webhookDeliveries.id),
      ),
    )
    .orderBy(page.order(webhookDeliveries.id))
    .limit(page.limit);
  return page.cut(rows, (row) => row.id);
}

/** A delivery with its endpoint; undefined when either is gone. */
export async function findDelivery({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints })
    .from(webhookDeliveries)
    .innerJoin(
      webhookEndpoints,
      and(eq(webhookEndpoints.organizationId, organizationId), eq(webhookEndpoints.id, webhookDeliveries.endpointId)),
    )
    .where(and(eq(webhookDeliveries.organizationId, organizationId), eq(webhookDeliveries.id, id)));
  return row;
}

/** The active endpoints of these organisations. */
export const listActiveEndpoints = ({ db }: ReadServices, organizationIds: readonly string[]) =>
  db
    .select({
      id: webhookEndpoints.id,
      organizationId: webhookEndpoints.organizationId,
      events: webhookEndpoints.events,
      activeSince: webhookEndpoints.activeSince,
    })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.status, "active"),
        sql`${webhookEndpoints.organizationId} IN (SELECT value FROM json_each(${JSON.stringify(organizationIds)}))`,
      ),
    );

/** Whether any organisation is to be told of anything. */
export async function hasActiveEndpoints({ db }: ReadServices): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.status, "active"))
    .limit(1);
  return rows.length > 0;
}
