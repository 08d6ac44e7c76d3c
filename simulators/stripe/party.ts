import { Hono } from "hono";
import type { CallEnv, Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, type Route, route } from "../routes";
import { customerRoutes } from "./api-customers";
import { paymentRoutes } from "./api-payments";
import { sessionRoutes } from "./api-sessions";
import { subscriptionRoutes } from "./api-subscriptions";
import { browserScript, elementFrame } from "./browser-script";
import { advanceClock, catchUp, clockOf } from "./clock";
import { createDesk, type Desk } from "./desk";
import { preflight } from "./endpoint";
import { errorAnswer, faultAnswer, Refusal } from "./errors";
import { hostedRoutes } from "./hosted-pages";
import { overviewPage } from "./overview-page";
import { seeOther } from "./page-parts";
import { portalRoutes } from "./portal-pages";
import { DAY } from "./subscriptions";

/** The card payment provider: interface, hosted pages, browser script, signed events, and a clock that can be moved on. */
export function stripeParty(context: SimulatorContext): Party {
  const desk = createDesk(context);
  const routes = [
    ...customerRoutes(desk),
    ...subscriptionRoutes(desk),
    ...paymentRoutes(desk),
    ...sessionRoutes(desk),
    ...hostedRoutes(desk),
    ...portalRoutes(desk),
    route("GET", "", () => overviewPage(desk)),
    route("GET", "/stripe.js", () => browserScript(desk.base)),
    route("GET", "/element", () => elementFrame(desk.base)),
    ...controlRoutes(desk),
  ];

  const app = new Hono<CallEnv>();
  app.options("*", preflight);
  app.use(async (_, next) => {
    catchUp(desk);
    await next();
  });
  app.route("/", createRoutes(routes, notFound));
  app.onError((error) => {
    if (error instanceof Refusal) return errorAnswer(error);
    throw error;
  });

  return {
    name: "stripe",
    links: [{ href: "/stripe", text: "Customers, subscriptions, clocks and events" }],
    isAppCall: ({ path, request }) =>
      path.startsWith("/v1/") &&
      !request.headers.get("authorization")?.startsWith("Bearer pk_") &&
      request.method !== "OPTIONS",
    app,
    errorAnswer: faultAnswer,
    asSomebodyElse: (text) => text.replace(/"customer":"cus_[^"]*"/g, '"customer":"cus_somebodyelse"'),
  };
}

const isJson = ({ request }: SimulatedCall) => request.headers.get("content-type")?.includes("json") ?? false;

const fieldsOf = (call: SimulatedCall): Record<string, unknown> =>
  isJson(call) ? JSON.parse(call.body || "{}") : Object.fromEntries(new URLSearchParams(call.body));

const answer = (call: SimulatedCall, body: unknown) => (isJson(call) ? Response.json(body) : seeOther("/stripe"));

/** What a person or a test steers: a customer's clock, and when events are delivered. */
function controlRoutes(desk: Desk): Route[] {
  return [
    route("POST", "/advance", (call) => {
      const { customer, days = 0, seconds = 0 } = fieldsOf(call);
      const clock = clockOf(desk, String(customer));
      advanceClock(desk, clock, clock.frozen_time + Number(days) * DAY + Number(seconds));
      desk.context.save();
      return answer(call, { customer, frozenTime: clock.frozen_time });
    }),
    route("POST", "/events/hold", (call) => {
      desk.events.hold();
      return answer(call, { held: true });
    }),
    route("POST", "/events/release", async (call) => {
      const { copies = 1, shuffle } = fieldsOf(call);
      await desk.events.release({ copies: Number(copies), shuffle: Boolean(shuffle) });
      return answer(call, { released: true });
    }),
    route("POST", "/events/:id/resend", (call, { id = "" }) => {
      const event = desk.state.events.find((known) => known.id === id);
      if (event) desk.events.resend(event);
      return event ? answer(call, { sent: id }) : notFound(call);
    }),
  ];
}

function notFound({ request, path }: SimulatedCall): Response {
  return errorAnswer(
    new Refusal(404, "invalid_request_error", `Unrecognized request URL (${request.method}: ${path}).`),
  );
}
