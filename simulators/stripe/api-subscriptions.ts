import type { Route } from "../routes";
import { type Desk, find } from "./desk";
import { endpoint } from "./endpoint";
import { invalid, missing, Refusal } from "./errors";
import { flagAt, listAt, mapAt, textAt } from "./form";
import { itemOf, payInvoice, tell } from "./invoices";
import { LIST_TAKES, listPage, matching, SEARCH_TAKES, searchPage } from "./lists";
import type { PaymentIntent, Subscription } from "./objects";
import { cancelNow, openSubscription } from "./subscriptions";

const CREATE_TAKES = [
  "customer",
  "items",
  "payment_behavior",
  "payment_settings",
  "default_tax_rates",
  "default_payment_method",
  "metadata",
  "collection_method",
  "off_session",
];
const NO_CARD =
  "This customer has no attached payment source or default payment method. Please consider adding a default payment method.";
const BEHAVIOURS = ["default_incomplete", "allow_incomplete", "error_if_incomplete"];

export function subscriptionRoutes(desk: Desk): Route[] {
  return [
    endpoint(desk, "POST /subscriptions", CREATE_TAKES, ({ params }) => {
      const customerId = textAt(params, "customer");
      if (!customerId) throw missing("customer");
      const customer = find(desk, "customers", customerId, "customer");
      const price = textAt(params, "items", "0", "price");
      if (!price) throw missing("items");
      const behaviour = textAt(params, "payment_behavior") ?? "allow_incomplete";
      if (!BEHAVIOURS.includes(behaviour)) throw invalid("Invalid payment_behavior", undefined, "payment_behavior");
      const given = textAt(params, "default_payment_method");
      const onFile = given ?? customer.invoice_settings.default_payment_method;
      if (behaviour !== "default_incomplete" && !onFile) {
        throw invalid(NO_CARD, "resource_missing");
      }
      const { subscription, invoice } = openSubscription(desk, {
        customer: customer.id,
        price,
        taxRates: listAt(params, "default_tax_rates"),
        metadata: mapAt(params, "metadata"),
        saveCard: textAt(params, "payment_settings", "save_default_payment_method") === "on_subscription",
        defaultPaymentMethod: given ?? null,
      });
      if (behaviour !== "default_incomplete" && onFile) {
        const { attempt, payment } = payInvoice(desk, invoice, find(desk, "paymentMethods", onFile), {
          offSession: flagAt(params, "off_session") ?? false,
        });
        if (attempt !== "succeeded" && behaviour === "error_if_incomplete") {
          cancelNow(desk, subscription);
          throw declined(payment);
        }
      }
      return subscription;
    }),
    endpoint(desk, "GET /subscriptions", [...LIST_TAKES, "customer", "status", "price"], (asked) => {
      const all = matching(desk.state.subscriptions, asked, "customer", "status");
      // Without a status the provider leaves out those that were cancelled.
      const rows = textAt(asked.params, "status") ? all : all.filter((row) => row.status !== "canceled");
      return listPage(desk, rows, asked, "/v1/subscriptions");
    }),
    endpoint(desk, "GET /subscriptions/search", SEARCH_TAKES, (asked) =>
      searchPage(desk, Object.values(desk.state.subscriptions), asked, "/v1/subscriptions/search"),
    ),
    endpoint(desk, "GET /subscriptions/:id", [], ({ path }) => find(desk, "subscriptions", path.id ?? "")),
    endpoint(
      desk,
      "POST /subscriptions/:id",
      ["cancel_at_period_end", "default_payment_method", "metadata", "payment_settings"],
      ({ params, path }) => {
        const subscription = find(desk, "subscriptions", path.id ?? "");
        const isOver = subscription.status === "canceled" || subscription.status === "incomplete_expired";
        const atEnd = flagAt(params, "cancel_at_period_end");
        if (isOver && atEnd !== undefined) {
          throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
        }
        if (atEnd !== undefined) setCancelAtPeriodEnd(desk, subscription, atEnd);
        const method = textAt(params, "default_payment_method");
        if (method !== undefined)
          subscription.default_payment_method = method ? find(desk, "paymentMethods", method).id : null;
        Object.assign(subscription.metadata, mapAt(params, "metadata"));
        tell(desk, "customer.subscription.updated", subscription);
        return subscription;
      },
    ),
    endpoint(desk, "DELETE /subscriptions/:id", ["invoice_now", "prorate", "cancellation_details"], ({ path }) => {
      const subscription = find(desk, "subscriptions", path.id ?? "");
      cancelNow(desk, subscription);
      return subscription;
    }),
  ];
}

/** Cancels at the end of the period, or undoes that. */
export function setCancelAtPeriodEnd(desk: Desk, subscription: Subscription, atEnd: boolean): void {
  Object.assign(subscription, {
    cancel_at_period_end: atEnd,
    cancel_at: atEnd ? itemOf(subscription).current_period_end : null,
    canceled_at: atEnd ? desk.nowOf(subscription.customer) : null,
  });
}

const declined = ({ last_payment_error }: PaymentIntent) =>
  new Refusal(402, "card_error", last_payment_error?.message ?? "Your card was declined.", { code: "card_declined" });
