import { useLocation } from "@remix-run/react";
import { Form, HiddenFields, SubmitButton } from "~/components/forms/form";
import { Callout } from "~/components/ui/elements";
import { appPaths } from "~/kernel/paths/app";
import type { MissingConfirmation } from "~/modules/messages/notifications/outside-messages";

export interface ConfirmNoticeProps {
  missing: MissingConfirmation;
  /** What can be done without the confirmation. */
  then?: string;
  className?: string;
}

/** What has to be confirmed first, with a button that sends the link again. */
export function ConfirmNotice({ missing, then, className = "mb-6" }: ConfirmNoticeProps) {
  const { pathname, search } = useLocation();
  const { title, text, isOwn } = missing;
  return (
    <Callout
      tone="warning"
      icon="mail"
      title={title}
      className={className}
      actions={
        isOwn && (
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
