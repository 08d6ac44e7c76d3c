import { Link } from "@remix-run/react";
import { Form } from "~/components/forms/form";
import { SubmitButton } from "~/components/forms/post-form";
import { Button } from "~/components/ui/button";
import { appPaths } from "~/kernel/paths/app";
import type { ReviewView } from "~/modules/verifying/review/review.view";

interface BankCheckActionProps {
  view: ReviewView;
  selfHref: string;
  submissionId: string;
}

/** The checks with the payee's bank that can be made now, or a look whether the one under way has ended. */
export function BankCheckAction({ view, selfHref, submissionId }: BankCheckActionProps) {
  const { check, checks, payee } = view;
  return (
    <>
      {checks.length > 0 && (
        <Form method="post" preventScrollReset className="flex flex-wrap gap-2">
          <input type="hidden" name="submissionId" value={submissionId} />
          {checks.map(({ label, ...button }) => (
            <SubmitButton key={label} name="intent" icon="bank" {...button}>
              {label}
            </SubmitButton>
          ))}
        </Form>
      )}
      {check === "running" && (
        <Button to={selfHref} variant="secondary" icon="refresh" preventScrollReset>
          Check again
        </Button>
      )}
      {view.canDecide && check === "no_contact" && (
        <p className="text-base text-ink-soft">
          To ask the payee's bank,{" "}
          <Link to={appPaths.editPayee(payee.id)} className="font-medium text-accent-text underline underline-offset-2">
            add an email address or a mobile number
          </Link>{" "}
          to the payee first.
        </p>
      )}
    </>
  );
}
