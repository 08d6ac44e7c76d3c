import { Checkbox, FieldError } from "~/components/forms/fields";
import type { FormAnswer } from "~/kernel/form-answer";

interface WebhookEventBoxesProps {
  choices: readonly { name: string; label: string }[];
  /** What is chosen already; a refused form says what was ticked. */
  chosen: readonly string[];
  answer: FormAnswer | undefined;
}

/** What an endpoint is told of. */
export function WebhookEventBoxes({ choices, chosen, answer }: WebhookEventBoxesProps) {
  const posted = answer?.extra?.events;
  const ticked: readonly unknown[] = Array.isArray(posted) ? posted : chosen;
  return (
    <fieldset>
      <legend className="font-medium text-base">What it is told of</legend>
      <div className="mt-2 grid gap-2.5 sm:grid-cols-2">
        {choices.map(({ name, label }, index) => (
          <Checkbox
            key={name}
            id={index === 0 ? "events" : `event-${name}`}
            name="events"
            value={name}
            defaultChecked={ticked.includes(name)}
            label={
              <>
                {label} <code className="text-ink-soft text-sm">{name}</code>
              </>
            }
          />
        ))}
      </div>
      <FieldError id="events-error" error={answer?.errors.events} />
    </fieldset>
  );
}
