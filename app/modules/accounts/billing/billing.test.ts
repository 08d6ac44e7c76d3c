import fc from "fast-check";
import { expect, test } from "vitest";
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from "~/kernel/enums";
import type { CardOnFile, CustomerState, ProviderInvoice, ProviderSubscription } from "~/ports/cards";
import { cardToMove, changedLines, chooseSubscription, toBillingState, toLedger } from "./ledger";
import { cancellationOf, isLiveStatus, PLAN, STATUS_TEXT } from "./subscription";
import {
  cardEndsAt,
  dueNotices,
  isCardExpiring,
  OUTCOME_TEXT,
  toOutcome,
  toSubscriptionView,
} from "./subscription.view";

const NOW = Date.UTC(2026, 10, 20);

const aCard = (over: Partial<CardOnFile> = {}): CardOnFile => ({
  id: "pm_1",
  brand: "visa",
  last4: "4242",
  expMonth: 12,
  expYear: 2034,
  savedAt: NOW,
  ...over,
});

const aSubscription = (over: Partial<ProviderSubscription> = {}): ProviderSubscription => ({
  id: "sub_1",
  status: "active",
  createdAt: NOW,
  currentPeriodEnd: Date.UTC(2026, 11, 20),
  cancelAtPeriodEnd: false,
  canceledAt: null,
  card: aCard(),
  ...over,
});

const anInvoice = (over: Partial<ProviderInvoice> = {}): ProviderInvoice => ({
  id: "in_1",
  number: "PAYEE-0001",
  status: "open",
  subscriptionId: "sub_1",
  amount: 50_000,
  taxAmount: 4_545,
  amountDue: 50_000,
  attempts: 1,
  createdAt: NOW,
  paidAt: null,
  periodStart: NOW,
  periodEnd: Date.UTC(2026, 11, 20),
  ...over,
});

const aCustomer = (over: Partial<CustomerState> = {}): CustomerState => ({
  card: null,
  subscriptions: [aSubscription()],
  invoices: [],
  charges: [],
  ...over,
});

test.each([
  ["incomplete", "Pending payment"],
  ["incomplete_expired", "Payment failed"],
  ["past_due", "Past due - please update payment method"],
  ["unpaid", "Unpaid - please update payment method"],
] as const)("%s reads as the specification says", (status, text) => {
  expect(STATUS_TEXT[status]).toBe(text);
});

test("there is no cancel button for cancelled and expired subscriptions, nor without one", () => {
  const without = [null, ...SUBSCRIPTION_STATUSES].filter((status) => cancellationOf(status) === null);
  expect(without).toEqual([null, "canceled", "incomplete_expired"]);
});

test("what was paid for runs to the end of its period when it is cancelled", () => {
  const atEnd = SUBSCRIPTION_STATUSES.filter((status) => cancellationOf(status) === "at_period_end");
  expect(atEnd).toEqual(["active", "trialing", "past_due"]);
});

test.each([
  ["succeeded", "Payment succeeded!"],
  ["processing", "Your payment is processing."],
  ["requires_payment_method", "Your payment was not successful, please try again."],
  ["requires_action", "Something went wrong."],
  ["canceled", "Something went wrong."],
  [null, "Something went wrong."],
])("a payment that came back as %s reads: %s", (status, text) => {
  expect(OUTCOME_TEXT[toOutcome(status)]).toBe(text);
});

test("GST is an eleventh of the price", () => {
  expect(PLAN.taxAmount).toBe(Math.round(PLAN.amount / 11));
});

test("no subscription stands before a live one, and none that is over before one that is not", () => {
  const status = fc.constantFrom(...SUBSCRIPTION_STATUSES);
  const subscriptions = fc.array(
    // Three possible seconds for up to six subscriptions, so that some start in the same one.
    fc.record({ id: fc.uuid(), status, createdAt: fc.nat(2) }).map((row) => aSubscription(row)),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(subscriptions, (rows) => {
      const chosen = chooseSubscription(rows);
      const isOver = (row: ProviderSubscription) => row.status === "canceled" || row.status === "incomplete_expired";
      if (rows.some((row) => isLiveStatus(row.status))) expect(isLiveStatus(chosen?.status ?? null)).toBe(true);
      else if (rows.some((row) => !isOver(row))) expect(chosen && isOver(chosen)).toBe(false);
      expect(chooseSubscription([...rows].reverse())?.id).toBe(chosen?.id);
    }),
  );
});

test("of several that are over the newest counts", () => {
  const old = aSubscription({ id: "old", status: "canceled", createdAt: 1 });
  const newer = aSubscription({ id: "newer", status: "incomplete_expired", createdAt: 2 });
  expect(chooseSubscription([newer, old])?.id).toBe("newer");
});

test("a customer without anything has no state", () => {
  expect(toBillingState(aCustomer({ subscriptions: [] }))).toEqual({
    subscriptionId: null,
    status: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    amountDue: null,
    firstPaidAt: null,
    card: null,
  });
});

test("the card saved last pays, and only a newer one is moved to the subscription", () => {
  const newer = aCard({ id: "pm_2", last4: "4444", savedAt: NOW + 1 });
  const older = aCard({ id: "pm_0", last4: "1111", savedAt: NOW - 1 });
  expect(toBillingState(aCustomer({ card: newer })).card?.last4).toBe("4444");
  expect(cardToMove(aCustomer({ card: newer }))).toEqual({ subscriptionId: "sub_1", cardId: "pm_2" });
  expect(toBillingState(aCustomer({ card: older })).card?.last4).toBe("4242");
  expect(cardToMove(aCustomer({ card: older }))).toBeUndefined();
  expect(
    cardToMove(aCustomer({ card: newer, subscriptions: [aSubscription({ status: "canceled" })] })),
  ).toBeUndefined();
});

test("only the current subscription's newest open invoice is due", () => {
  const invoices = [
    anInvoice({ id: "in_1", amountDue: 100, createdAt: 1 }),
    anInvoice({ id: "in_2", amountDue: 200, createdAt: 2 }),
    anInvoice({ id: "in_3", amountDue: 300, createdAt: 3, subscriptionId: "sub_other" }),
    anInvoice({ id: "in_4", amountDue: 400, createdAt: 4, status: "paid" }),
  ];
  expect(toBillingState(aCustomer({ invoices })).amountDue).toBe(200);
});

test("a card works to the end of its month", () => {
  const card = { expMonth: 12, expYear: 2026 };
  expect(cardEndsAt(card)).toBe(Date.UTC(2027, 0, 1));
  expect(isCardExpiring(card, null, Date.UTC(2026, 11, 1))).toBe(false);
  expect(isCardExpiring(card, null, Date.UTC(2026, 11, 2))).toBe(true);
  expect(isCardExpiring(card, Date.UTC(2027, 0, 1), Date.UTC(2026, 9, 1))).toBe(true);
  expect(isCardExpiring(card, Date.UTC(2026, 11, 31), Date.UTC(2026, 9, 1))).toBe(false);
});

const kindsOf = (customer: CustomerState, now = NOW) =>
  dueNotices(customer, toBillingState(customer), now).map(({ kind }) => kind);

test("a subscription in good standing calls for no email", () => {
  expect(kindsOf(aCustomer())).toEqual([]);
});

test("a first payment that fails is no failed renewal", () => {
  const subscriptions = [aSubscription({ status: "incomplete" })];
  expect(kindsOf(aCustomer({ subscriptions, invoices: [anInvoice()] }))).toEqual([]);
});

test("a failed renewal calls for an email at each try", () => {
  const subscriptions = [aSubscription({ status: "past_due" })];
  const keys = [1, 2].map((attempts) => {
    const customer = aCustomer({ subscriptions, invoices: [anInvoice({ attempts })] });
    return dueNotices(customer, toBillingState(customer), NOW).map(({ key }) => key);
  });
  expect(keys).toEqual([["payment_failed:in_1:1"], ["payment_failed:in_1:2"]]);
});

test("nobody is warned of a card that will not be charged again", () => {
  const card = aCard({ expMonth: 11, expYear: 2026 });
  expect(kindsOf(aCustomer({ subscriptions: [aSubscription({ card })] }))).toEqual(["card_expiring"]);
  const ending = aSubscription({ card, cancelAtPeriodEnd: true, canceledAt: NOW });
  expect(kindsOf(aCustomer({ subscriptions: [ending] }))).toEqual(["cancelled"]);
});

test("an end is news only if it was paid for, and not long ago", () => {
  const subscriptions = [aSubscription({ status: "canceled", currentPeriodEnd: NOW })];
  const paid = [anInvoice({ status: "paid" })];
  expect(kindsOf(aCustomer({ subscriptions, invoices: paid }))).toEqual(["ended"]);
  expect(kindsOf(aCustomer({ subscriptions, invoices: [anInvoice({ status: "void" })] }))).toEqual([]);
  expect(kindsOf(aCustomer({ subscriptions, invoices: paid }), NOW + 8 * 86_400_000)).toEqual([]);
});

test("drafts are not in the ledger, every other invoice is", () => {
  const statuses = ["draft", "open", "paid", "void", "uncollectible"] as const;
  const invoices = statuses.map((status, i) => anInvoice({ id: `in_${i}`, status }));
  const lines = toLedger(aCustomer({ subscriptions: [], invoices }));
  expect(lines.map(({ status }) => status)).toEqual(["open", "paid", "void", "failed"]);
});

test("a ledger that was written calls for no more writing, and a changed line for one", () => {
  const customer = aCustomer({ invoices: [anInvoice()] });
  const lines = toLedger(customer);
  expect(changedLines(lines, lines)).toEqual([]);
  const paid = toLedger({ ...customer, invoices: [anInvoice({ status: "paid", paidAt: NOW })] });
  expect(changedLines(paid, lines).map(({ relatedEntityId }) => relatedEntityId)).toEqual(["in_1"]);
});

const anAccount = (status: SubscriptionStatus | null, over = {}) => ({
  status,
  trialEndsAt: NOW + 86_400_000,
  firstPaidAt: status === null || status === "incomplete" || status === "incomplete_expired" ? null : NOW - 86_400_000,
  currentPeriodEnd: Date.UTC(2026, 11, 20),
  cancelAtPeriodEnd: false,
  amountDue: 50_000,
  customerId: "cus_1",
  cardBrand: "visa",
  cardLast4: "4242",
  cardExpMonth: 12,
  cardExpYear: 2034,
  ...over,
});

const viewOf = (status: SubscriptionStatus | null, over = {}, canWrite = true) =>
  toSubscriptionView(anAccount(status, over), [], { now: NOW, timeZone: "Australia/Sydney", canWrite });

test.each([
  [null, "subscribe", false],
  ["incomplete", "subscribe", false],
  ["incomplete_expired", "subscribe", false],
  ["active", null, true],
  ["trialing", null, true],
  ["past_due", "pay", true],
  ["unpaid", "pay", true],
  ["canceled", "subscribe", false],
  ["paused", null, true],
] as const)("with %s the step is %s, and cancelling is offered: %s", (status, step, canCancel) => {
  const view = viewOf(status);
  expect([view.step, view.canCancel]).toEqual([step, canCancel]);
  expect(viewOf(status, {}, false)).toMatchObject({ step: null, canCancel: false, canResume: false, hasPortal: false });
});

test("only what never was paid for shows the trial, and only what runs its next payment", () => {
  const shown = [null, ...SUBSCRIPTION_STATUSES].map((status) => [status, viewOf(status)] as const);
  const names = (has: (view: ReturnType<typeof viewOf>) => boolean) =>
    shown.filter(([, view]) => has(view)).map(([status]) => status);
  expect(names((view) => view.trial !== null)).toEqual([null, "incomplete", "incomplete_expired"]);
  expect(names((view) => view.periodEnd !== null)).toEqual(["active", "trialing", "past_due", "unpaid"]);
  expect(names((view) => view.amountDue !== null)).toEqual(["past_due", "unpaid"]);
});

test("a cancelled subscription that still runs can be taken back and not be cancelled again", () => {
  expect(viewOf("active", { cancelAtPeriodEnd: true })).toMatchObject({ canCancel: false, canResume: true });
  expect(viewOf("canceled", { cancelAtPeriodEnd: true })).toMatchObject({ canResume: false, endsAtPeriodEnd: false });
});

test("a person who only looked at the payment form has not subscribed: no status, no debt, nothing to cancel", () => {
  const invoice = {
    number: "1",
    description: "",
    amount: 50_000,
    taxAmount: 0,
    status: "open",
    createdAt: NOW,
  } as const;
  for (const status of ["incomplete", "incomplete_expired", "canceled"] as const) {
    const account = anAccount(status, { firstPaidAt: null });
    const view = toSubscriptionView(account, [{ id: "1", ...invoice }], {
      now: NOW,
      timeZone: "Australia/Sydney",
      canWrite: true,
    });
    expect(view).toMatchObject({ status: null, step: "subscribe", canCancel: false, amountDue: null, invoices: [] });
    expect(view.trial).not.toBeNull();
  }
});
