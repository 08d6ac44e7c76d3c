import * as z from "zod";
import { check } from "~/http/body.server";
import { CONNECTABLE_SYSTEMS, type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import { notFound } from "~/kernel/app-error";
import { ENDPOINT_STATUSES, INTEGRATION_STATUSES, WEBHOOK_STATUSES } from "~/kernel/enums";
import { disconnectSystem, requestSync } from "~/modules/connections/connect.server";
import {
  findIntegration,
  type Integration,
  listIntegrations,
  syncCallSchema,
} from "~/modules/connections/integration.server";
import {
  addEndpoint,
  chooseEvents,
  deliveriesSchema,
  type Endpoint,
  endFormerSecret,
  endpointChangeSchema,
  getEndpoint,
  listDeliveries,
  listEndpoints,
  newEndpointSchema,
  removeEndpoint,
  renewSecret,
  resendDelivery,
  sendTestEvent,
  setEndpointActive,
} from "~/modules/messages/webhook-endpoints/endpoint.server";
import type { Actor, Services } from "~/services-and-actor";
import { count, cursor, EXAMPLE, endpoint, facts, flag, id, idOf, instant, nextCursor, text } from "./endpoint.server";

const integration = z.object({
  system: z.enum(CONNECTABLE_SYSTEMS),
  name: text("Xero"),
  status: z.enum([...INTEGRATION_STATUSES, "none"]),
  ledgerName: text("Harbour Joinery Pty Ltd", "The organisation or company file that is read.").nullable(),
  isReading: flag(false),
  lastSyncAt: instant.nullable(),
  lastError: text("Xero did not answer. The sync is tried again.").nullable(),
  writesNotes: flag(false, "Whether a note is written there when a verification is approved."),
});
const webhookEndpoint = z.object({
  id: id(EXAMPLE.endpoint),
  url: text("https://hooks.harbourjoinery.example/payeeproof"),
  status: z.enum(ENDPOINT_STATUSES),
  events: z.array(text("payment.held_again")),
  lastSuccessAt: instant.nullable(),
  formerSecretUntil: instant
    .nullable()
    .meta({ description: "Events are also signed with the former secret until this time." }),
  createdAt: instant,
});
const delivery = z.object({
  id: id(EXAMPLE.endedDelivery),
  eventId: text("evt_01a1f2c4-58aa-7d4f-8b31-e90c2f7d5a71", "The same for each try: use it to recognise repeats."),
  eventType: text("payment.held_again"),
  status: z.enum(WEBHOOK_STATUSES),
  attempts: count(1),
  answerStatus: count(200).nullable(),
  answerBody: text("ok").nullable(),
  problem: text("The answer was 500.").nullable(),
  payload: facts,
  lastAttemptAt: instant.nullable(),
  nextAttemptAt: instant.nullable(),
  createdAt: instant,
});
const secret = text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "The key that signs each event. It is shown once.");
const NEW_ENDPOINT = { url: "https://hooks.harbourjoinery.com.au/payeeproof", events: ["payment.held_again"] };
const bySystem = { system: z.enum(CONNECTABLE_SYSTEMS).meta({ description: "The accounting system." }) };
/** `none` if there was never a connection. */
function shownIntegration(system: ConnectableSystem, row: Integration | undefined) {
  const status = row?.status ?? ("none" as const);
  return {
    system,
    name: SYSTEM_NAMES[system],
    status,
    ledgerName: status === "connected" || status === "broken" ? (row?.ledgerName ?? null) : null,
    isReading: status === "connected" && (row?.wantedAt != null || row?.syncStartedAt != null),
    lastSyncAt: row?.lastSyncAt ?? null,
    lastError: row?.lastError ?? null,
    writesNotes: row?.notedTo != null,
  };
}

/** @throws AppError 404 for a system that is not configured here */
function requireOffered({ accounting }: Services, system: ConnectableSystem) {
  if (!accounting[system]) throw notFound();
}

/** An endpoint's secret is returned when it is created, and never again. */
const shownEndpoint = ({ clock }: Services, { formerUntil, ...row }: Endpoint) => ({
  ...row,
  formerSecretUntil: formerUntil !== null && formerUntil > clock.now() ? formerUntil : null,
});

const readOne = async (services: Services, actor: Actor, id: string) => ({
  endpoint: shownEndpoint(services, await getEndpoint(services, actor, id)),
});

const shownDelivery = (row: Awaited<ReturnType<typeof listDeliveries>>["rows"][number]) => ({
  ...row,
  payload: JSON.parse(row.payload) as Record<string, unknown>,
  nextAttemptAt: row.status === "pending" ? row.nextAttemptAt : null,
});

const one = z.object({ integration });
const byId = { id: idOf("endpoint", EXAMPLE.endpoint) };
const path = { id: EXAMPLE.endpoint };
const refusals = ["ADMIN_REQUIRED"] as const;
export const CONNECTION_CALLS = [
  endpoint({
    id: "listIntegrations",
    group: "connections",
    at: "GET /api/integrations",
    needs: "admin:read",
    by: "admin",
    title: "List accounting systems",
    text: "Every system that can be connected, with its state. A person connects one under Settings, Integrations.",
    answers: { 200: { text: "The systems.", schema: z.object({ integrations: z.array(integration) }) } },
    refusals,
    examples: [{ title: "All", status: 200 }],
    run: async ({ services, actor }) => {
      const rows = await listIntegrations(services, actor);
      const offered = CONNECTABLE_SYSTEMS.filter((system) => services.accounting[system]);
      const rowOf = (system: string) => rows.find((row) => row.system === system);
      return { integrations: offered.map((system) => shownIntegration(system, rowOf(system))) };
    },
  }),
  endpoint({
    id: "readIntegration",
    group: "connections",
    at: "GET /api/integrations/{system}",
    needs: "admin:read",
    by: "admin",
    title: "Read an accounting system",
    path: bySystem,
    answers: { 200: { text: "The system.", schema: one } },
    refusals,
    examples: [{ title: "Xero", status: 200, path: { system: "xero" } }],
    run: async ({ services, actor, path: { system } }) => {
      requireOffered(services, system);
      return { integration: shownIntegration(system, await findIntegration(services, actor, system)) };
    },
  }),
  endpoint({
    id: "syncIntegration",
    group: "connections",
    at: "POST /api/integrations/{system}/sync",
    needs: "admin:write",
    by: "admin",
    title: "Read an accounting system now",
    text: "Reads what changed there, or everything with `all`. Read the system to see its progress.",
    path: bySystem,
    body: syncCallSchema,
    answers: { 202: { text: "It is read as soon as possible.", schema: one } },
    refusals: [...refusals, "SUBSCRIPTION_REQUIRED", "CHANGED_MEANWHILE"],
    examples: [
      { title: "What changed", status: 202, path: { system: "xero" }, json: {} },
      { title: "A system that is not connected", status: 404, path: { system: "myob" }, json: { all: true } },
    ],
    run: async ({ services, actor, path: { system }, body: { all } }) => {
      requireOffered(services, system);
      await requestSync(services, actor, { system, all });
      return { integration: shownIntegration(system, await findIntegration(services, actor, system)) };
    },
  }),
  endpoint({
    id: "disconnectIntegration",
    group: "connections",
    at: "DELETE /api/integrations/{system}",
    by: "admin",
    title: "Disconnect an accounting system",
    text: "Payees and their history stay. `accessEnded` says whether our access ended there too: MYOB has no call for it, so remove PayeeProof there as well.",
    path: bySystem,
    answers: { 200: { text: "It is disconnected.", schema: z.object({ integration, accessEnded: flag(true) }) } },
    refusals: [...refusals, "CHANGED_MEANWHILE"],
    examples: [{ title: "Xero", status: 200, path: { system: "xero" } }],
    run: async ({ services, actor, path: { system } }) => {
      requireOffered(services, system);
      const accessEnded = await disconnectSystem(services, actor, system);
      return { integration: shownIntegration(system, await findIntegration(services, actor, system)), accessEnded };
    },
  }),
  endpoint({
    id: "listWebhookEndpoints",
    group: "connections",
    at: "GET /api/webhook-endpoints",
    needs: "admin:read",
    by: "admin",
    title: "List webhook endpoints",
    answers: { 200: { text: "All of them.", schema: z.object({ endpoints: z.array(webhookEndpoint) }) } },
    refusals,
    examples: [{ title: "All", status: 200 }],
    run: async ({ services, actor }) => {
      const endpoints = await listEndpoints(services, actor);
      return { endpoints: endpoints.map((row) => shownEndpoint(services, row)) };
    },
  }),
  endpoint({
    id: "addWebhookEndpoint",
    group: "connections",
    at: "POST /api/webhook-endpoints",
    needs: "admin:write",
    by: "admin",
    title: "Add a webhook endpoint",
    text: "The address must be https with a public host name. The answer contains the secret, which is not shown again.",
    body: newEndpointSchema,
    answers: { 201: { text: "The endpoint.", schema: z.object({ endpoint: webhookEndpoint, secret }) } },
    refusals: [...refusals, "TOO_MANY_ENDPOINTS"],
    examples: [
      { title: "Held payments", status: 201, json: NEW_ENDPOINT },
      { title: "A private address", status: 400, json: { ...NEW_ENDPOINT, url: "https://localhost/hook" } },
    ],
    run: async ({ services, actor, body }) => {
      const { id, secret } = await addEndpoint(services, actor, body);
      return { ...(await readOne(services, actor, id)), secret };
    },
  }),
  endpoint({
    id: "readWebhookEndpoint",
    group: "connections",
    at: "GET /api/webhook-endpoints/{id}",
    needs: "admin:read",
    by: "admin",
    title: "Read a webhook endpoint",
    path: byId,
    answers: { 200: { text: "The endpoint.", schema: z.object({ endpoint: webhookEndpoint }) } },
    refusals,
    examples: [{ title: "One endpoint", status: 200, path }],
    run: ({ services, actor, path }) => readOne(services, actor, path.id),
  }),
  endpoint({
    id: "changeWebhookEndpoint",
    group: "connections",
    at: "PATCH /api/webhook-endpoints/{id}",
    needs: "admin:write",
    by: "admin",
    title: "Change a webhook endpoint",
    text: "Changes its events, or pauses and resumes it. What happens while it is not active is not sent later.",
    path: byId,
    body: endpointChangeSchema,
    answers: { 200: { text: "The endpoint.", schema: z.object({ endpoint: webhookEndpoint }) } },
    refusals,
    examples: [
      { title: "Other events", status: 200, path, json: { events: ["payment.held_again", "payment.failed"] } },
      { title: "Pause it", status: 200, path, json: { active: false } },
      { title: "Without a change", status: 400, path, json: {} },
    ],
    run: async ({ services, actor, path: { id }, body: { events, active } }) => {
      if (events) await chooseEvents(services, actor, id, events);
      if (active !== undefined) await setEndpointActive(services, actor, id, active);
      return readOne(services, actor, id);
    },
  }),
  endpoint({
    id: "removeWebhookEndpoint",
    group: "connections",
    at: "DELETE /api/webhook-endpoints/{id}",
    needs: "admin:write",
    by: "admin",
    title: "Remove a webhook endpoint",
    text: "Removes its log too.",
    path: byId,
    answers: { 204: { text: "The endpoint is removed." } },
    refusals,
    examples: [{ title: "One endpoint", status: 204, path }],
    run: async ({ services, actor, path }) => {
      await removeEndpoint(services, actor, path.id);
      return undefined;
    },
  }),
  endpoint({
    id: "sendTestEvent",
    group: "connections",
    at: "POST /api/webhook-endpoints/{id}/test-event",
    needs: "admin:write",
    by: "admin",
    title: "Send a test event",
    text: "A paused endpoint gets it too. There is one attempt.",
    path: byId,
    answers: { 202: { text: "The event is on its way: its delivery shows the result." } },
    refusals,
    examples: [{ title: "One endpoint", status: 202, path }],
    run: async ({ services, actor, path }) => {
      await sendTestEvent(services, actor, path.id);
      return undefined;
    },
  }),
  endpoint({
    id: "renewWebhookSecret",
    group: "connections",
    at: "POST /api/webhook-endpoints/{id}/secret",
    by: "admin",
    title: "Make a new secret",
    text: "The former secret also signs for a week, or until you end it.",
    path: byId,
    answers: { 200: { text: "The new secret.", schema: z.object({ endpoint: webhookEndpoint, secret }) } },
    refusals,
    examples: [{ title: "One endpoint", status: 200, path }],
    run: async ({ services, actor, path: { id } }) => {
      const secret = await renewSecret(services, actor, id);
      return { ...(await readOne(services, actor, id)), secret };
    },
  }),
  endpoint({
    id: "endFormerWebhookSecret",
    group: "connections",
    at: "DELETE /api/webhook-endpoints/{id}/secret",
    by: "admin",
    title: "End the former secret",
    text: "From now on events are signed with the new secret only.",
    path: byId,
    answers: { 200: { text: "The endpoint.", schema: z.object({ endpoint: webhookEndpoint }) } },
    refusals,
    examples: [{ title: "One endpoint", status: 200, path }],
    run: async ({ services, actor, path: { id } }) => {
      await endFormerSecret(services, actor, id);
      return readOne(services, actor, id);
    },
  }),
  endpoint({
    id: "listWebhookDeliveries",
    group: "connections",
    at: "GET /api/webhook-endpoints/{id}/deliveries",
    needs: "admin:read",
    by: "admin",
    title: "List deliveries to an endpoint",
    text: "Newest first, 25 at a time, each with what was sent and the last answer.",
    path: byId,
    query: { cursor },
    answers: { 200: { text: "A page.", schema: z.object({ deliveries: z.array(delivery), nextCursor }) } },
    refusals: [...refusals, "INVALID_INPUT"],
    examples: [{ title: "The newest", status: 200, path }],
    run: async ({ services, actor, path, asked }) => {
      const { id: endpointId } = await getEndpoint(services, actor, path.id);
      const { cursor: after } = check(deliveriesSchema, Object.fromEntries(asked));
      const page = await listDeliveries(services, actor, { endpointId, after });
      return { deliveries: page.rows.map(shownDelivery), nextCursor: page.next ?? null };
    },
  }),
  endpoint({
    id: "resendWebhookDelivery",
    group: "connections",
    at: "POST /api/webhook-deliveries/{id}/resend",
    needs: "admin:write",
    by: "admin",
    title: "Send an event again",
    text: "The event keeps its id.",
    path: { id: idOf("delivery", EXAMPLE.endedDelivery) },
    answers: { 202: { text: "It is on its way again." } },
    refusals: [...refusals, "ENDPOINT_NOT_ACTIVE", "DELIVERY_PENDING"],
    examples: [{ title: "One that has ended", status: 202, path: { id: EXAMPLE.endedDelivery } }],
    run: async ({ services, actor, path }) => {
      await resendDelivery(services, actor, path.id);
      return undefined;
    },
  }),
];
