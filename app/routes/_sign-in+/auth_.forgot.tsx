import { type MetaFunction, redirect } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, Link, useActionData, useLoaderData } from "@remix-run/react";
import { ForgotPasswordForm } from "~/components/identity/forgot-password-form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { check, readForm } from "~/http/body.server";
import { toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { answerForm } from "~/http/form-action.server";
import { page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { forgotPasswordSchema } from "~/modules/identity/account.schema.server";
import { askForPasswordReset } from "~/modules/identity/password/password-reset.commands.server";

/** The forgot-password dialog as a page of its own, for when no script runs. */
export const loader = /* @__PURE__ */ page(async ({ url }) => ({ email: url.searchParams.get("email") ?? "" }));

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services, origin } = scope;
  const form = await readForm(scope.request);
  try {
    await limitByAddress(scope, "password-reset");
    await askForPasswordReset(services, origin, check(forgotPasswordSchema, Object.fromEntries(form)));
  } catch (error) {
    const refused = toAppError(error, services.log);
    const { code, status } = refused;
    const said = status >= 500 ? new AppError(code, status, "An error occurred. Please try again.") : refused;
    return answerForm(form, said, "Error");
  }
  const description =
    "If there is an account with this address, the link is on its way. Please look into your mailbox.";
  const flash = await setFlash(services, { tone: "success", title: "Password reset email sent", description });
  return redirect("/auth", { status: 303, headers: { "Set-Cookie": flash } });
});

/** A network that fails is told in the form, with what was typed kept. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction<FormAnswer>();
  } catch (error) {
    if (error instanceof Response) throw error;
    const values = { email: String(form.get("email") ?? "") };
    const formErrors = ["An unexpected error occurred. Please try again."];
    const answer: FormAnswer = { intent: "", code: "UNREACHABLE", title: "Error", errors: {}, formErrors, values };
    // With a status that is no success nothing else is asked of the network.
    return Response.json(answer, { status: 503 });
  }
}

export const meta: MetaFunction = (route) => [pageTitle(route, "Forgot your password?")];

export default function ForgotPasswordPage() {
  const { email } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AuthLayout
      title="Forgot your password?"
      below={
        <Link to="/auth" className="text-accent-text underline">
          Back to Login
        </Link>
      }
    >
      <ForgotPasswordForm email={email} answer={answer} />
    </AuthLayout>
  );
}
