import { redirect } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { AccountPasswordField, CodeField } from "~/components/accounts/identity/proof-fields";
import { keepSignInWhenOffline, SignInStep } from "~/components/accounts/identity/sign-in-step";
import { titled } from "~/components/layout/page-title";
import { findTokenHash } from "~/http/context.server";
import { companyLinkCookie } from "~/http/cookies.server";
import { type Accepted, formAction, limitByAddress, type PageArgs, page, parseForm } from "~/http/page.server";
import { createSignInResponse, startAgain, syncAfterReturn } from "~/http/sign-in.server";
import { AppError } from "~/kernel/app-error";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import { linkAccount, linkSchema } from "~/modules/accounts/single-sign-on/company-sign-in.server";

const TITLE = "Link your account";

/** An organisation's provider cannot open an existing account until its person has signed in to it once. */
export const loader = /* @__PURE__ */ page(async ({ services, request }) => {
  const ticket = await companyLinkCookie.read(services, request);
  if (!ticket) throw redirect(sitePaths.companySignIn);
  return { email: ticket.email, asksCode: ticket.asksCode };
});

export const action = /* @__PURE__ */ page((scope) =>
  formAction(scope, (form) => linkNow(scope, form), { title: "Login failed" }),
);

async function linkNow(scope: PageArgs, form: FormData): Promise<Accepted | Response> {
  const { services, origin, request } = scope;
  await limitByAddress(scope, "sign-in");
  const ticket = await companyLinkCookie.read(services, request);
  if (!ticket) return startAgain(services, companyLinkCookie, "This took too long. Please start again.");
  const given = parseForm(form, linkSchema);
  try {
    const presentedSessionId = await findTokenHash(scope);
    const signedIn = await linkAccount(services, origin, ticket, { ...given, presentedSessionId });
    const response = await createSignInResponse(services, signedIn, ticket.next, syncAfterReturn(signedIn.person));
    response.headers.append("Set-Cookie", await companyLinkCookie.drop(services));
    return response;
  } catch (error) {
    if (error instanceof AppError && error.code === "SIGN_IN_EXPIRED")
      return startAgain(services, companyLinkCookie, error.message);
    throw error;
  }
}

export const clientAction = keepSignInWhenOffline;

export const meta = titled(TITLE);

export default function LinkPage() {
  const { email, asksCode } = useLoaderData<typeof loader>();
  return (
    <SignInStep
      title={TITLE}
      description={`There is already an account with ${email}. Enter its password once. From then on your company's sign-in opens it.`}
      button={{ label: "Link and log in", pendingText: "Linking..." }}
      below={
        <Link
          to={withQuery(sitePaths.forgotPassword, { email })}
          className="inline-flex min-h-6 items-center text-accent-text underline"
        >
          Forgot your password?
        </Link>
      }
    >
      <AccountPasswordField email={email} />
      {asksCode && <CodeField />}
    </SignInStep>
  );
}
