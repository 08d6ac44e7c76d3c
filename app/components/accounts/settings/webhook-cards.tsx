import { CheckboxGroup } from "~/components/forms/checkbox-group";
import { TextInput } from "~/components/forms/fields";
import { type FormAnswer, PostForm, SubmitButton } from "~/components/forms/form";
import { ListCard } from "~/components/tables/list-card";
import { Badge, Link } from "~/components/ui/elements";
import { Card } from "~/components/ui/page-parts";
import type { EndpointStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import type { ShownEndpoint } from "~/modules/messages/webhook-endpoints/endpoint.view";

const TONES = { active: "verified", paused: "neutral", disabled: "review" } as const;

export const EndpointBadge = ({ status, word }: { status: EndpointStatus; word: string }) => (
  <Badge tone={TONES[status]}>{word}</Badge>
);

/** An organisation's endpoints, with links to their pages. */
export function EndpointList({ endpoints }: { endpoints: readonly ShownEndpoint[] }) {
  return (
    <ListCard
      label="Endpoints"
      title="Endpoints"
      rows={endpoints}
      itemClass="px-5 py-4"
      item={(endpoint) => (
        <>
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
        </>
      )}
      empty={{
        icon: "link",
        title: "No endpoints",
        children: "Add one to tell your own systems when something happens here.",
      }}
    />
  );
}

interface NewEndpointProps {
  choices: readonly { name: string; label: string }[];
  answer?: FormAnswer;
}

export function NewEndpoint({ choices, answer }: NewEndpointProps) {
  return (
    <Card
      title="New endpoint"
      description="An https address of your own on the public internet. Each event is posted there as JSON, signed with a secret that you are shown once."
    >
      <PostForm intent="create" answer={answer} className="grid max-w-3xl gap-5">
        <TextInput
          name="url"
          type="url"
          label="Address"
          hint="Such as https://hooks.example.com/payeeproof"
          required
          maxLength={500}
          autoComplete="off"
        />
        <WebhookEventBoxes choices={choices} />
        <div>
          <SubmitButton pendingText="Adding...">Add the endpoint</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

interface WebhookEventBoxesProps {
  choices: readonly { name: string; label: string }[];
  chosen?: readonly string[];
}

export function WebhookEventBoxes({ choices, chosen }: WebhookEventBoxesProps) {
  const options = choices.map(({ name, label }) => ({
    value: name,
    label: (
      <>
        {label} <code className="text-ink-soft text-sm">{name}</code>
      </>
    ),
  }));
  return <CheckboxGroup name="events" label="Events it receives" options={options} chosen={chosen} wide />;
}
