import { type Desk, find } from "./desk";
import { invalid } from "./errors";
import { itemOf } from "./invoices";
import type { CheckoutSession, Invoice, Subscription, TestClock } from "./objects";
import { cancelNow, collect, expireIncomplete, FIRST_PAYMENT_WITHIN, renew } from "./subscriptions";
import { view } from "./views";

/** Lets time pass: everything happens when it falls due, in that order. */

type Due = { at: number; happen: () => void };

const OVER: ReadonlySet<string> = new Set(["canceled", "incomplete_expired"]);

function dueOfSubscription(desk: Desk, subscription: Subscription): Due[] {
  if (OVER.has(subscription.status)) return [];
  if (subscription.status === "incomplete") {
    return [{ at: subscription.created + FIRST_PAYMENT_WITHIN, happen: () => expireIncomplete(desk, subscription) }];
  }
  const at = itemOf(subscription).current_period_end;
  const happen = () => (subscription.cancel_at_period_end ? cancelNow(desk, subscription) : renew(desk, subscription));
  return [{ at, happen }];
}

function dueOfInvoice(desk: Desk, invoice: Invoice): Due[] {
  const at = invoice.next_payment_attempt;
  const subscription = desk.state.subscriptions[invoice.parent.subscription_details.subscription];
  if (at === null || invoice.status !== "open" || !subscription || OVER.has(subscription.status)) return [];
  return [{ at, happen: () => collect(desk, subscription, invoice) }];
}

function dueOfCheckout(desk: Desk, session: CheckoutSession): Due[] {
  return session.status === "open" ? [{ at: session.expires_at, happen: () => expireCheckout(desk, session) }] : [];
}

export function expireCheckout(desk: Desk, session: CheckoutSession): void {
  Object.assign(session, { status: "expired", url: null });
  desk.events.emit("checkout.session.expired", view(desk, session), desk.nowOf(session.customer));
}

function nextDue(desk: Desk, isOnClock: (customerId: string) => boolean): Due | undefined {
  const { subscriptions, invoices, checkoutSessions } = desk.state;
  const mine = <T extends { customer: string }>(rows: Record<string, T>) =>
    Object.values(rows).filter((row) => isOnClock(row.customer));
  const all = [
    ...mine(subscriptions).flatMap((row) => dueOfSubscription(desk, row)),
    ...mine(invoices).flatMap((row) => dueOfInvoice(desk, row)),
    ...mine(checkoutSessions).flatMap((row) => dueOfCheckout(desk, row)),
  ];
  return all.reduce<Due | undefined>((first, due) => (first && first.at <= due.at ? first : due), undefined);
}

const MAX_HAPPENINGS = 500;

/** What falls due, by real time, for customers without a clock of their own. */
export function catchUp(desk: Desk): void {
  const now = desk.nowOf();
  for (let i = 0; i < MAX_HAPPENINGS; i++) {
    const due = nextDue(desk, (id) => !desk.state.customers[id]?.test_clock);
    if (!due || due.at > now) return;
    due.happen();
  }
}

export function createClock(desk: Desk, frozenTime: number, name: string | null): TestClock {
  const clock: TestClock = {
    id: desk.newId("clock"),
    object: "test_helpers.test_clock",
    created: desk.nowOf(),
    frozen_time: frozenTime,
    name,
    status: "ready",
    livemode: false,
  };
  desk.state.clocks[clock.id] = clock;
  return clock;
}

/** Advances a clock; everything that falls due for its customers meanwhile happens at its own time. */
export function advanceClock(desk: Desk, clock: TestClock, to: number): void {
  if (!(to > clock.frozen_time))
    throw invalid("The frozen time must be later than the clock's current time.", undefined, "frozen_time");
  for (let i = 0; i < MAX_HAPPENINGS; i++) {
    const due = nextDue(desk, (id) => desk.state.customers[id]?.test_clock === clock.id);
    if (!due || due.at > to) break;
    clock.frozen_time = Math.max(clock.frozen_time, due.at);
    due.happen();
  }
  clock.frozen_time = to;
  desk.events.emit("test_helpers.test_clock.ready", { ...clock }, desk.nowOf());
}

/** The clock of a customer; a customer who has none is given one that shows the real time. */
export function clockOf(desk: Desk, customerId: string): TestClock {
  const customer = find(desk, "customers", customerId);
  const known = customer.test_clock ? desk.state.clocks[customer.test_clock] : undefined;
  if (known) return known;
  const clock = createClock(desk, desk.nowOf(), `for ${customer.name ?? customer.id}`);
  customer.test_clock = clock.id;
  return clock;
}
