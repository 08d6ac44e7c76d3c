import { Webhook } from "standardwebhooks";
import type { SimulatorContext } from "../party";
import { tellApp, tellUntilTaken } from "../tell-app";
import { addEvent, type BasiqState, type Event } from "./state";

/** Waits before each further try; after the last the endpoint would be disabled (api.basiq.io, webhooks). */
export const RETRY_DELAYS_MS = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1000);

/** The events sent to the app. Only the app's own calls create and delete users; the list has these too. */
export const SUBSCRIBED_EVENTS: readonly string[] = [
  "account.updated",
  "connection.activated",
  "connection.created",
  "connection.deleted",
  "connection.invalidated",
  "consent.created",
  "consent.expired",
  "consent.revoked",
  "consent.updated",
];

export interface WebhookSender {
  /** Records an event and, if it is subscribed to, sends it to the app until the app accepts it. */
  emit(eventType: string, userId: string, entity: { path: string; data: object }): void;
  /** Sends a known event to the app once more, under the same webhook id. */
  resend(event: Event): void;
}

export function createWebhookSender(state: BasiqState, context: SimulatorContext): WebhookSender {
  const signer = new Webhook(context.secrets.basiqWebhookSecret);
  const base = `${context.publicOrigin}/basiq`;

  const send = (event: Event) =>
    context.background(
      tellUntilTaken(context, RETRY_DELAYS_MS, () => {
        const webhookId = `msg_${event.id}`;
        const sentAt = new Date(context.now());
        const payload = JSON.stringify({
          eventTypeId: event.eventType,
          eventId: event.id,
          links: { event: `${base}/events/${event.id}`, eventEntity: base + event.entityPath },
        });
        return tellApp(context, "basiq", payload, {
          "webhook-id": webhookId,
          "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
          "webhook-signature": signer.sign(webhookId, sentAt, payload),
        });
      }),
    );

  return {
    emit(eventType, userId, { path: entityPath, data }) {
      const event = { id: context.randomId(), eventType, userId, entityPath, createdAt: context.now(), data };
      addEvent(state, event);
      context.save();
      if (SUBSCRIBED_EVENTS.includes(eventType)) send(event);
    },
    resend: send,
  };
}
