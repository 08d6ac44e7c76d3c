import { type ClientActionFunctionArgs, useActionData } from "@remix-run/react";
import type { ReactNode } from "react";
import {
  type FormAnswer,
  HiddenFields,
  keepFormWhenOffline,
  OFFLINE,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";

/** A further step of signing in: a code, the password of an account to link, or a repeated second step. */
export function SignInStep(props: {
  title: string;
  description: ReactNode;
  /** An alternative below the card. */
  below: ReactNode;
  hidden?: Readonly<Record<string, string | null>>;
  children?: ReactNode;
  button: { label: string; pendingText: string; variant?: "primary" | "secondary" };
  /** A passkey as an alternative: below the form, or above it when it is the first choice. */
  passkey?: ReactNode;
  isPasskeyFirst?: boolean;
}) {
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

export const keepSignInWhenOffline = (args: ClientActionFunctionArgs) =>
  keepFormWhenOffline(args, { title: "Login failed", sentence: OFFLINE });
