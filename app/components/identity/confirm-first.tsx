import { Form, useLocation } from "@remix-run/react";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Callout } from "~/components/ui/callout";
import { appPaths } from "~/kernel/paths/app";
import { type MissingConfirmation, sayMissingConfirmation } from "~/modules/notifications/outside-messages";

interface ConfirmFirstProps {
  /** Null: nothing is missing. */
  missing: MissingConfirmation | null;
  /** What can be done all the same. */
  then?: string;
  className?: string;
}

/** Says before a form what has to be confirmed first, and sends the link again. Nothing where nothing is missing. */
export function ConfirmFirst({ missing, then, className = "mb-6" }: ConfirmFirstProps) {
  const { pathname, search } = useLocation();
  if (!missing) return null;
  const { title, text } = sayMissingConfirmation(missing);
  return (
    <Callout
      tone="warning"
      icon="mail"
      title={title}
      className={className}
      actions={
        missing.ownEmail !== null && (
          <Form method="post" action={appPaths.profile}>
            <HiddenFields values={{ intent: "resend", next: `${pathname}${search}` }} />
            <SubmitButton variant="secondary" size="sm" pendingText="Sending...">
              Send the link again
            </SubmitButton>
          </Form>
        )
      }
    >
      {text} {then}
    </Callout>
  );
}
