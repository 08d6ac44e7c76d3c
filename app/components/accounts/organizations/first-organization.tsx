import { CreateOrganizationForm } from "~/components/accounts/organizations/create-organization-form";
import { Form } from "~/components/forms/form";
import { LogoutForm } from "~/components/layout/logout-form";
import { Button } from "~/components/ui/button";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";

interface FirstOrganizationProps {
  pending: readonly unknown[];
  email: string;
  emailVerified: boolean;
  suggestedName: string;
  answer?: FormAnswer;
}

/** The ways on for a person without an organisation: create one, ask to join one, or log out. */
export function FirstOrganization({ pending, email, emailVerified, suggestedName, answer }: FirstOrganizationProps) {
  return (
    <div className="grid gap-8">
      <section className={pending.length > 0 ? "mt-8 border-line border-t pt-6" : undefined}>
        <h2 className="mb-4 font-semibold text-lg">Create a new organisation</h2>
        <CreateOrganizationForm suggestedName={suggestedName} answer={answer} />
      </section>
      {pending.length === 0 && (
        <section className="grid gap-3 border-line border-t pt-6 text-base">
          <h2 className="font-semibold text-lg">Ask to join your organisation</h2>
          {emailVerified ? (
            <p>
              No organisation uses the email domain of {email} yet. Ask an administrator of your organisation to invite
              you: the invitation comes to {email}.
            </p>
          ) : (
            <>
              <p>
                Confirm your email address with the link we sent to {email}. If an organisation uses its domain, you can
                then ask to join it here. Or ask an administrator of your organisation to invite you.
              </p>
              <Form method="post" action={appPaths.profile}>
                <Button type="submit" name="intent" value="resend" variant="secondary">
                  Send the link again
                </Button>
              </Form>
            </>
          )}
        </section>
      )}
      <LogoutForm className="border-line border-t pt-6">
        <Button type="submit" variant="quiet">
          Logout
        </Button>
      </LogoutForm>
    </div>
  );
}
