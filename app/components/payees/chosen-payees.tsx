import type { MouseEvent, ReactNode } from "react";
import { Form, SubmitButton } from "~/components/forms/form";
import { Button } from "~/components/ui/elements";
import { useHydrated } from "~/components/use-hydrated";

interface ChosenPayeesProps {
  /** They are archived payees. */
  isArchive?: boolean;
  /** Confirmation of Payee is available here. */
  asksBanks?: boolean;
  /** The address to post to, if it is not this page. */
  action?: string;
  children: ReactNode;
}

export function ChoosePayee({ id, name }: { id: string; name: string }) {
  return (
    <input
      data-screen-only
      type="checkbox"
      name="payeeId"
      value={id}
      aria-label={`Choose ${name}`}
      className="tick above-line"
    />
  );
}

/** The rows, and a bar of actions on the ticked ones, which appears once a row is ticked, with or without scripts. */
export function ChosenPayees({ isArchive, asksBanks, action, children }: ChosenPayeesProps) {
  return (
    <Form method="post" action={action}>
      {children}
      <fieldset className="choice-bar" data-screen-only>
        <legend className="sr-only">The ticked payees</legend>
        {isArchive ? (
          <ChosenAction intent="restore" pendingText="Restoring...">
            Restore
          </ChosenAction>
        ) : (
          <>
            <ChosenAction intent="check" pendingText="Counting...">
              Check with their banks
            </ChosenAction>
            {asksBanks && (
              <ChosenAction intent="ask_banks" pendingText="Counting...">
                Ask their banks at once
              </ChosenAction>
            )}
            <ChosenAction intent="archive" pendingText="Archiving...">
              Archive
            </ChosenAction>
          </>
        )}
        <TickAll />
      </fieldset>
    </Form>
  );
}

/** Needs scripts, and is not shown without them. */
function TickAll() {
  const hydrated = useHydrated();
  if (!hydrated) return null;
  const tickAll = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const boxes = currentTarget.form?.querySelectorAll<HTMLInputElement>("input[name=payeeId]") ?? [];
    for (const box of boxes) box.checked = true;
  };
  return (
    <Button type="button" variant="quiet" size="sm" onClick={tickAll}>
      Tick all on this page
    </Button>
  );
}

function ChosenAction({ intent, pendingText, children }: { intent: string; pendingText: string; children: string }) {
  return (
    <SubmitButton name="intent" value={intent} variant="secondary" size="sm" pendingText={pendingText}>
      {children}
    </SubmitButton>
  );
}
