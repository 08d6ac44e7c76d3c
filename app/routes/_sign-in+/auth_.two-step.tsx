import { redirect } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { PasskeySignIn } from "~/components/accounts/identity/passkey-sign-in";
import { CodeField } from "~/components/accounts/identity/proof-fields";
import { keepSignInWhenOffline, SignInStep } from "~/components/accounts/identity/sign-in-step";
import { titled } from "~/components/layout/page-title";
import { passkeyCookie, ticketCookie } from "~/http/cookies.server";
import { type Accepted, formAction, limitByAddress, type PageArgs, page, parseForm } from "~/http/page.server";
import { safeRedirectPath } from "~/http/responses.server";
import { createSignInResponse, findSessionId, startAgain, syncAfterReturn } from "~/http/sign-in.server";
import { AppError } from "~/kernel/app-error";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import { relyingParty } from "~/modules/accounts/identity/passkey-assertion.server";
import { finishSignInWithPasskey } from "~/modules/accounts/identity/passkey-sign-in.server";
import { hasPasskey } from "~/modules/accounts/identity/passkeys.server";
import { asksForCode, finishSignIn } from "~/modules/accounts/identity/sign-in.server";
import { codeSchema } from "~/modules/accounts/identity/two-step.server";

/** The second step of a sign-in: people who have not passed the first are sent back to it. */
export const loader = /* @__PURE__ */ page(async ({ services, request, url }) => {
  const ticket = await ticketCookie.read(services, request);
  if (!ticket) throw redirect(sitePaths.signIn);
  return {
    next: safeRedirectPath(url.searchParams.get("next")) ?? null,
    isVouched: ticket.vouchedBy !== undefined,
    asksCode: await asksForCode(services, ticket),
    takesPasskey: relyingParty(services).isPossible && (await hasPasskey(services, ticket.userId)),
  };
});

export const action = /* @__PURE__ */ page((scope) =>
  formAction(scope, (form) => enterCode(scope, form), { title: "Login failed" }),
);

async function enterCode(scope: PageArgs, form: FormData): Promise<Accepted | Response> {
  const { services, origin, request } = scope;
  const ticket = await ticketCookie.read(services, request);
  if (!ticket) return startAgain(services, ticketCookie, "This took too long. Please sign in again.");
  await limitByAddress(scope, "sign-in");
  const passkey = form.get("passkey");
  const presentedSessionId = await findSessionId(scope);
  try {
    const signedIn =
      typeof passkey === "string"
        ? await finishSignInWithPasskey(services, origin, {
            ticket,
            passkey,
            kept: await passkeyCookie.read(services, request),
            presentedSessionId,
          })
        : await finishSignIn(services, origin, {
            ticket,
            totp: parseForm(form, codeSchema).code,
            presentedSessionId,
            mayOfferPasskey: true,
          });
    const response = await createSignInResponse(services, signedIn, form.get("next"), syncAfterReturn(signedIn.person));
    response.headers.append("Set-Cookie", await ticketCookie.drop(services));
    response.headers.append("Set-Cookie", await passkeyCookie.drop(services));
    return response;
  } catch (error) {
    if (error instanceof AppError && error.code === "SIGN_IN_EXPIRED")
      return startAgain(services, ticketCookie, error.message);
    throw error;
  }
}

export const clientAction = keepSignInWhenOffline;

export const meta = titled("Two-step sign-in");

export default function TwoStepPage() {
  const { next, takesPasskey, isVouched, asksCode } = useLoaderData<typeof loader>();
  return (
    <SignInStep
      title="Two-step sign-in"
      description={`${isVouched ? "Your company signed you in" : "Your password was right"}. Now ${asksCode ? "enter the code" : "use your passkey. Without it you can view everything, and change nothing"}.`}
      hidden={asksCode ? { next } : { next, code: "none" }}
      button={{
        label: asksCode ? "Continue" : "Continue without it",
        pendingText: "Logging in...",
        variant: asksCode ? "primary" : "secondary",
      }}
      below={
        <Link to={sitePaths.signIn} className="text-accent-text underline">
          Back to Login
        </Link>
      }
      isPasskeyFirst={!asksCode}
      passkey={
        takesPasskey && (
          <PasskeySignIn
            step="second"
            isOnlyWay={!asksCode}
            next={next}
            action={withQuery(sitePaths.twoStepSignIn, { next })}
          />
        )
      }
    >
      {asksCode && <CodeField />}
    </SignInStep>
  );
}
