import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";
import { apiRoutes } from "./api";
import { createBank } from "./bank";
import { createCompletion } from "./complete";
import { consentRoutes } from "./consent-pages";
import { basiqFault, notFound } from "./errors";
import { overviewPage } from "./overview-page";
import { basiqState } from "./state";
import { createTokens } from "./tokens";
import { createWebhookSender } from "./webhooks";

const APP_CALLS = /^\/(?:token|users|jobs|events|connectors|notifications)(?:\/|$)/;
const STRANGER = "somebody-else";

/** The bank-data provider and the payees' banks behind it. */
export function basiqParty(context: SimulatorContext): Party {
  const state = basiqState(context);
  const tokens = createTokens(state, context);
  const webhooks = createWebhookSender(state, context);
  const bank = createBank(state, context, webhooks);

  function resend(call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    const event = state.events.find((candidate) => candidate.id === id);
    if (!event) return notFound(call);
    webhooks.resend(event);
    return new Response(null, { status: 303, headers: { location: "/basiq" } });
  }

  function withdraw(call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    if (!state.consents.some((consent) => consent.id === id)) return notFound(call);
    bank.revoke(id);
    return new Response(null, { status: 303, headers: { location: "/basiq" } });
  }

  const routes = [
    ...apiRoutes(state, context, { tokens, bank, webhooks }),
    ...consentRoutes(state, context, tokens, bank),
    route("GET", "", () => overviewPage(state)),
    route("POST", "/complete", createCompletion(state, context, bank)),
    route("POST", "/events/:id/resend", resend),
    route("POST", "/consents/:id/withdraw", withdraw),
  ];
  return {
    name: "basiq",
    links: [{ href: "/basiq", text: "Play the payee's bank" }],
    isAppCall: ({ path }) => APP_CALLS.test(path) && !path.endsWith("/resend"),
    app: createRoutes(routes, (call) => notFound(call)),
    errorAnswer: (status, call) => basiqFault(call, status),
    asSomebodyElse: (answer, { path }) =>
      answer
        .replace(/\/users\/[^/"?]+/g, `/users/${STRANGER}`)
        .replace(/"userId":"[^"]*"/g, `"userId":"${STRANGER}"`)
        .replaceAll(path.startsWith("/events/") ? path.slice("/events/".length) : STRANGER, STRANGER),
  };
}
