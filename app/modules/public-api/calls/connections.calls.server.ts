import * as z from "zod";
import { CONNECTABLE_SYSTEMS } from "~/kernel/accounting-system";
import { ENDPOINT_STATUSES, INTEGRATION_STATUSES, WEBHOOK_STATUSES } from "~/kernel/enums";
import type { toIntegrationJson } from "~/modules/connections/integration.json";
import { syncCallSchema } from "~/modules/connections/integration.server";
import { endpointChangeSchema, newEndpointSchema } from "~/modules/messages/webhook-endpoints/endpoint.server";
import type { toDeliveryJson, toEndpointJson } from "~/modules/messages/webhook-endpoints/endpoint.view";
import { count, describes, facts, flag, id, instant, nextCursor, text } from "../answers/fields.server";
import type { Call, Parameter } from "../call";
import { EXAMPLE } from "../example-ids";
import { cursor, idOf } from "./parameters.server";

/** Accounting systems that are connected, and endpoints of the organisation's own systems. For admins. */

const integration = describes<ReturnType<typeof toIntegrationJson>>()(
  z.object({
    system: z.enum(CONNECTABLE_SYSTEMS),
    name: text("Xero"),
    status: z.enum([...INTEGRATION_STATUSES, "none"]),
    ledgerName: text("Harbour Joinery Pty Ltd", "The organisation or company file that is read.").nullable(),
    isReading: flag(false),
    lastSyncAt: instant.nullable(),
    lastError: text("Xero did not answer. The sync is tried again.").nullable(),
    writesNotes: flag(false, "Whether approved verifications are noted there."),
  }),
);

const endpoint = describes<ReturnType<typeof toEndpointJson>>()(
  z.object({
    id: id(EXAMPLE.endpoint),
    url: text("https://hooks.harbourjoinery.example/payeeproof"),
    status: z.enum(ENDPOINT_STATUSES),
    events: z.array(text("payment.held_again")),
    lastSuccessAt: instant.nullable(),
    formerSecretUntil: instant.nullable().meta({ description: "Until when the secret before signs too." }),
    createdAt: instant,
  }),
);

const delivery = describes<ReturnType<typeof toDeliveryJson>>()(
  z.object({
    id: id(EXAMPLE.endedDelivery),
    eventId: text("evt_01a1f2c4-58aa-7d4f-8b31-e90c2f7d5a71", "The same for each try: tell repeats by it."),
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
  }),
);

const secret = text("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "Signs what is sent. It is answered once.");
const system: Parameter = { name: "system", text: "The accounting system.", schema: z.enum(CONNECTABLE_SYSTEMS) };
const one = z.object({ integration });
const ofEndpoint = [idOf("endpoint", EXAMPLE.endpoint)];
const path = { id: EXAMPLE.endpoint };
const refusals = ["ADMIN_REQUIRED"] as const;

const INTEGRATION_CALLS: readonly Call[] = [
  {
    id: "listIntegrations",
    group: "connections",
    method: "GET",
    path: "integrations",
    title: "List accounting systems",
    text: "Every system that can be connected, with its state. A person connects one under Settings, Integrations.",
    answers: [{ status: 200, text: "The systems.", schema: z.object({ integrations: z.array(integration) }) }],
    refusals,
    examples: [{ title: "All", status: 200 }],
  },
  {
    id: "readIntegration",
    group: "connections",
    method: "GET",
    path: "integrations/:system",
    title: "Read an accounting system",
    parameters: [system],
    answers: [{ status: 200, text: "The system.", schema: one }],
    refusals,
    examples: [{ title: "Xero", status: 200, path: { system: "xero" } }],
  },
  {
    id: "syncIntegration",
    group: "connections",
    method: "POST",
    path: "integrations/:system/sync",
    title: "Read an accounting system now",
    text: "Reads what changed there, or everything with `all`. Ask for the system to see how far it is.",
    parameters: [system],
    body: { json: syncCallSchema },
    answers: [{ status: 202, text: "It is read as soon as possible.", schema: one }],
    refusals: [...refusals, "SUBSCRIPTION_REQUIRED", "CHANGED_MEANWHILE"],
    examples: [
      { title: "What changed", status: 202, path: { system: "xero" }, json: {} },
      { title: "A system that is not connected", status: 404, path: { system: "myob" }, json: { all: true } },
    ],
  },
  {
    id: "disconnectIntegration",
    group: "connections",
    method: "DELETE",
    path: "integrations/:system",
    title: "Disconnect an accounting system",
    text: "Payees and their history stay. `accessEnded` says whether our access ended there too: MYOB has no call for it, so remove PayeeProof there as well.",
    parameters: [system],
    answers: [
      {
        status: 200,
        text: "It is disconnected.",
        schema: z.object({ integration, accessEnded: flag(true) }),
      },
    ],
    refusals: [...refusals, "CHANGED_MEANWHILE"],
    examples: [{ title: "Xero", status: 200, path: { system: "xero" } }],
  },
];

const NEW_ENDPOINT = { url: "https://hooks.harbourjoinery.com.au/payeeproof", events: ["payment.held_again"] };

const ENDPOINT_CALLS: readonly Call[] = [
  {
    id: "listWebhookEndpoints",
    group: "connections",
    method: "GET",
    path: "webhook-endpoints",
    title: "List webhook endpoints",
    answers: [{ status: 200, text: "All of them.", schema: z.object({ endpoints: z.array(endpoint) }) }],
    refusals,
    examples: [{ title: "All", status: 200 }],
  },
  {
    id: "addWebhookEndpoint",
    group: "connections",
    method: "POST",
    path: "webhook-endpoints",
    title: "Add a webhook endpoint",
    text: "https on a name of the public internet. The answer holds the secret; it is not shown again.",
    body: { json: newEndpointSchema },
    answers: [{ status: 201, text: "The endpoint.", schema: z.object({ endpoint, secret }) }],
    refusals: [...refusals, "TOO_MANY_ENDPOINTS"],
    examples: [
      { title: "Held payments", status: 201, json: NEW_ENDPOINT },
      { title: "A private address", status: 400, json: { ...NEW_ENDPOINT, url: "https://localhost/hook" } },
    ],
  },
  {
    id: "readWebhookEndpoint",
    group: "connections",
    method: "GET",
    path: "webhook-endpoints/:id",
    title: "Read a webhook endpoint",
    parameters: ofEndpoint,
    answers: [{ status: 200, text: "The endpoint.", schema: z.object({ endpoint }) }],
    refusals,
    examples: [{ title: "One endpoint", status: 200, path }],
  },
  {
    id: "changeWebhookEndpoint",
    group: "connections",
    method: "PATCH",
    path: "webhook-endpoints/:id",
    title: "Change a webhook endpoint",
    text: "Its events, or whether it is told of any. What happens while it is not active is not sent later.",
    parameters: ofEndpoint,
    body: { json: endpointChangeSchema },
    answers: [{ status: 200, text: "The endpoint.", schema: z.object({ endpoint }) }],
    refusals,
    examples: [
      { title: "Other events", status: 200, path, json: { events: ["payment.held_again", "payment.failed"] } },
      { title: "Pause it", status: 200, path, json: { active: false } },
      { title: "Without a change", status: 400, path, json: {} },
    ],
  },
  {
    id: "removeWebhookEndpoint",
    group: "connections",
    method: "DELETE",
    path: "webhook-endpoints/:id",
    title: "Remove a webhook endpoint",
    text: "With its log.",
    parameters: ofEndpoint,
    answers: [{ status: 204, text: "It is gone." }],
    refusals,
    examples: [{ title: "One endpoint", status: 204, path }],
  },
  {
    id: "sendTestEvent",
    group: "connections",
    method: "POST",
    path: "webhook-endpoints/:id/test-event",
    title: "Send a test event",
    text: "Also to an endpoint that is paused. It is tried once.",
    parameters: ofEndpoint,
    answers: [{ status: 202, text: "It is on its way: its delivery says what became of it." }],
    refusals,
    examples: [{ title: "One endpoint", status: 202, path }],
  },
  {
    id: "renewWebhookSecret",
    group: "connections",
    method: "POST",
    path: "webhook-endpoints/:id/secret",
    title: "Make a new secret",
    text: "The secret before signs too for a week, or until you end it.",
    parameters: ofEndpoint,
    answers: [{ status: 200, text: "The new secret.", schema: z.object({ endpoint, secret }) }],
    refusals,
    examples: [{ title: "One endpoint", status: 200, path }],
  },
  {
    id: "endFormerWebhookSecret",
    group: "connections",
    method: "DELETE",
    path: "webhook-endpoints/:id/secret",
    title: "End the secret before",
    text: "Only the new one signs from now on.",
    parameters: ofEndpoint,
    answers: [{ status: 200, text: "The endpoint.", schema: z.object({ endpoint }) }],
    refusals,
    examples: [{ title: "One endpoint", status: 200, path }],
  },
  {
    id: "listWebhookDeliveries",
    group: "connections",
    method: "GET",
    path: "webhook-endpoints/:id/deliveries",
    title: "List deliveries to an endpoint",
    text: "Newest first, 25 at a time, each with what was sent and the last answer.",
    parameters: ofEndpoint,
    query: [cursor],
    answers: [{ status: 200, text: "A page.", schema: z.object({ deliveries: z.array(delivery), nextCursor }) }],
    refusals,
    examples: [{ title: "The newest", status: 200, path }],
  },
  {
    id: "resendWebhookDelivery",
    group: "connections",
    method: "POST",
    path: "webhook-deliveries/:id/resend",
    title: "Send an event again",
    text: "Under its own event id.",
    parameters: [idOf("delivery", EXAMPLE.endedDelivery)],
    answers: [{ status: 202, text: "It is on its way again." }],
    refusals: [...refusals, "ENDPOINT_NOT_ACTIVE", "DELIVERY_PENDING"],
    examples: [{ title: "One that has ended", status: 202, path: { id: EXAMPLE.endedDelivery } }],
  },
];

export const CONNECTION_CALLS: readonly Call[] = [...INTEGRATION_CALLS, ...ENDPOINT_CALLS];
