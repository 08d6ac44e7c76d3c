import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { SubmitButton } from "~/components/forms/submit-button";
import { FORGOT_PATH } from "~/components/identity/forgot-password-form";
import { NewPasswordFields } from "~/components/identity/new-password-fields";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { Button } from "~/components/ui/button";
import { check, readForm } from "~/http/body.server";
import { toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { answerForm } from "~/http/form-action.server";
import { page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { endSession } from "~/http/session.server";
import { notFound } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { newPasswordFormSchema } from "~/modules/identity/account.schema.server";
import { resetPassword } from "~/modules/identity/password/password-reset.commands.server";
import { findPasswordReset } from "~/modules/identity/password/password-reset.queries.server";

export const loader = /* @__PURE__ */ page(async ({ services, params }) => {
  const reset = await findPasswordReset(services, params.token ?? "");
  if (!reset) throw notFound();
  const { state, email } = reset;
  return data({ state, email }, { status: state === "open" ? 200 : 410 });
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services, origin, request, params, url } = scope;
  const form = await readForm(request);
  try {
    await limitByAddress(scope, "password-reset");
    const { password } = check(newPasswordFormSchema(form), Object.fromEntries(form));
    await resetPassword(services, origin, { token: params.token ?? "", password });
  } catch (error) {
    const refused = toAppError(error, services.log);
    // Used or expired in the meantime: the page itself says so.
    if (refused.status === 410) return redirect(url.pathname, 303);
    if (refused.status === 404) throw refused;
    return answerForm(form, refused, "Error");
  }
  const headers = new Headers();
  const description = "Log in with your new password.";
  headers.append("Set-Cookie", await setFlash(services, { tone: "success", title: "Password changed", description }));
  headers.append("Set-Cookie", await endSession(services));
  return redirect("/auth", { status: 303, headers });
});

export const meta: MetaFunction = (route) => [pageTitle(route, "Set a new password")];

const OVER = {
  used: { title: "This link was used already", description: "It set a new password, or a newer link took its place." },
  expired: { title: "This link has expired", description: "Links work for one hour. We can send you a new one." },
};

export default function ResetPasswordPage() {
  const { state, email } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  if (state !== "open") {
    return (
      <AuthLayout {...OVER[state]}>
        <Button to={`${FORGOT_PATH}?email=${encodeURIComponent(email)}`}>Send a new link</Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Set a new password" description={`For ${email}. You will be signed out everywhere.`}>
      <Form method="post" noValidate>
        <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
        <div className="grid gap-5">
          <NewPasswordFields email={email} errors={answer?.errors} />
          <SubmitButton pendingText="Saving...">Set the password</SubmitButton>
        </div>
      </Form>
    </AuthLayout>
  );
}
