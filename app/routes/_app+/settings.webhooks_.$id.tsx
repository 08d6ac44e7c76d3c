import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { EndpointCard, EventsCard, NewSecret } from "~/components/accounts/settings/webhook-endpoint";
import { WebhookLog } from "~/components/accounts/settings/webhook-log";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { RefusedAct } from "~/components/forms/refused-act";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { check } from "~/http/body.server";
import { type Accepted, formAction, keepingAll } from "~/http/form-action.server";
import { idParam, pageAdmin } from "~/http/guards.server";
import { type PageArgs, page } from "~/http/page.server";
import { newSecretCookie } from "~/http/webhook-cookies.server";
import type { Actor } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import {
  chooseEvents,
  endFormerSecret,
  endpointEventsSchema,
  getEndpoint,
  listDeliveries,
  readLogCursor,
  removeEndpoint,
  renewSecret,
  resendDelivery,
  sendTestEvent,
  setEndpointActive,
} from "~/modules/messages/webhook-endpoints/endpoint.server";
import { EVENT_CHOICES, showDelivery, showEndpoint } from "~/modules/messages/webhook-endpoints/endpoint.view";

export const meta: MetaFunction = (route) => [pageTitle(route, "Webhook endpoint · Settings")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services, request, url, params } = scope;
  const id = idParam(params);
  const endpoint = await getEndpoint(services, actor, id);
  const [log, fresh] = await Promise.all([
    listDeliveries(services, actor, { endpointId: id, after: readLogCursor(url.searchParams) }),
    newSecretCookie.read(services, request),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const isMine = fresh?.userId === actor.userId && fresh.endpointId === id;
  const body = {
    endpoint: showEndpoint(endpoint, zone),
    deliveries: log.rows.map((row) => showDelivery(row, zone)),
    nextHref: log.next && withQuery(appPaths.webhook(id), { after: log.next }),
    choices: EVENT_CHOICES,
    secret: isMine ? fresh.secret : null,
  };
  return data(body, fresh ? { headers: { "Set-Cookie": await newSecretCookie.drop(services) } } : {});
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const id = idParam(scope.params);
  return formAction(scope, (form) => act(scope, actor, id, form), {
    describe: keepingAll("events"),
    title: (form) => (form.get("intent") === "events" ? "The events were not saved" : "Nothing was changed"),
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

async function act({ services }: PageArgs, actor: Actor, id: string, form: FormData): Promise<Accepted> {
  const to = appPaths.webhook(id);
  const said = (title: string) => ({ to, flash: { tone: "success", title } }) as const;
  switch (form.get("intent")) {
    case "test":
      await sendTestEvent(services, actor, id);
      return said("The test event is on its way");
    case "pause":
      await setEndpointActive(services, actor, id, false);
      return said("The endpoint is paused");
    case "resume":
      await setEndpointActive(services, actor, id, true);
      return said("The endpoint is told of events again");
    case "events":
      await chooseEvents(services, actor, id, check(endpointEventsSchema, { events: form.getAll("events") }).events);
      return said("Events saved");
    case "renew": {
      const secret = await renewSecret(services, actor, id);
      const kept = await newSecretCookie.keep(services, { userId: actor.userId, endpointId: id, secret });
      return { to, headers: { "Set-Cookie": kept } };
    }
    case "end-former":
      await endFormerSecret(services, actor, id);
      return said("The former secret signs no more");
    case "resend":
      await resendDelivery(services, actor, String(form.get("deliveryId") ?? ""));
      return said("The event is on its way again");
    case "remove":
      await removeEndpoint(services, actor, id);
      return { to: appPaths.webhooks, flash: { tone: "info", title: "Endpoint removed" } };
    default:
      throw invalidInput({ intent: ["Choose what to do with this endpoint"] }, "Choose what to do with this endpoint");
  }
}

export default function WebhookEndpoint() {
  const { endpoint, deliveries, nextHref, choices, secret } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <SettingsPage description="Tell your own systems when something happens here.">
      {secret && <NewSecret secret={secret} />}
      {answer?.intent !== "events" && <RefusedAct answer={answer} />}
      <EndpointCard endpoint={endpoint} />
      <EventsCard endpoint={endpoint} choices={choices} answer={answer} />
      <WebhookLog deliveries={deliveries} nextHref={nextHref} />
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Settings" />;
}
