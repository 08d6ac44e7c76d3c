import { TextInput } from "~/components/forms/fields";
import { type FormAnswer, PostForm, SubmitButton } from "~/components/forms/form";
import { sitePaths } from "~/kernel/paths/site";

interface ForgotPasswordFormProps {
  email: string;
  answer?: FormAnswer;
  /** For the dialog, whose page has another form with a field named email. */
  idPrefix?: string;
}

/** Asks for the address to send a password reset link to. */
export function ForgotPasswordForm({ email, answer, idPrefix }: ForgotPasswordFormProps) {
  return (
    <PostForm answer={answer} values={{ email }} idPrefix={idPrefix} action={sitePaths.forgotPassword}>
      <div className="grid gap-5">
        <p className="text-ink-soft">We will email you a link to set a new password. It works for one hour.</p>
        <TextInput name="email" label="Email" type="email" required autoComplete="username" />
        <SubmitButton formAction={sitePaths.forgotPassword} pendingText="Sending...">
          Send the link
        </SubmitButton>
      </div>
    </PostForm>
  );
}
