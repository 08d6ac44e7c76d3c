import { EndpointBadge } from "~/components/accounts/settings/webhook-cards";
import { WebhookEventBoxes } from "~/components/accounts/settings/webhook-event-boxes";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { Time } from "~/components/ui/time";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import type { ShownEndpoint } from "~/modules/messages/webhook-endpoints/endpoint.view";

/** Shown once. */
export function NewSecret({ secret }: { secret: string }) {
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

function Act({
  intent,
  children,
  variant = "secondary",
}: {
  intent: string;
  children: string;
  variant?: "secondary" | "danger";
}) {
  return (
    <Form method="post">
      <HiddenFields values={{ intent }} />
      <SubmitButton name="intent" value={intent} variant={variant} size="sm" pendingText="One moment...">
        {children}
      </SubmitButton>
    </Form>
  );
}

/** Where it is, whether it is told, and what can be done with it. */
export function EndpointCard({ endpoint }: { endpoint: ShownEndpoint }) {
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
          It took nothing for three days, so nothing more is sent. Correct it, send a test event, then switch it on
          again. What was missed can be sent again below.
        </p>
      )}
      {formerUntil && (
        <p className="mt-3">
          The former secret signs too until <Time {...formerUntil} />.
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Act intent="test">Send a test event</Act>
        {status === "active" ? <Act intent="pause">Pause</Act> : <Act intent="resume">Switch on</Act>}
        <Act intent="renew">Make a new secret</Act>
        {formerUntil && <Act intent="end-former">End the former secret</Act>}
      </div>
      <details className="mt-4">
        <summary className="cursor-pointer text-accent-text text-sm underline underline-offset-2">
          Remove the endpoint
        </summary>
        <p className="my-2">It is told of nothing any more, and its log is deleted.</p>
        <Act intent="remove" variant="danger">
          Remove with its log
        </Act>
      </details>
    </Card>
  );
}

interface EventsCardProps {
  endpoint: ShownEndpoint;
  choices: readonly { name: string; label: string }[];
  answer?: FormAnswer;
}

export function EventsCard({ endpoint, choices, answer }: EventsCardProps) {
  const mine = answerTo(answer, "events");
  return (
    <Card title="Events">
      <Form method="post" noValidate className="grid max-w-3xl gap-5">
        <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
        <HiddenFields values={{ intent: "events" }} />
        <WebhookEventBoxes choices={choices} chosen={endpoint.events} answer={mine} />
        <div>
          <SubmitButton name="intent" value="events" pendingText="Saving...">
            Save the events
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
