import { data } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { NewPasswordFields } from "~/components/accounts/identity/account-fields";
import { type FormAnswer, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { titled } from "~/components/layout/page-title";
import { Button } from "~/components/ui/elements";
import {
  type Accepted,
  formAction,
  limitByAddress,
  orShowLinkState,
  type PageArgs,
  page,
  parseForm,
} from "~/http/page.server";
import { endSession } from "~/http/session.server";
import { notFound } from "~/kernel/app-error";
import { sitePaths } from "~/kernel/paths/site";
import { findPasswordReset, newPasswordFormSchema, resetPassword } from "~/modules/accounts/identity/password.server";

export const loader = /* @__PURE__ */ page(async ({ services, params }) => {
  const reset = await findPasswordReset(services, params.token ?? "");
  if (!reset) throw notFound();
  const { state, email } = reset;
  return data({ state, email }, { status: state === "open" ? 200 : 410 });
});

export const action = /* @__PURE__ */ page((scope) =>
  formAction(scope, (form) => orShowLinkState(scope, () => reset(scope, form)), { title: "Error" }),
);

export const clientAction = keepWhatWasTyped;

async function reset(scope: PageArgs, form: FormData): Promise<Accepted> {
  const { services, origin, params } = scope;
  await limitByAddress(scope, "password-reset");
  const { password } = parseForm(form, newPasswordFormSchema(form));
  await resetPassword(services, origin, { token: params.token ?? "", password });
  const description = "Your API tokens were revoked. Log in with your new password.";
  return {
    to: sitePaths.signIn,
    flash: { tone: "success", title: "Password changed", description },
    headers: { "Set-Cookie": await endSession(services) },
  };
}

export const meta = titled("Set a new password");

const OVER = {
  used: {
    title: "This link has already been used",
    description: "A new password was already set with this link or with another one.",
  },
  expired: { title: "This link has expired", description: "Links work for one hour. We can send you a new one." },
};

export default function ResetPasswordPage() {
  const { state, email } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  if (state !== "open") {
    return (
      <AuthLayout {...OVER[state]}>
        <Button to={`${sitePaths.forgotPassword}?email=${encodeURIComponent(email)}`}>Send a new link</Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Set a new password"
      description={`For ${email}. You will be signed out everywhere, and your API tokens stop working.`}
    >
      <PostForm answer={answer}>
        <div className="grid gap-5">
          <NewPasswordFields email={email} />
          <SubmitButton pendingText="Saving...">Set the password</SubmitButton>
        </div>
      </PostForm>
    </AuthLayout>
  );
}
