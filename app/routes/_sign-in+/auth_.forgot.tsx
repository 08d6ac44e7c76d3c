import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { ForgotPasswordForm } from "~/components/accounts/identity/forgot-password-form";
import { type FormAnswer, keepFormWhenOffline } from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { titled } from "~/components/layout/page-title";
import { formAction, limitByAddress, page, parseForm, reword } from "~/http/page.server";
import { sitePaths } from "~/kernel/paths/site";
import { askForPasswordReset, forgotPasswordSchema } from "~/modules/accounts/identity/password.server";

/** The forgot-password dialog as a page, for use without scripts. */
export const loader = /* @__PURE__ */ page(async ({ url }) => ({ email: url.searchParams.get("email") ?? "" }));

export const action = /* @__PURE__ */ page((scope) =>
  formAction(
    scope,
    async (form) => {
      await limitByAddress(scope, "password-reset");
      await askForPasswordReset(scope.services, scope.origin, parseForm(form, forgotPasswordSchema));
      const description = "If there is an account with this address, you will receive the link in a moment.";
      return { to: sitePaths.signIn, flash: { tone: "success", title: "Password reset email sent", description } };
    },
    { title: "Error", describe: (error) => reword(error, "An error occurred. Please try again.") },
  ),
);

/** Reports a network failure in the form; what was typed stays. */
export const clientAction = (args: ClientActionFunctionArgs) =>
  keepFormWhenOffline(args, { title: "Error", sentence: "An unexpected error occurred. Please try again." });

export const meta = titled("Forgot your password?");

export default function ForgotPasswordPage() {
  const { email } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AuthLayout
      title="Forgot your password?"
      below={
        <Link to={sitePaths.signIn} className="text-accent-text underline">
          Back to Login
        </Link>
      }
    >
      <ForgotPasswordForm email={email} answer={answer} />
    </AuthLayout>
  );
}
