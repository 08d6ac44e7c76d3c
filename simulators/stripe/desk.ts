import type { SimulatorContext } from "../party";
import { hmacSha256, isTaken, tellApp, tellUntilTaken } from "../tell-app";
import { noSuch } from "./errors";
import type { StripeEvent } from "./objects";
import { type StripeState, stripeState } from "./state";

/** The version the product's SDK speaks (node_modules/stripe). */
const API_VERSION = "2026-10-28.endive";

/** Delays before each retry of a delivery; after the last, about three days later, it is abandoned. */
export const RETRY_DELAYS_MS = [10, 300, 1_800, 7_200, 18_000, 36_000, 36_000, 36_000, 36_000, 36_000].map(
  (seconds) => seconds * 1000,
);

const KEPT_EVENTS = 2_000;

interface EventSender {
  /** Records an event and delivers it to the app until the app accepts it. `object` is copied as it is now. */
  emit(type: string, object: unknown, created: number): void;
  resend(event: StripeEvent): void;
  /** From now on deliveries wait. */
  hold(): void;
  /** Delivers what waits, each `copies` times; shuffled when asked for. Later events are delivered at once again. */
  release(options: { copies: number; shuffle: boolean }): Promise<void>;
}

function createEventSender(state: StripeState, context: SimulatorContext): EventSender {
  const send = (event: StripeEvent) =>
    tellUntilTaken(context, RETRY_DELAYS_MS, async () => {
      const status = await tell(event, context);
      if (isTaken(status)) event.pending_webhooks = 0;
      return status;
    });

  return {
    emit(type, object, created) {
      const event = makeEvent(context.randomId(), type, object, created);
      state.events.push(event);
      if (state.events.length > KEPT_EVENTS) state.events.splice(0, state.events.length - KEPT_EVENTS);
      context.save();
      if (state.held) state.held.push(event.id);
      else context.background(send(event));
    },
    resend: (event) => context.background(send(event)),
    hold() {
      state.held ??= [];
      context.save();
    },
    async release({ copies, shuffle }) {
      const waiting = new Set(state.held ?? []);
      state.held = null;
      context.save();
      const known = state.events.filter((event) => waiting.has(event.id));
      const deliveries = Array.from({ length: copies }, () => known).flat();
      const order = shuffle ? shuffled(deliveries, context) : deliveries;
      for (const event of order) await send(event);
    },
  };
}

async function tell(event: StripeEvent, context: SimulatorContext): Promise<number> {
  const payload = JSON.stringify(event, null, 2);
  // Signed with the real time: a test clock affects when things happen, not when the app is notified.
  const timestamp = Math.floor(context.now() / 1000);
  return tellApp(context, "stripe", payload, {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    "stripe-signature": await signatureHeader(context.secrets.stripeWebhookSecret, timestamp, payload),
  });
}

const makeEvent = (id: string, type: string, object: unknown, created: number): StripeEvent => ({
  id: `evt_${id.replaceAll("-", "")}`,
  object: "event",
  api_version: API_VERSION,
  created,
  type,
  data: { object: structuredClone(object) },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
});

/** `t=...,v1=...`: HMAC-SHA-256 of time, dot and body under the whole secret (docs.stripe.com/webhooks/signature). */
async function signatureHeader(secret: string, timestamp: number, payload: string): Promise<string> {
  const mac = await hmacSha256(secret, `${timestamp}.${payload}`);
  const hex = Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `t=${timestamp},v1=${hex}`;
}

/** In random order, taken from the ids that the context makes. */
function shuffled<T>(items: readonly T[], context: Pick<SimulatorContext, "randomId">): T[] {
  return items
    .map((item) => ({ item, by: context.randomId().split("").reverse().join("") }))
    .sort((a, b) => (a.by < b.by ? -1 : 1))
    .map(({ item }) => item);
}

/** What every part of the simulator uses. */
export type Desk = {
  context: SimulatorContext;
  state: StripeState;
  events: EventSender;
  /** Where its own pages are: "http://127.0.0.1:8788/stripe". */
  base: string;
  newId(prefix: string): string;
  /** Seconds: a customer on a test clock lives in that clock's time. */
  nowOf(customerId?: string): number;
};

export function createDesk(context: SimulatorContext): Desk {
  const state = stripeState(context);
  return {
    context,
    state,
    events: createEventSender(state, context),
    base: `${context.publicOrigin}/stripe`,
    newId: (prefix) => `${prefix}_${context.randomId().replaceAll("-", "")}`,
    nowOf(customerId) {
      const clockId = customerId && state.customers[customerId]?.test_clock;
      const clock = clockId ? state.clocks[clockId] : undefined;
      return clock?.frozen_time ?? Math.floor(context.now() / 1000);
    },
  };
}

type Table = {
  [Name in keyof StripeState]: StripeState[Name] extends Record<string, { id: string }> ? Name : never;
}[keyof StripeState];

const NAMES: Record<Table, string> = {
  customers: "customer",
  paymentMethods: "PaymentMethod",
  subscriptions: "subscription",
  invoices: "invoice",
  paymentIntents: "payment_intent",
  charges: "charge",
  refunds: "refund",
  checkoutSessions: "checkout.session",
  portalSessions: "billing_portal.session",
  clocks: "test_clock",
};

/** The object under an id. @throws Refusal resource_missing */
export function find<Name extends Table>(desk: Desk, table: Name, id: string, param?: string) {
  const rows = desk.state[table] as Record<string, StripeState[Name][string]>;
  const found = Object.hasOwn(rows, id) ? rows[id] : undefined;
  if (!found || "deleted" in found) throw noSuch(NAMES[table], id, param);
  return found;
}
