import { Form } from "@remix-run/react";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Dialog } from "~/components/ui/dialog";
import { type AuthAnswer, type AuthView, authHref } from "./auth-view";
import { FORGOT_PATH, ForgotPasswordForm } from "./forgot-password-form";

interface LoginFormProps {
  view: AuthView;
  answer?: AuthAnswer;
}

/** Sign in with email and password. Checked by the server, which says what is wrong in the specification's words. */
export function LoginForm({ view, answer }: LoginFormProps) {
  const email = answer?.values.email ?? view.email;
  const [organization] = view.organizations.length === 1 ? view.organizations : [];
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
            error={answer?.errors.email}
          />
          <TextInput
            name="password"
            label="Password"
            type="password"
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
          fallbackHref={`${FORGOT_PATH}?${new URLSearchParams({ email })}`}
        >
          <ForgotPasswordForm email={email} fieldId="forgot-email" />
        </Dialog>
      </div>
    </div>
  );
}
