import { toIso } from "~/kernel/dates";
import type { EndpointStatus, WebhookStatus } from "~/kernel/enums";

type Endpoint = {
  id: string;
  url: string;
  status: EndpointStatus;
  events: string[];
  lastSuccessAt: number | null;
  formerUntil: number | null;
  createdAt: number;
};

const isoOrNull = (at: number | null) => (at === null ? null : toIso(at));

/** An endpoint as the API shows it. Its secret is answered when it is made, and never again. */
export function toEndpointJson(endpoint: Endpoint, now: number) {
  const { id, url, status, events, lastSuccessAt, formerUntil, createdAt } = endpoint;
  return {
    ...{ id, url, status, events },
    lastSuccessAt: isoOrNull(lastSuccessAt),
    formerSecretUntil: formerUntil !== null && formerUntil > now ? toIso(formerUntil) : null,
    createdAt: toIso(createdAt),
  };
}

type Delivery = {
  id: string;
  eventId: string;
  eventType: string;
  payload: string;
  status: WebhookStatus;
  attempts: number;
  lastAttemptAt: number | null;
  nextAttemptAt: number | null;
  answerStatus: number | null;
  answerBody: string | null;
  problem: string | null;
  createdAt: number;
};

/** One event that was, or is to be, sent to an endpoint, with the last answer. */
export function toDeliveryJson(delivery: Delivery) {
  const { id, eventId, eventType, payload, status, attempts, answerStatus, answerBody, problem } = delivery;
  return {
    ...{ id, eventId, eventType, status, attempts, answerStatus, answerBody, problem },
    payload: JSON.parse(payload) as Record<string, unknown>,
    lastAttemptAt: isoOrNull(delivery.lastAttemptAt),
    nextAttemptAt: status === "pending" ? isoOrNull(delivery.nextAttemptAt) : null,
    createdAt: toIso(delivery.createdAt),
  };
}
