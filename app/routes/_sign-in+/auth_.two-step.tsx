import { type MetaFunction, redirect } from "@remix-run/cloudflare";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { CodeField } from "~/components/identity/code-field";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { ticketCookie } from "~/http/account-cookies.server";
import { findSessionId } from "~/http/authenticator.server";
import { check, readForm } from "~/http/body.server";
import { toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { answerForm } from "~/http/form-action.server";
import { type PageArgs, page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { safeRedirectPath } from "~/http/safe-redirect.server";
import { createSignInResponse } from "~/http/sign-in-response.server";
import type { FormAnswer } from "~/kernel/form-answer";
import { codeSchema } from "~/modules/identity/account.schema.server";
import { finishSignIn } from "~/modules/identity/sign-in/sign-in.commands.server";

/** The second step of a sign-in: who comes without the first is sent back to it. */
export const loader = /* @__PURE__ */ page(async ({ services, request, url }) => {
  if (!(await ticketCookie.read(services, request))) throw redirect("/auth");
  return { next: safeRedirectPath(url.searchParams.get("next")) ?? null };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services, origin, request } = scope;
  const form = await readForm(request);
  const ticket = await ticketCookie.read(services, request);
  if (!ticket) return startAgain(scope, "This took too long. Please sign in again.");
  try {
    await limitByAddress(scope, "sign-in");
    const { code } = check(codeSchema, Object.fromEntries(form));
    const presentedSessionId = await findSessionId(scope);
    const signedIn = await finishSignIn(services, origin, { ticket, totp: code, presentedSessionId });
    const description = `Welcome back, ${signedIn.person.firstName || signedIn.person.username}`;
    const welcome = { title: "Logged in successfully", description };
    const response = await createSignInResponse(services, signedIn, form.get("next"), welcome);
    response.headers.append("Set-Cookie", await ticketCookie.drop(services));
    return response;
  } catch (error) {
    const refused = toAppError(error, services.log);
    if (refused.code === "SIGN_IN_EXPIRED") return startAgain(scope, refused.message);
    return answerForm(form, refused, "Login failed");
  }
});

async function startAgain({ services }: PageArgs, description: string) {
  const headers = new Headers();
  headers.append("Set-Cookie", await setFlash(services, { tone: "error", title: "Login failed", description }));
  headers.append("Set-Cookie", await ticketCookie.drop(services));
  return redirect("/auth", { status: 303, headers });
}

export const meta: MetaFunction = (route) => [pageTitle(route, "Two-step sign-in")];

export default function TwoStepPage() {
  const { next } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AuthLayout
      title="Two-step sign-in"
      description="Your password was right. Now the code, please."
      below={
        <Link to="/auth" className="text-accent-text underline">
          Back to Login
        </Link>
      }
    >
      <Form method="post" noValidate>
        <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
        <HiddenFields values={{ next }} />
        <div className="grid gap-5">
          <CodeField error={answer?.errors.code} />
          <SubmitButton pendingText="Logging in...">Continue</SubmitButton>
        </div>
      </Form>
    </AuthLayout>
  );
}
