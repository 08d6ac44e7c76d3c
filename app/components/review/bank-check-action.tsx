import { Form, Link } from "@remix-run/react";
import { SubmitButton } from "~/components/forms/submit-button";
import { Button } from "~/components/ui/button";
import { appPaths } from "~/kernel/paths/app";
import type { ReviewView } from "~/modules/review/review.view";

/** The check with the payee's bank: start it, look whether it has ended, or start it again. */
export function BankCheckAction({ view, selfHref }: { view: ReviewView; selfHref: string }) {
  const { check, payee, providerName } = view;
  if (check === "running") {
    return (
      <Button to={selfHref} variant="secondary" icon="refresh" preventScrollReset>
        Check again
      </Button>
    );
  }
  if (!view.canDecide || check === "closed") return null;
  if (check === "no_contact") {
    return (
      <p className="text-base text-ink-soft">
        To ask the payee's bank,{" "}
        <Link to={appPaths.editPayee(payee.id)} className="font-medium text-accent-text underline underline-offset-2">
          add an email address or a mobile number
        </Link>{" "}
        to the payee first.
      </p>
    );
  }
  return (
    <Form method="post" preventScrollReset>
      <SubmitButton
        name="intent"
        value="verify-basiq"
        variant={view.primary === "check" ? "primary" : "secondary"}
        icon="bank"
        pendingText="Starting..."
      >
        {check === "repeatable" ? `Verify with ${providerName} again` : `Verify with ${providerName}`}
      </SubmitButton>
    </Form>
  );
}
