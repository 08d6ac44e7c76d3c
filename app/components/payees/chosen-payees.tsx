import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { SubmitButton } from "~/components/forms/submit-button";

/** What can be done with the payees whose boxes are ticked. */
export function ChosenPayees({ canArchive, children }: { canArchive: boolean; children: ReactNode }) {
  if (!canArchive) return children;
  return (
    <Form method="post">
      {children}
      <div data-screen-only className="border-line border-t px-5 py-3">
        <SubmitButton
          name="intent"
          value="archive"
          variant="secondary"
          size="sm"
          icon="file"
          pendingText="Archiving..."
        >
          Archive the chosen payees
        </SubmitButton>
      </div>
    </Form>
  );
}
