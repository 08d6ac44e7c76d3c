import { WebhookEventBoxes } from "~/components/accounts/settings/webhook-event-boxes";
import { TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { FormErrorSummary, HiddenFields, SubmitButton } from "~/components/forms/post-form";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Link } from "~/components/ui/link";
import type { EndpointStatus } from "~/kernel/enums";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { ShownEndpoint } from "~/modules/messages/webhook-endpoints/endpoint.view";

const TONES = { active: "verified", paused: "neutral", disabled: "review" } as const;

export const EndpointBadge = ({ status, word }: { status: EndpointStatus; word: string }) => (
  <Badge tone={TONES[status]}>{word}</Badge>
);

/** An organisation's endpoints, each with the way to its page. */
export function EndpointList({ endpoints }: { endpoints: readonly ShownEndpoint[] }) {
  if (endpoints.length === 0) {
    return (
      <Card title="Endpoints">
        <EmptyState icon="link" title="No endpoints" headingLevel={3}>
          Add one to have your own systems told when something happens here.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card flush title="Endpoints">
      <ul className="divide-y divide-line border-line border-t">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id} className="px-5 py-4">
            <p className="flex flex-wrap items-center gap-2">
              <Link
                to={appPaths.webhook(endpoint.id)}
                className="break-all font-medium text-accent-text underline underline-offset-2"
              >
                {endpoint.url}
              </Link>
              <EndpointBadge status={endpoint.status} word={endpoint.statusWord} />
            </p>
            <p className="mt-1 text-ink-soft text-sm">{endpoint.summary}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface NewEndpointProps {
  choices: readonly { name: string; label: string }[];
  answer?: FormAnswer;
}

export function NewEndpoint({ choices, answer }: NewEndpointProps) {
  const mine = answerTo(answer, "create");
  return (
    <Card
      title="New endpoint"
      description="An https address of yours on the public internet. Each event is posted there as JSON, signed with a secret that you are shown once."
    >
      <Form method="post" noValidate className="grid max-w-3xl gap-5">
        <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
        <HiddenFields values={{ intent: "create" }} />
        <TextInput
          name="url"
          type="url"
          label="Address"
          hint="Such as https://hooks.example.com/payeeproof"
          required
          maxLength={500}
          autoComplete="off"
          defaultValue={mine?.values.url}
          error={mine?.errors.url}
        />
        <WebhookEventBoxes choices={choices} chosen={[]} answer={mine} />
        <div>
          <SubmitButton name="intent" value="create" pendingText="Adding...">
            Add the endpoint
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
