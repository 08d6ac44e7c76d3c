import { TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { FormErrorSummary, SubmitButton } from "~/components/forms/post-form";
import type { FormAnswer } from "~/kernel/form-answer";
import { sitePaths } from "~/kernel/paths/site";

interface ForgotPasswordFormProps {
  email: string;
  answer?: FormAnswer;
  /** The dialog shares its page with another form that has a field named email. */
  fieldId?: string;
}

/** Asks for the address that a link to set a new password is sent to. */
export function ForgotPasswordForm({ email, answer, fieldId = "email" }: ForgotPasswordFormProps) {
  const errors = answer?.errors.email;
  return (
    <Form method="post" action={sitePaths.forgotPassword} noValidate>
      <FormErrorSummary
        title={answer?.title}
        errors={errors && { [fieldId]: errors }}
        formErrors={answer?.formErrors}
      />
      <div className="grid gap-5">
        <p className="text-ink-soft">We send you a link to set a new password. It works for one hour.</p>
        <TextInput
          id={fieldId}
          name="email"
          label="Email"
          type="email"
          required
          autoComplete="username"
          defaultValue={answer?.values.email ?? email}
          error={errors}
        />
        <SubmitButton formAction={sitePaths.forgotPassword} pendingText="Sending...">
          Send the link
        </SubmitButton>
      </div>
    </Form>
  );
}
