import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { TextInput } from "~/components/forms/fields";
import {
  type FormAnswer,
  HiddenFields,
  keepFormWhenOffline,
  OFFLINE,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { titled } from "~/components/layout/page-title";
import { Link } from "~/components/ui/elements";
import { companyCookie } from "~/http/cookies.server";
import { formAction, limitByAddress, page, parseForm } from "~/http/page.server";
import { safeRedirectPath } from "~/http/responses.server";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import { beginCompanySignIn, companyEmailSchema } from "~/modules/accounts/single-sign-on/company-sign-in.server";

const TITLE = "Sign in with your company";

/** The person's email address determines whose single sign-on is used. */
export const loader = /* @__PURE__ */ page(async ({ url }) => ({
  email: url.searchParams.get("email") ?? "",
  next: safeRedirectPath(url.searchParams.get("next")) ?? null,
}));

export const action = /* @__PURE__ */ page((scope) =>
  formAction(
    scope,
    async (form) => {
      await limitByAddress(scope, "sign-in");
      const { email } = parseForm(form, companyEmailSchema);
      const next = safeRedirectPath(form.get("next")) ?? null;
      const begun = await beginCompanySignIn(scope.services, { email, next });
      return { to: sitePaths.companyGo, headers: { "Set-Cookie": await companyCookie.keep(scope.services, begun) } };
    },
    { title: "Login failed" },
  ),
);

/** Reports a lost connection in the form. */
export const clientAction = (args: ClientActionFunctionArgs) =>
  keepFormWhenOffline(args, { title: "Login failed", sentence: OFFLINE });

export const meta = titled(TITLE);

export default function CompanySignInPage() {
  const { email, next } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AuthLayout
      title={TITLE}
      description="Enter your work email. If your organisation has its own sign-in, you continue there."
      below={
        <Link
          to={withQuery(sitePaths.signIn, { email: email || undefined, next })}
          className="text-accent-text underline"
        >
          Back to Login
        </Link>
      }
    >
      <PostForm answer={answer} values={{ email }}>
        <HiddenFields values={{ next }} />
        <div className="grid gap-5">
          <TextInput name="email" label="Work email" type="email" required autoComplete="username" />
          <SubmitButton pendingText="Looking...">Continue</SubmitButton>
        </div>
      </PostForm>
    </AuthLayout>
  );
}
