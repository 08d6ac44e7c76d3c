import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "~/components/forms/submit-button";

interface ChosenPayeesProps {
  /** They are archived payees. */
  isArchive?: boolean;
  /** Where it is posted, unless to this page. */
  action?: string;
  children: ReactNode;
}

/** A row's box. */
export function ChoosePayee({ id, name }: { id: string; name: string }) {
  return (
    <input
      data-screen-only
      type="checkbox"
      name="payeeId"
      value={id}
      aria-label={`Choose ${name}`}
      className="tick relative z-1"
    />
  );
}

/** What can be done with the payees whose boxes are ticked. */
export function ChosenPayees({ isArchive, action, children }: ChosenPayeesProps) {
  return (
    <Form method="post" action={action}>
      {children}
      <div data-screen-only className="flex flex-wrap items-center gap-2 border-line border-t px-5 py-3">
        <span className="mr-1 text-ink-soft text-sm">Ticked payees:</span>
        {isArchive ? (
          <Act intent="restore" pendingText="Restoring...">
            Restore
          </Act>
        ) : (
          <>
            <Act intent="check" pendingText="Counting...">
              Check with their banks
            </Act>
            <Act intent="archive" pendingText="Archiving...">
              Archive
            </Act>
          </>
        )}
      </div>
    </Form>
  );
}

function Act({ intent, pendingText, children }: { intent: string; pendingText: string; children: string }) {
  return (
    <SubmitButton name="intent" value={intent} variant="secondary" size="sm" pendingText={pendingText}>
      {children}
    </SubmitButton>
  );
}
