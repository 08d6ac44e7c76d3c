import { AcceptTerms } from "~/components/accounts/identity/accept-terms";
import { NameFields } from "~/components/accounts/identity/name-fields";
import { NewPasswordFields } from "~/components/accounts/identity/new-password-fields";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { LogoutForm } from "~/components/layout/logout-form";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Disclosure } from "~/components/ui/disclosure";
import type { FormAnswer } from "~/kernel/form-answer";
import { sitePaths } from "~/kernel/paths/site";
import { withQuery } from "~/kernel/paths/with-query";

export interface InvitationView {
  state: "open" | "used" | "expired";
  email: string;
  organizationName: string;
  invitedBy: string | null;
  role: string;
  /** Who looks at it: the invited person, another person, or nobody who is signed in. */
  who: "invited" | "somebody_else" | "known" | "unproved" | "shut_out" | "new";
  /** The registration that has the address, where there is one. */
  registered: { by: string; at: string } | null;
  signedInAs: string | null;
  path: string;
}

interface InvitationFormProps {
  view: InvitationView;
  answer?: FormAnswer;
}

/** What an open invitation asks of who looks at it. */
export function InvitationForm({ view, answer }: InvitationFormProps) {
  switch (view.who) {
    case "invited":
      return (
        <Form method="post">
          <FormErrorSummary formErrors={answer?.formErrors} />
          <SubmitButton pendingText="Joining...">Join {view.organizationName}</SubmitButton>
        </Form>
      );
    case "somebody_else":
      return (
        <>
          <Callout tone="warning" title={`You are signed in as ${view.signedInAs}`} className="mb-5">
            <p>This invitation is for {view.email}. Log out, then open the link in your mail again.</p>
          </Callout>
          <LogoutForm>
            <Button type="submit" variant="secondary">
              Logout
            </Button>
          </LogoutForm>
        </>
      );
    case "known":
      return (
        <>
          <p className="mb-5 text-base">{view.email} has an account already. Log in to accept the invitation.</p>
          <Button to={withQuery(sitePaths.signIn, { email: view.email, next: view.path })}>Login</Button>
        </>
      );
    case "unproved":
      return <UnprovedAccount view={view} answer={answer} />;
    case "shut_out":
      return (
        <Callout tone="danger" title="This account is not active">
          <p>The account of {view.email} was ended by its organisation. Please contact us to use it again.</p>
        </Callout>
      );
    case "new":
      return <NewPersonForm view={view} answer={answer} />;
  }
}

/** A person registered with the address, and nobody confirmed it: it may have been the invited person, or anyone else. */
function UnprovedAccount({ view, answer }: InvitationFormProps) {
  const { email, registered, path } = view;
  return (
    <>
      <p className="mb-5 text-base">
        <strong>{registered?.by}</strong> registered {email} with PayeeProof on {registered?.at}. The address was never
        confirmed. If this was you, log in to accept the invitation.
      </p>
      <Button to={withQuery(sitePaths.signIn, { email, next: path })}>Login</Button>
      <div className="mt-6 border-line border-t">
        <Disclosure summary="This was not me, or I do not know the password" open={answer !== undefined}>
          <p className="mb-5">
            Register again. The earlier registration is deleted: everyone who is signed in with it is signed out, and an
            organisation that only it belongs to is closed.
          </p>
          <NewPersonForm view={view} answer={answer} />
        </Disclosure>
      </div>
    </>
  );
}

function NewPersonForm({ view, answer }: InvitationFormProps) {
  const { values = {}, errors = {} } = answer ?? {};
  return (
    <Form method="post" noValidate>
      <FormErrorSummary errors={answer?.errors} formErrors={answer?.formErrors} title={answer?.title} />
      <div className="grid gap-5">
        <TextInput
          name="email"
          label="Email"
          type="email"
          readOnly
          required
          value={view.email}
          autoComplete="username"
        />
        <NameFields values={values} errors={errors} />
        <NewPasswordFields label="Password" errors={errors} />
        <AcceptTerms isAccepted={values.acceptTerms !== undefined} errors={errors} />
        <SubmitButton pendingText="Joining...">Register and join</SubmitButton>
      </div>
    </Form>
  );
}
