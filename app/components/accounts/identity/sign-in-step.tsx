import { type ClientActionFunctionArgs, useActionData } from "@remix-run/react";
import type { ReactNode } from "react";
import { keepFormWhenOffline, OFFLINE } from "~/components/forms/client-actions";
import { HiddenFields, PostForm, SubmitButton } from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import type { FormAnswer } from "~/kernel/form-answer";

interface SignInStepProps {
  title: string;
  description: ReactNode;
  /** A way out, under the card. */
  below: ReactNode;
  hidden?: Readonly<Record<string, string | null>>;
  /** The form's fields. */
  children?: ReactNode;
  button: { label: string; pendingText: string; variant?: "primary" | "secondary" };
  /** A passkey in place of the form: below it, or above where it is the first choice. */
  passkey?: ReactNode;
  isPasskeyFirst?: boolean;
}

/** One more form on the way in: a code, the password of an account that is linked, a second step once more. */
export function SignInStep(props: SignInStepProps) {
  const { title, description, below, hidden = {}, children, button, passkey, isPasskeyFirst = false } = props;
  const answer = useActionData<FormAnswer>();
  return (
    <AuthLayout title={title} description={description} below={below}>
      <div className="grid gap-5">
        {isPasskeyFirst && passkey}
        <PostForm answer={answer}>
          <HiddenFields values={hidden} />
          <div className="grid gap-5">
            {children}
            <SubmitButton variant={button.variant ?? "primary"} pendingText={button.pendingText}>
              {button.label}
            </SubmitButton>
          </div>
        </PostForm>
        {!isPasskeyFirst && passkey}
      </div>
    </AuthLayout>
  );
}

/** A lost connection is told in the form. */
export const keepSignInWhenOffline = (args: ClientActionFunctionArgs) =>
  keepFormWhenOffline(args, { title: "Login failed", sentence: OFFLINE });
