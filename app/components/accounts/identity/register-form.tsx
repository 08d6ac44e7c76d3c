import { AcceptTerms } from "~/components/accounts/identity/accept-terms";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import type { FormAnswer } from "~/kernel/form-answer";
import { ACCOUNT_EXISTS } from "~/kernel/messages";
import { type AddressLookup, type AuthView, authHref } from "./auth-view";
import { NameFields } from "./name-fields";
import { NewPasswordFields } from "./new-password-fields";
import { OrganizationFields } from "./organization-fields";

interface RegisterFormProps {
  view: AuthView;
  found: AddressLookup;
  onEmailTyped: (email: string) => void;
  answer?: FormAnswer;
}

/** Register a person, with a new organisation or to join one that the email domain leads to. */
export function RegisterForm({ view, found, onEmailTyped, answer }: RegisterFormProps) {
  const { values = {}, errors = {} } = answer ?? {};
  return (
    <Form method="post" action={authHref("register", view)} noValidate>
      {answer?.code === "EMAIL_EXISTS" ? (
        <AccountExists email={values.email ?? ""} next={view.next} />
      ) : (
        <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
      )}
      <HiddenFields values={{ tab: "register", next: view.next, submissionId: view.submissionId }} />
      <div className="grid gap-5">
        <TextInput
          name="email"
          label="Work email"
          type="email"
          required
          autoComplete="email"
          defaultValue={values.email ?? view.email}
          onBlur={(event) => onEmailTyped(event.currentTarget.value)}
          error={errors.email}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <NameFields values={values} errors={errors} />
        </div>
        <NewPasswordFields label="Password" errors={errors} />
        <OrganizationFields {...found} values={values} errors={errors} />
        <AcceptTerms isAccepted={values.acceptTerms !== undefined} errors={errors} />
        <SubmitButton pendingText="Registering...">Register</SubmitButton>
      </div>
    </Form>
  );
}

function AccountExists({ email, next }: { email: string; next: string | null }) {
  return (
    <Callout
      tone="warning"
      role="alert"
      className="mb-6"
      title="Account Already Exists"
      actions={
        <Button to={authHref("login", { email, next })} variant="secondary" size="sm">
          Go to Login
        </Button>
      }
    >
      <p>{ACCOUNT_EXISTS}</p>
    </Callout>
  );
}
