import type { Route } from "../routes";
import { advanceClock, createClock, expireCheckout } from "./clock";
import { type Desk, find } from "./desk";
import { endpoint } from "./endpoint";
import { invalid, missing, noSuch } from "./errors";
import { listAt, mapAt, type Params, textAt } from "./form";
import { LIST_TAKES, listPage, matching } from "./lists";
import type { CheckoutSession, PortalSession } from "./objects";
import { priceOf, taxRateOf, UNIT_AMOUNT } from "./state";

const CHECKOUT_LASTS = 24 * 3_600;

/** Hosted checkout, the customer portal, test clocks, events and the catalogue. */
export function sessionRoutes(desk: Desk): Route[] {
  return [
    endpoint(
      desk,
      "POST /checkout/sessions",
      [
        "mode",
        "customer",
        "client_reference_id",
        "line_items",
        "success_url",
        "cancel_url",
        "subscription_data",
        "metadata",
        "payment_method_types",
      ],
      ({ params }) => {
        if (textAt(params, "mode") !== "subscription")
          throw invalid("Only mode subscription is simulated.", undefined, "mode");
        const customer = find(desk, "customers", textAt(params, "customer") ?? "", "customer");
        const price = textAt(params, "line_items", "0", "price");
        const successUrl = textAt(params, "success_url");
        if (!price) throw missing("line_items");
        if (!successUrl) throw missing("success_url");
        const session = openCheckout(desk, { customer: customer.id, price, successUrl, params });
        desk.state.checkoutSessions[session.id] = session;
        return session;
      },
    ),
    endpoint(desk, "GET /checkout/sessions", [...LIST_TAKES, "customer", "status", "subscription"], (asked) =>
      listPage(
        desk,
        matching(desk.state.checkoutSessions, asked, "customer", "status", "subscription"),
        asked,
        "/v1/checkout/sessions",
      ),
    ),
    endpoint(desk, "GET /checkout/sessions/:id", [], ({ path }) => find(desk, "checkoutSessions", path.id ?? "")),
    endpoint(desk, "POST /checkout/sessions/:id/expire", [], ({ path }) => {
      const session = find(desk, "checkoutSessions", path.id ?? "");
      if (session.status !== "open") {
        throw invalid(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        );
      }
      expireCheckout(desk, session);
      return session;
    }),
    endpoint(desk, "POST /billing_portal/sessions", ["customer", "return_url", "flow_data"], ({ params }) => {
      const customer = find(desk, "customers", textAt(params, "customer") ?? "", "customer");
      const flow = textAt(params, "flow_data", "type");
      const id = desk.newId("bps");
      const session: PortalSession = {
        id,
        object: "billing_portal.session",
        created: desk.nowOf(customer.id),
        customer: customer.id,
        return_url: textAt(params, "return_url") ?? desk.context.appOrigin,
        url: `${desk.base}/portal/${id}`,
        flow: flow ? { type: flow } : null,
        livemode: false,
      };
      desk.state.portalSessions[id] = session;
      return session;
    }),
    endpoint(desk, "POST /test_helpers/test_clocks", ["frozen_time", "name"], ({ params }) => {
      const frozenTime = Number(textAt(params, "frozen_time"));
      if (!Number.isInteger(frozenTime)) throw missing("frozen_time");
      return createClock(desk, frozenTime, textAt(params, "name") ?? null);
    }),
    endpoint(desk, "GET /test_helpers/test_clocks/:id", [], ({ path }) => find(desk, "clocks", path.id ?? "")),
    endpoint(desk, "POST /test_helpers/test_clocks/:id/advance", ["frozen_time"], ({ params, path }) => {
      const clock = find(desk, "clocks", path.id ?? "");
      advanceClock(desk, clock, Number(textAt(params, "frozen_time")));
      return clock;
    }),
    endpoint(desk, "GET /events", [...LIST_TAKES, "type"], (asked) => {
      const type = textAt(asked.params, "type");
      return listPage(
        desk,
        desk.state.events.filter((event) => type === undefined || event.type === type),
        asked,
        "/v1/events",
      );
    }),
    endpoint(desk, "GET /events/:id", [], ({ path }) => {
      const event = desk.state.events.find((known) => known.id === path.id);
      if (!event) throw noSuch("event", path.id ?? "");
      return event;
    }),
    endpoint(desk, "GET /prices/:id", [], ({ path }) => priceOf(path.id ?? "")),
    endpoint(desk, "GET /tax_rates/:id", [], ({ path }) => taxRateOf(path.id ?? "")),
  ];
}

type CheckoutOrder = { customer: string; price: string; successUrl: string; params: Params };

function openCheckout(desk: Desk, { customer, price, successUrl, params }: CheckoutOrder): CheckoutSession {
  const id = desk.newId("cs_test");
  const now = desk.nowOf(customer);
  return {
    id,
    object: "checkout.session",
    created: now,
    expires_at: now + CHECKOUT_LASTS,
    mode: "subscription",
    customer,
    client_reference_id: textAt(params, "client_reference_id") ?? null,
    status: "open",
    payment_status: "unpaid",
    subscription: null,
    invoice: null,
    success_url: successUrl,
    cancel_url: textAt(params, "cancel_url") ?? null,
    url: `${desk.base}/checkout/${id}`,
    currency: "aud",
    amount_total: UNIT_AMOUNT,
    metadata: mapAt(params, "metadata"),
    livemode: false,
    order: {
      price,
      taxRates: [
        ...listAt(params, "subscription_data", "default_tax_rates"),
        ...listAt(params, "line_items", "0", "tax_rates"),
      ],
      metadata: mapAt(params, "subscription_data", "metadata"),
    },
    waitingCard: null,
  };
}
