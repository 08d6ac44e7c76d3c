import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { PasswordInput } from "~/components/forms/password-input";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Dialog } from "~/components/ui/dialog";
import type { FormAnswer } from "~/kernel/form-answer";
import { sitePaths } from "~/kernel/paths/site";
import { type AddressLookup, type AuthView, authHref } from "./auth-view";
import { ForgotPasswordForm } from "./forgot-password-form";

interface LoginFormProps {
  view: AuthView;
  found: AddressLookup;
  onEmailTyped: (email: string) => void;
  answer?: FormAnswer;
}

/** Sign in with email and password. Checked by the server, which says what is wrong in the specification's words. */
export function LoginForm({ view, found, onEmailTyped, answer }: LoginFormProps) {
  const email = answer?.values.email ?? view.email;
  const [organization] = found.organizations.length === 1 ? found.organizations : [];
  return (
    <div className="grid gap-5">
      <Form method="post" action={authHref("login", view)} noValidate>
        <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
        <HiddenFields values={{ tab: "login", next: view.next, organisationId: organization?.id }} />
        <div className="grid gap-5">
          <TextInput
            name="email"
            label="Email"
            type="email"
            required
            autoComplete="username"
            defaultValue={email}
            onBlur={(event) => onEmailTyped(event.currentTarget.value)}
            error={answer?.errors.email}
          />
          <PasswordInput
            name="password"
            label="Password"
            required
            minLength={8}
            autoComplete="current-password"
            error={answer?.errors.password}
          />
          <SubmitButton pendingText="Logging in...">Login</SubmitButton>
        </div>
      </Form>
      <div className="justify-self-center text-base">
        <Dialog
          trigger="Forgot your password?"
          triggerVariant="link"
          title="Forgot your password?"
          fallbackHref={`${sitePaths.forgotPassword}?${new URLSearchParams({ email })}`}
        >
          <ForgotPasswordForm email={email} fieldId="forgot-email" />
        </Dialog>
      </div>
    </div>
  );
}
