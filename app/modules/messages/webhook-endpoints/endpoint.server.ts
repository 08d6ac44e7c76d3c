import {
  auditLogs,
  columnsOf,
  rowIn,
  type Statement,
  trailCursors,
  webhookDeliveries,
  webhookEndpoints,
} from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, asc, eq, ne, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { isId } from "~/kernel/ids";
import type { AuditAction, EntryOf } from "~/modules/core/audit/audit";
import { type NewJob, runCommand } from "~/modules/core/commands/run-command.server";
import type { EncryptedColumn } from "~/modules/core/operations/reencrypt-columns.server";
import type { TrailReaderName } from "~/modules/core/trail-reading.server";
import type { Actor, Asking, ReadServices, Services, WriteServices } from "~/services-and-actor";
import { TEST_EVENT, testPayload, WEBHOOK_EVENT_NAMES, type WebhookEventName } from "./webhook-event";

/** The addresses that an organisation may use as endpoints. Pure. */

const MAX_LENGTH = 500;
const PORTS = new Set(["", "8443"]);
/** Domain names that the public internet does not have: RFC 6761, RFC 6762, RFC 8375, common private networks. */
const PRIVATE_ENDINGS = /\.(local|localhost|internal|intranet|lan|home|corp|home\.arpa|test|invalid|onion)$/;
const IS_ADDRESS = /^(\[.*\]|\d{1,3}(\.\d{1,3}){3})$/;

/**
 * Parses a typed address: https on its default port or 8443, a public domain name, no user and no fragment. Refuses
 * private network names and bare IP addresses; what a name resolves to is checked when an event is sent.
 */
export function readEndpointUrl(text: string): { url: string } | { problem: string } {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return { problem: "Enter a full address, such as https://hooks.example.com/payeeproof" };
  }
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  if (url.protocol !== "https:") return { problem: "The address has to begin with https://" };
  if (url.username || url.password) return { problem: "The address must not contain a user name or a password" };
  if (!PORTS.has(url.port)) return { problem: "Use the https port (443), or 8443" };
  if (IS_ADDRESS.test(host)) return { problem: "Use a domain name, not an IP address, such as hooks.example.com" };
  if (!host.includes(".") || PRIVATE_ENDINGS.test(`.${host}`)) {
    return { problem: "This name is not on the public internet" };
  }
  url.hash = "";
  return url.href.length > MAX_LENGTH
    ? { problem: `The address has at most ${MAX_LENGTH} characters` }
    : { url: url.href };
}

const NO_URL = "Enter the address";
const NO_EVENT = "Choose at least one event";

const url = z.string({ error: NO_URL }).transform((text, context) => {
  const read = readEndpointUrl(text);
  if ("url" in read) return read.url;
  context.addIssue({ code: "custom", message: text.trim() === "" ? NO_URL : read.problem });
  return z.NEVER;
});

const events = z
  .array(z.enum(WEBHOOK_EVENT_NAMES, { error: NO_EVENT }), { error: NO_EVENT })
  .min(1, { error: NO_EVENT })
  .max(WEBHOOK_EVENT_NAMES.length, { error: NO_EVENT })
  .transform((names) => [...new Set(names)]);

export const newEndpointSchema = z.object({ url, events });
export const endpointEventsSchema = z.object({ events });

/** The API body for changing an endpoint: its events, and whether it is active. */
export const endpointChangeSchema = z
  .object({ events: events.optional(), active: z.boolean("Send true or false").optional() })
  .refine((change) => change.events !== undefined || change.active !== undefined, {
    error: "Send events, active, or both",
    path: ["events"],
  });

/** `?cursor=` in the API. */
export const deliveriesSchema = z.object({
  cursor: z.string().refine(isId, "Send the nextCursor of the previous answer, or leave it out").optional(),
});

/** `?after=` in the log; anything that is not an id means the start. */
export const readLogCursor = (params: URLSearchParams): string | undefined => {
  const after = params.get("after") ?? "";
  return isId(after) ? after : undefined;
};

export const LOG_PAGE_SIZE = 25;

/** An organisation's endpoints, oldest first; secrets stay encrypted. */
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

/** One page of an endpoint's log, newest first. */
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

/** A delivery with its endpoint; undefined when either no longer exists. */
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
    .select(columnsOf(webhookEndpoints, "id", "organizationId", "events", "activeSince"))
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.status, "active"),
        sql`${webhookEndpoints.organizationId} IN (SELECT value FROM json_each(${JSON.stringify(organizationIds)}))`,
      ),
    );

/** True if any organisation has an active endpoint. */
export async function hasActiveEndpoints({ db }: ReadServices): Promise<boolean> {
  const rows = await rowIn(db, webhookEndpoints).where(eq(webhookEndpoints.status, "active")).limit(1);
  return rows.length > 0;
}

type Writing = Pick<Services, "db" | "clock" | "ids">;

export const isEndpoint = (organizationId: string, id: string) =>
  and(eq(webhookEndpoints.organizationId, organizationId), eq(webhookEndpoints.id, id));

/**
 * Moves the trail's cursor to the end before the first endpoint becomes active, because nobody read the trail
 * meanwhile. Must come before the statement that activates it.
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

/** The rows are passed as one JSON list, because D1 binds at most 100 parameters. */
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

export const MAX_ENDPOINTS = 10;
/** How long the former secret keeps signing beside the new one, unless it is ended earlier. */
export const FORMER_SECRET_MS = 7 * DAY_MS;

/**
 * Adds an endpoint. This answer is the only time its secret is shown.
 * @throws AppError 409 TOO_MANY_ENDPOINTS
 */
export async function addEndpoint(
  services: WriteServices,
  actor: Actor,
  { url, events }: { url: string; events: WebhookEventName[] },
): Promise<{ id: string; secret: string }> {
  const { db, clock, ids, secrets } = services;
  const { organizationId } = actor;
  const [id, secret, now] = [ids.next(), newSecret(), clock.now()];
  const many = rowIn(db, webhookEndpoints)
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
    audit: [{ ...about(id), action: "webhook.created", details: { url, events } }],
  });
  if (!ok) throw new AppError("TOO_MANY_ENDPOINTS", `An organisation has at most ${MAX_ENDPOINTS} endpoints.`);
  return { id, secret };
}

/** Chooses an endpoint's events. @throws AppError 404 */
export async function chooseEvents(services: WriteServices, actor: Actor, id: string, events: WebhookEventName[]) {
  await change(services, actor, id, ({ url }) => ({
    set: { events },
    action: "webhook.changed",
    details: { url, events },
  }));
}

/** Pauses or resumes an endpoint: it is told of events from now on; missed ones can be resent. @throws AppError 404 */
export async function setEndpointActive(services: WriteServices, actor: Actor, id: string, active: boolean) {
  const now = services.clock.now();
  await change(services, actor, id, (endpoint) => {
    const to = active ? ("active" as const) : ("paused" as const);
    return {
      before: active ? [skipUnreadTrail(services)] : [],
      set: active ? { status: to, activeSince: now } : { status: to },
      action: "webhook.changed",
      details: { url: endpoint.url, status: { from: endpoint.status, to } },
    };
  });
}

/** Makes a new secret; the former one signs for another week. @returns the secret, shown once @throws AppError 404 */
export async function renewSecret(services: WriteServices, actor: Actor, id: string): Promise<string> {
  const secret = newSecret();
  const sealedSecret = await services.secrets.seal(secret, id);
  const formerUntil = services.clock.now() + FORMER_SECRET_MS;
  await change(services, actor, id, (endpoint) => ({
    set: { sealedSecret, formerSealedSecret: endpoint.sealedSecret, formerUntil },
    action: "webhook.secret_renewed",
    details: { url: endpoint.url },
  }));
  return secret;
}

/** Ends the former secret at once. @throws AppError 404 */
export async function endFormerSecret(services: WriteServices, actor: Actor, id: string) {
  await change(services, actor, id, ({ url }) => ({
    set: { formerSealedSecret: null, formerUntil: null },
    action: "webhook.former_secret_ended",
    details: { url },
  }));
}

/** Deletes an endpoint and its log. @throws AppError 404 */
export async function removeEndpoint(services: WriteServices, actor: Actor, id: string): Promise<void> {
  const endpoint = await getEndpoint(services, actor, id);
  const { organizationId } = actor;
  await runCommand(services, actor, {
    statements: [services.db.delete(webhookEndpoints).where(isEndpoint(organizationId, id))],
    audit: [{ ...about(id), action: "webhook.removed", details: { url: endpoint.url } }],
  });
}

/** Sends a test event, even to a paused endpoint; it is attempted once. @throws AppError 404 */
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
    audit: [{ ...about(id), action: "webhook.tested", details: { url: endpoint.url } }],
    jobs: [jobOf(services, delivery)],
  });
}

/** Sends a finished delivery again, same id; a failed one starts over. @throws AppError 404; 409 ENDPOINT_NOT_ACTIVE */
export async function resendDelivery(services: WriteServices, actor: Actor, deliveryId: string): Promise<void> {
  const found = await findDelivery(services, actor, deliveryId);
  if (!found) throw notFound();
  const { delivery, endpoint } = found;
  if (endpoint.status !== "active" && delivery.eventType !== TEST_EVENT) {
    throw new AppError("ENDPOINT_NOT_ACTIVE", "This endpoint is not active. Switch it on first.");
  }
  const { db, clock } = services;
  const mine = and(
    eq(webhookDeliveries.organizationId, actor.organizationId),
    eq(webhookDeliveries.id, deliveryId),
    ne(webhookDeliveries.status, "pending"),
  );
  const { ok } = await runCommand(services, actor, {
    conditions: [{ name: "pending", found: rowIn(db, webhookDeliveries).where(mine) }],
    statements: [
      db.update(webhookDeliveries).set({ status: "pending", attempts: 0, nextAttemptAt: clock.now() }).where(mine),
    ],
    audit: [
      {
        ...about(endpoint.id),
        action: "webhook.resent",
        details: { url: endpoint.url, event: delivery.eventType, eventId: delivery.eventId },
      },
    ],
    jobs: [jobOf(services, delivery)],
  });
  if (!ok) throw new AppError("DELIVERY_PENDING", "This event is already on its way.");
}

type Change = EntryOf<Extract<AuditAction, `webhook.${string}`>> & {
  set: Partial<typeof webhookEndpoints.$inferInsert>;
  before?: readonly Statement[];
};

async function change(services: WriteServices, actor: Actor, id: string, decide: (endpoint: Endpoint) => Change) {
  const endpoint = await getEndpoint(services, actor, id);
  const { set, before = [], ...entry } = decide(endpoint);
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
    audit: [{ ...about(id), ...entry }],
  });
}

const about = (id: string) => ({ entityType: "webhook_endpoint", entityId: id }) as const;

const SECRET_BYTES = 32;

const PREFIX = "whsec_";

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** A new secret: "whsec_" and 32 random bytes in base64. Source: Standard Webhooks, section "Secret Key". */
const newSecret = (): string => PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

async function signatureOf(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.slice(PREFIX.length)), (letter) => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)))}`;
}

/**
 * The headers of a delivery according to Standard Webhooks (standardwebhooks.com): HMAC-SHA-256 of `id.timestamp.body`
 * with every active secret, so that a receiver can switch at any time.
 */
export async function signedHeaders(
  secrets: readonly string[],
  { eventId, body, nowMs }: { eventId: string; body: string; nowMs: number },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signed = new TextEncoder().encode(`${eventId}.${timestamp}.${body}`);
  const signatures = await Promise.all(secrets.map((secret) => signatureOf(secret, signed)));
  return {
    "content-type": "application/json",
    "user-agent": "PayeeProof-Webhooks/1",
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

/** The stored signing secrets of endpoints, for re-encryption with a new key. */
export const sealedEndpointSecrets: readonly EncryptedColumn[] = [
  webhookEndpoints.sealedSecret,
  webhookEndpoints.formerSealedSecret,
].map((column) => ({ table: webhookEndpoints, column, key: [webhookEndpoints.id], contextOf: (id: string) => id }));
