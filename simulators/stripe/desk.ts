import type { SimulatorContext } from "../party";
import { noSuch } from "./errors";
import { createEventSender, type EventSender } from "./events";
import { type StripeState, stripeState } from "./state";

/** What every part of the stand-in works with. */
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
export function find<Name extends Table>(
  desk: Desk,
  table: Name,
  id: string,
  param?: string,
): StripeState[Name][string] {
  const rows = desk.state[table] as Record<string, StripeState[Name][string]>;
  const found = Object.hasOwn(rows, id) ? rows[id] : undefined;
  if (!found) throw noSuch(NAMES[table], id, param);
  return found;
}
