import { useActionData, useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { EndpointList, NewEndpoint } from "~/components/accounts/settings/webhook-cards";
import { type FormAnswer, keepWhatWasTyped } from "~/components/forms/form";
import { named } from "~/components/ui/page-parts";
import { check } from "~/http/body.server";
import { newSecretCookie } from "~/http/cookies.server";
import { formAction, keepingAll, page, pageAdmin } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { addEndpoint, listEndpoints, newEndpointSchema } from "~/modules/messages/webhook-endpoints/endpoint.server";
import { EVENT_CHOICES, showEndpoint } from "~/modules/messages/webhook-endpoints/endpoint.view";

export const { meta, ErrorBoundary } = named("Webhooks · Settings", "Error Loading Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services } = scope;
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const endpoints = await listEndpoints(services, actor);
  return { endpoints: endpoints.map((endpoint) => showEndpoint(endpoint, zone)), choices: EVENT_CHOICES };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services } = scope;
  const add = async (form: FormData) => {
    const input = check(newEndpointSchema, { url: form.get("url") ?? "", events: form.getAll("events") });
    const { id, secret } = await addEndpoint(services, actor, input);
    const kept = await newSecretCookie.keep(services, { userId: actor.userId, endpointId: id, secret });
    return { to: appPaths.webhook(id), headers: { "Set-Cookie": kept } };
  };
  return formAction(scope, add, { title: "The endpoint was not added", describe: keepingAll("events") });
});

export const clientAction = keepWhatWasTyped;

export default function Webhooks() {
  const { endpoints, choices } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <SettingsPage description="Tell your own systems when something happens here.">
      <EndpointList endpoints={endpoints} />
      <NewEndpoint choices={choices} answer={answer} />
    </SettingsPage>
  );
}
