import { useLocation } from "@remix-run/react";
import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";

interface SavedViewsProps {
  views: readonly { id: string; name: string; query: string }[];
  isRoomy: boolean;
  /** Address of the view that is shown: what saving keeps. */
  here: string;
  answer?: FormAnswer;
}

const hrefOf = (query: string) => `${appPaths.pendingVerifications}${query ? `?${query}` : ""}`;

/** The person's own views of the queue, saving this one, and how much space rows have. */
export function SavedViews({ views, isRoomy, here, answer }: SavedViewsProps) {
  const { key } = useLocation();
  const refused = answer?.intent === "save-view" ? answer : undefined;
  return (
    <details key={key} open={refused !== undefined} className="group/views relative">
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-1.5 rounded-base border border-control bg-surface px-3 font-medium text-base [&::-webkit-details-marker]:hidden">
        Views
        <Icon name="chevronDown" className="size-4 group-open/views:rotate-180" />
      </summary>
      <div className="absolute right-0 z-20 mt-1 grid w-80 max-w-[calc(100vw-2.5rem)] gap-4 rounded-base border border-line bg-surface p-4 text-base shadow-lift max-sm:right-auto max-sm:left-0">
        {views.length > 0 && (
          <ul aria-label="Saved views" className="grid gap-1">
            {views.map((view) => (
              <li key={view.id} className="flex items-center justify-between gap-2">
                <Link
                  to={hrefOf(view.query)}
                  aria-current={hrefOf(view.query) === here ? "page" : undefined}
                  className="min-w-0 truncate font-medium text-accent-text underline underline-offset-2"
                >
                  {view.name}
                </Link>
                <Form method="post">
                  <HiddenFields values={{ intent: "remove-view", view: view.id }} />
                  <Button type="submit" variant="quiet" size="sm" aria-label={`Remove ${view.name}`}>
                    Remove
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        )}
        <Form method="post" noValidate className="grid gap-2">
          <TextInput
            name="name"
            id="view-name"
            label="Save this view as"
            required
            maxLength={60}
            autoComplete="off"
            defaultValue={refused?.values.name}
            error={refused?.errors.name}
          />
          <div>
            <SubmitButton name="intent" value="save-view" variant="secondary" size="sm" pendingText="Saving...">
              Save view
            </SubmitButton>
          </div>
        </Form>
        <Form method="post" className="border-line border-t pt-3">
          <HiddenFields values={{ intent: "density", roomy: isRoomy ? "no" : "yes" }} />
          <Button type="submit" variant="quiet" size="sm">
            {isRoomy ? "Dense rows" : "More space between rows"}
          </Button>
        </Form>
      </div>
    </details>
  );
}
