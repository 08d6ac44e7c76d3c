import { data } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { EndpointBadge, WebhookEventBoxes } from "~/components/accounts/settings/webhook-cards";
import {
  ButtonForm,
  Form,
  type FormAnswer,
  HiddenFields,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { ListCard } from "~/components/tables/list-card";
import { Badge, Callout } from "~/components/ui/elements";
import { Card, named, Time } from "~/components/ui/page-parts";
import { check } from "~/http/body.server";
import { newSecretCookie } from "~/http/cookies.server";
import { type Accepted, formAction, idParam, keepingAll, type PageArgs, page, pageAdmin } from "~/http/page.server";
import { invalidInput } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
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
import {
  EVENT_CHOICES,
  type ShownDelivery,
  type ShownEndpoint,
  showDelivery,
  showEndpoint,
} from "~/modules/messages/webhook-endpoints/endpoint.view";
import type { Actor } from "~/services-and-actor";

const TONES = { pending: "pending", delivered: "verified", failed: "review" } as const;

/** What was sent to the endpoint, and its answer. */
function Delivery({ delivery }: { delivery: ShownDelivery }) {
  const { id, label, eventType, status, statusWord, sent, note, request, answer, mayResend } = delivery;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{label}</span>
          <code className="text-ink-soft text-sm">{eventType}</code>
          <Badge tone={TONES[status]}>{statusWord}</Badge>
        </p>
        {mayResend && (
          <Form method="post">
            <HiddenFields values={{ intent: "resend" }} />
            <SubmitButton name="deliveryId" value={id} variant="quiet" size="sm" pendingText="Sending...">
              Send again
              <span className="sr-only">{label}</span>
            </SubmitButton>
          </Form>
        )}
      </div>
      <p className="mt-1 text-ink-soft text-sm">
        <Time {...sent} />
      </p>
      {note && <p className="mt-1 text-sm">{note}</p>}
      <details className="mt-2">
        <summary className="cursor-pointer text-accent-text text-sm underline underline-offset-2">
          Request and answer
        </summary>
        <pre className="mt-2 overflow-x-auto whitespace-pre-wrap break-all rounded-base bg-sunken p-3 font-mono text-sm">
          {request}
        </pre>
        <pre className="mt-2 overflow-x-auto whitespace-pre-wrap break-all rounded-base bg-sunken p-3 font-mono text-sm">
          {answer}
        </pre>
      </details>
    </>
  );
}

export const { meta, ErrorBoundary } = named("Webhook endpoint · Settings", "Error Loading Settings");

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
      return said("The endpoint receives events again");
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
      return said("The former secret is no longer used");
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
      <ListCard
        label="Log"
        title="Log"
        description="The last 60 days."
        rows={deliveries}
        item={(delivery) => <Delivery delivery={delivery} />}
        itemClass="px-5 py-4"
        empty={{
          icon: "history",
          title: "Nothing has been sent yet",
          children: "Send a test event to see that the endpoint works.",
        }}
        pager={{ nextHref }}
      />
    </SettingsPage>
  );
}

/** Shown once. */
function NewSecret({ secret }: { secret: string }) {
  return (
    <Callout tone="warning" role="status" title="Copy the secret now: it is not shown again">
      <p className="mt-2 break-all rounded-base border border-line bg-surface px-3 py-2">
        <code>{secret}</code>
      </p>
      <p className="mt-2">
        Your system checks with it that an event comes from us, as standardwebhooks.com describes. Keep it as you keep a
        password.
      </p>
    </Callout>
  );
}

/** The endpoint's address, whether it is active, and its actions. */
function EndpointCard({ endpoint }: { endpoint: ShownEndpoint }) {
  const { url, status, statusWord, summary, formerUntil } = endpoint;
  return (
    <Card title="Endpoint">
      <p className="flex flex-wrap items-center gap-2">
        <span className="break-all font-medium">{url}</span>
        <EndpointBadge status={status} word={statusWord} />
      </p>
      <p className="mt-1 text-ink-soft text-sm">{summary}</p>
      {status === "disabled" && (
        <p className="mt-3">
          It accepted nothing for three days, so we stopped sending. Correct the endpoint, send a test event, then
          switch it on again. The events it missed can be sent again below.
        </p>
      )}
      {formerUntil && (
        <p className="mt-3">
          Events are also signed with the former secret until <Time {...formerUntil} />.
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonForm intent="test">Send a test event</ButtonForm>
        {status === "active" ? (
          <ButtonForm intent="pause">Pause</ButtonForm>
        ) : (
          <ButtonForm intent="resume">Switch on</ButtonForm>
        )}
        <ButtonForm intent="renew">Make a new secret</ButtonForm>
        {formerUntil && <ButtonForm intent="end-former">End the former secret</ButtonForm>}
      </div>
      <details className="mt-4">
        <summary className="cursor-pointer text-accent-text text-sm underline underline-offset-2">
          Remove the endpoint
        </summary>
        <p className="my-2">It receives nothing more, and its log is deleted.</p>
        <ButtonForm intent="remove" variant="danger">
          Remove with its log
        </ButtonForm>
      </details>
    </Card>
  );
}

interface EventsCardProps {
  endpoint: ShownEndpoint;
  choices: readonly { name: string; label: string }[];
  answer?: FormAnswer;
}

function EventsCard({ endpoint, choices, answer }: EventsCardProps) {
  return (
    <Card title="Events">
      <PostForm intent="events" answer={answer} className="grid max-w-3xl gap-5">
        <WebhookEventBoxes choices={choices} chosen={endpoint.events} />
        <div>
          <SubmitButton pendingText="Saving...">Save the events</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}
