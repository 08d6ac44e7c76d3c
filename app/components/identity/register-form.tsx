import { Form, useFetcher } from "@remix-run/react";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { AcceptTerms, NewPasswordFields } from "~/components/identity/new-account-fields";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { type AuthAnswer, type AuthView, authHref } from "./auth-view";
import { OrganizationFields } from "./organization-fields";

interface RegisterFormProps {
  view: AuthView;
  answer?: AuthAnswer;
}

/** Register a person, with a new organisation or to join one that the email domain leads to. */
export function RegisterForm({ view, answer }: RegisterFormProps) {
  const lookup = useFetcher<AuthView>();
  const values = answer?.values ?? {};
  const errors = answer?.errors ?? {};
  const { organizations, suggestedName } = lookup.data ?? answer ?? view;
  return (
    <Form method="post" action={authHref("register", view)} noValidate>
      {answer?.accountExists ? (
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
          onBlur={({ currentTarget }) => {
            const email = currentTarget.value;
            if (/.@.+\../.test(email) && email !== lookup.data?.email) lookup.load(authHref("register", { email }));
          }}
          error={errors.email}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextInput
            name="firstName"
            label="First name"
            required
            minLength={2}
            autoComplete="given-name"
            defaultValue={values.firstName}
            error={errors.firstName}
          />
          <TextInput
            name="lastName"
            label="Last name"
            autoComplete="family-name"
            defaultValue={values.lastName}
            error={errors.lastName}
          />
        </div>
        <NewPasswordFields errors={errors} />
        <OrganizationFields
          organizations={organizations}
          suggestedName={suggestedName}
          values={values}
          errors={errors}
        />
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
      <p>Looks like you already have an account with us. Please login instead.</p>
    </Callout>
  );
}
