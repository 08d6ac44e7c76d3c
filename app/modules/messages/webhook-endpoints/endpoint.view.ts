import type { webhookDeliveries, webhookEndpoints } from "@db/database";
import { showTime, type Zone } from "~/kernel/dates";
import type { EndpointStatus, WebhookStatus } from "~/kernel/enums";
import { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEventName } from "./webhook-event";

/** The data that webhook pages show: the server makes every sentence. */

type Endpoint = Pick<
  typeof webhookEndpoints.$inferSelect,
  "id" | "url" | "status" | "events" | "lastSuccessAt" | "formerUntil" | "createdAt"
>;
type Delivery = Omit<typeof webhookDeliveries.$inferSelect, "organizationId" | "endpointId">;
const STATUS_WORDS: Readonly<Record<EndpointStatus, string>> = {
  active: "Active",
  paused: "Paused",
  disabled: "Switched off after failures",
};

export function showEndpoint(endpoint: Endpoint, zone: Zone) {
  const { id, url, status, events, lastSuccessAt, formerUntil } = endpoint;
  const success =
    lastSuccessAt === null ? "nothing accepted yet" : `last accepted ${showTime(lastSuccessAt, zone).exact}`;
  return {
    id,
    url,
    status,
    statusWord: STATUS_WORDS[status],
    summary: `Receives ${events.length} ${events.length === 1 ? "event" : "events"}, ${success}`,
    events,
    formerUntil: formerUntil !== null && formerUntil > zone.now ? showTime(formerUntil, zone) : null,
  };
}

export type ShownEndpoint = ReturnType<typeof showEndpoint>;

const DELIVERY_WORDS: Readonly<Record<WebhookStatus, string>> = {
  pending: "Waiting",
  delivered: "Taken",
  failed: "Not accepted",
};

const labelOf = (type: string): string =>
  type === TEST_EVENT ? "Test event" : (WEBHOOK_EVENTS[type as WebhookEventName]?.label ?? type);

function noteOf(delivery: Delivery, zone: Zone): string {
  const { attempts, lastAttemptAt, nextAttemptAt, problem, status } = delivery;
  const tried =
    lastAttemptAt === null || attempts === 0 ? [] : [`Try ${attempts} on ${showTime(lastAttemptAt, zone).exact}.`];
  const next =
    status === "pending" && nextAttemptAt !== null
      ? [`The next try is due ${showTime(nextAttemptAt, zone).exact}.`]
      : [];
  return [...tried, ...(problem ? [problem] : []), ...next].join(" ");
}

export function showDelivery(delivery: Delivery, zone: Zone) {
  const { id, eventId, eventType, payload, status, answerStatus, answerBody, durationMs, createdAt } = delivery;
  const took = durationMs === null ? "" : ` after ${durationMs} ms`;
  return {
    id,
    eventId,
    label: labelOf(eventType),
    eventType,
    status,
    statusWord: DELIVERY_WORDS[status],
    sent: showTime(createdAt, zone),
    note: noteOf(delivery, zone),
    request: `webhook-id: ${eventId}\n\n${JSON.stringify(JSON.parse(payload), null, 2)}`,
    answer: answerStatus === null ? "No answer" : `${answerStatus}${took}\n\n${answerBody ?? ""}`.trim(),
    mayResend: status !== "pending",
  };
}

export type ShownDelivery = ReturnType<typeof showDelivery>;

export const EVENT_CHOICES = Object.entries(WEBHOOK_EVENTS).map(([name, { label }]) => ({ name, label }));
