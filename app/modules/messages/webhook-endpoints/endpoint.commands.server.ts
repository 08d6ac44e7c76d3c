import type { Statement } from "@db/client";
import { webhookDeliveries, webhookEndpoints } from "@db/schema";
import { and, eq, ne, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError, notFound } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import type { AuditAction } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Services, WriteServices } from "~/services";
import { type Endpoint, findDelivery, getEndpoint } from "./endpoint.queries.server";
import { insertDeliveries, isEndpoint, jobOf, skipUnreadTrail } from "./endpoint.statements.server";
import { newSecret } from "./sign.server";
import { TEST_EVENT, testPayload, type WebhookEventName } from "./webhook-event";

type Sealing = WriteServices & Pick<Services, "secrets">;

/** Endpoints of one organisation. */
export const MAX_ENDPOINTS = 10;
/** How long the former secret signs beside the new one, unless it is ended before. */
export const FORMER_SECRET_MS = 7 * DAY_MS;

/**
 * Adds an endpoint. Its secret is answered here and never again.
 * @throws AppError 409 TOO_MANY_ENDPOINTS
 */
export async function addEndpoint(
  services: Sealing,
  actor: Actor,
  { url, events }: { url: string; events: WebhookEventName[] },
): Promise<{ id: string; secret: string }> {
  const { db, clock, ids, secrets } = services;
  const { organizationId } = actor;
  const [id, secret, now] = [ids.next(), newSecret(), clock.now()];
  const many = db
    .select({ one: sql`1` })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.organizationId, organizationId))
    .limit(1)
    .offset(MAX_ENDPOINTS - 1);
  const row = { id, organizationId, url, events, status: "active" as const, activeSince: now };
  const { ok } = await runCommand(services, actor, {
    conditions: [{ name: "too_many", found: sql`SELECT 1 WHERE NOT EXISTS ${many}` }],
    statements: [
      skipUnreadTrail(services),
      db
        .insert(webhookEndpoints)
        .values({ ...row, sealedSecret: await secrets.seal(secret, id), createdAt: now, updatedAt: now }),
    ],
    audit: [entryOf("webhook.created", row, { events })],
    answer: undefined,
  });
  if (!ok) throw new AppError("TOO_MANY_ENDPOINTS", 409, `An organisation has at most ${MAX_ENDPOINTS} endpoints.`);
  return { id, secret };
}

/** Chooses what an endpoint is told of. @throws AppError 404 */
export async function chooseEvents(services: WriteServices, actor: Actor, id: string, events: WebhookEventName[]) {
  await change(services, actor, id, () => ({ set: { events }, action: "webhook.changed", details: { events } }));
}

/**
 * Pauses an endpoint, or tells it of events again: of those from now on, what was missed can be sent one by one.
 * @throws AppError 404
 */
export async function setEndpointActive(services: WriteServices, actor: Actor, id: string, active: boolean) {
  const now = services.clock.now();
  await change(services, actor, id, (endpoint) => {
    const to = active ? ("active" as const) : ("paused" as const);
    return {
      before: active ? [skipUnreadTrail(services)] : [],
      set: active ? { status: to, activeSince: now } : { status: to },
      action: "webhook.changed",
      details: { status: { from: endpoint.status, to } },
    };
  });
}

/** A new secret; the one before signs too for a week. @returns the secret, shown once @throws AppError 404 */
export async function renewSecret(services: Sealing, actor: Actor, id: string): Promise<string> {
  const secret = newSecret();
  const sealedSecret = await services.secrets.seal(secret, id);
  const formerUntil = services.clock.now() + FORMER_SECRET_MS;
  await change(services, actor, id, (endpoint) => ({
    set: { sealedSecret, formerSealedSecret: endpoint.sealedSecret, formerUntil },
    action: "webhook.secret_renewed",
  }));
  return secret;
}

/** Ends the former secret at once. @throws AppError 404 */
export async function endFormerSecret(services: WriteServices, actor: Actor, id: string) {
  await change(services, actor, id, () => ({
    set: { formerSealedSecret: null, formerUntil: null },
    action: "webhook.former_secret_ended",
  }));
}

/** Removes an endpoint with its log. @throws AppError 404 */
export async function removeEndpoint(services: WriteServices, actor: Actor, id: string): Promise<void> {
  const endpoint = await getEndpoint(services, actor, id);
  const { organizationId } = actor;
  await runCommand(services, actor, {
    statements: [services.db.delete(webhookEndpoints).where(isEndpoint(organizationId, id))],
    audit: [entryOf("webhook.removed", endpoint)],
    answer: undefined,
  });
}

/** Sends a test event, also to an endpoint that is paused; it is tried once. @throws AppError 404 */
export async function sendTestEvent(services: WriteServices, actor: Actor, id: string): Promise<void> {
  const { ids, clock } = services;
  const endpoint = await getEndpoint(services, actor, id);
  const delivery = {
    id: ids.next(),
    organizationId: actor.organizationId,
    endpointId: id,
    eventId: `evt_${ids.next()}`,
    eventType: TEST_EVENT,
    payload: testPayload(actor.organizationId, clock.now()),
  };
  await runCommand(services, actor, {
    statements: [insertDeliveries(services, [delivery])],
    audit: [entryOf("webhook.tested", endpoint)],
    jobs: [jobOf(services, delivery)],
    answer: undefined,
  });
}

/**
 * Sends an event again that has ended, under its own id: from the first try on where it failed.
 * @throws AppError 404; 409 ENDPOINT_NOT_ACTIVE, DELIVERY_PENDING
 */
export async function resendDelivery(services: WriteServices, actor: Actor, deliveryId: string): Promise<void> {
  const found = await findDelivery(services, actor, deliveryId);
  if (!found) throw notFound();
  const { delivery, endpoint } = found;
  if (endpoint.status !== "active" && delivery.eventType !== TEST_EVENT) {
    throw new AppError("ENDPOINT_NOT_ACTIVE", 409, "This endpoint is not active. Switch it on first.");
  }
  const { db, clock } = services;
  const mine = and(
    eq(webhookDeliveries.organizationId, actor.organizationId),
    eq(webhookDeliveries.id, deliveryId),
    ne(webhookDeliveries.status, "pending"),
  );
  const { ok } = await runCommand(services, actor, {
    conditions: [{ name: "pending", found: db.select({ one: sql`1` }).from(webhookDeliveries).where(mine) }],
    statements: [
      db.update(webhookDeliveries).set({ status: "pending", attempts: 0, nextAttemptAt: clock.now() }).where(mine),
    ],
    audit: [entryOf("webhook.resent", endpoint, { event: delivery.eventType, eventId: delivery.eventId })],
    jobs: [jobOf(services, delivery)],
    answer: undefined,
  });
  if (!ok) throw new AppError("DELIVERY_PENDING", 409, "This event is on its way already.");
}

type Change = {
  set: Partial<typeof webhookEndpoints.$inferInsert>;
  action: AuditAction;
  details?: Record<string, unknown>;
  before?: readonly Statement[];
};

async function change(services: WriteServices, actor: Actor, id: string, decide: (endpoint: Endpoint) => Change) {
  const endpoint = await getEndpoint(services, actor, id);
  const { set, action, details, before = [] } = decide(endpoint);
  const { db, clock } = services;
  const mine = isEndpoint(actor.organizationId, id);
  await runCommand(services, actor, {
    statements: [
      ...before,
      db
        .update(webhookEndpoints)
        .set({ ...set, updatedAt: clock.now() })
        .where(mine),
    ],
    audit: [entryOf(action, endpoint, details)],
    answer: undefined,
  });
}

const entryOf = (
  action: AuditAction,
  { id, url }: Pick<Endpoint, "id" | "url">,
  details: Record<string, unknown> = {},
) => ({ action, entityType: "webhook_endpoint", entityId: id, details: { url, ...details } }) as const;
