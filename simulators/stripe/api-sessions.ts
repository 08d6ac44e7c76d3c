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
    createCheckout(desk),
    listCheckouts(desk),
    endpoint(desk, {
      method: "GET",
      pattern: "/checkout/sessions/:id",
      takes: [],
      run: ({ path }) => find(desk, "checkoutSessions", path.id ?? ""),
    }),
    endCheckout(desk),
    createPortal(desk),
    makeClock(desk),
    endpoint(desk, {
      method: "GET",
      pattern: "/test_helpers/test_clocks/:id",
      takes: [],
      run: ({ path }) => find(desk, "clocks", path.id ?? ""),
    }),
    moveClock(desk),
    listEvents(desk),
    showEvent(desk),
    endpoint(desk, { method: "GET", pattern: "/prices/:id", takes: [], run: ({ path }) => priceOf(path.id ?? "") }),
    endpoint(desk, {
      method: "GET",
      pattern: "/tax_rates/:id",
      takes: [],
      run: ({ path }) => taxRateOf(path.id ?? ""),
    }),
  ];
}

function createCheckout(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/checkout/sessions",
    takes: [
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
    run({ params }) {
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
  });
}

function listCheckouts(desk: Desk): Route {
  return endpoint(desk, {
    method: "GET",
    pattern: "/checkout/sessions",
    takes: [...LIST_TAKES, "customer", "status", "subscription"],
    run: (asked) =>
      listPage(
        desk,
        matching(desk.state.checkoutSessions, asked, "customer", "status", "subscription"),
        asked,
        "/v1/checkout/sessions",
      ),
  });
}

function endCheckout(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/checkout/sessions/:id/expire",
    takes: [],
    run({ path }) {
      const session = find(desk, "checkoutSessions", path.id ?? "");
      if (session.status !== "open") {
        throw invalid(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        );
      }
      expireCheckout(desk, session);
      return session;
    },
  });
}

function createPortal(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/billing_portal/sessions",
    takes: ["customer", "return_url", "flow_data"],
    run({ params }) {
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
    },
  });
}

function makeClock(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/test_helpers/test_clocks",
    takes: ["frozen_time", "name"],
    run({ params }) {
      const frozenTime = Number(textAt(params, "frozen_time"));
      if (!Number.isInteger(frozenTime)) throw missing("frozen_time");
      return createClock(desk, frozenTime, textAt(params, "name") ?? null);
    },
  });
}

function moveClock(desk: Desk): Route {
  return endpoint(desk, {
    method: "POST",
    pattern: "/test_helpers/test_clocks/:id/advance",
    takes: ["frozen_time"],
    run({ params, path }) {
      const clock = find(desk, "clocks", path.id ?? "");
      advanceClock(desk, clock, Number(textAt(params, "frozen_time")));
      return clock;
    },
  });
}

function listEvents(desk: Desk): Route {
  return endpoint(desk, {
    method: "GET",
    pattern: "/events",
    takes: [...LIST_TAKES, "type"],
    run: (asked) => {
      const type = textAt(asked.params, "type");
      return listPage(
        desk,
        desk.state.events.filter((event) => type === undefined || event.type === type),
        asked,
        "/v1/events",
      );
    },
  });
}

function showEvent(desk: Desk): Route {
  return endpoint(desk, {
    method: "GET",
    pattern: "/events/:id",
    takes: [],
    run({ path }) {
      const event = desk.state.events.find((known) => known.id === path.id);
      if (!event) throw noSuch("event", path.id ?? "");
      return event;
    },
  });
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
