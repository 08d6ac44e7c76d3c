import { redirect } from "@remix-run/cloudflare";
import { LoadError } from "~/components/ui/page-parts";
import { findTokenHash } from "~/http/context.server";
import { companyCookie, companyLinkCookie, ticketCookie } from "~/http/cookies.server";
import { asAdmin, type Flash, limitByAddress, type PageArgs, page, setFlash } from "~/http/page.server";
import { safeRedirectPath } from "~/http/responses.server";
import { findPerson, startSession } from "~/http/session.server";
import { createSignInResponse, syncAfterReturn } from "~/http/sign-in.server";
import { AppError } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import { TotpRequired } from "~/modules/accounts/identity/sign-in-steps.server";
import { type Begun, finishCompanySignIn } from "~/modules/accounts/single-sign-on/company-sign-in.server";
import { NotSignedIn } from "~/ports/identity-provider";

/** The return from an organisation's provider: `?code&state`, or `?error&state`. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, request } = scope;
  const begun = await companyCookie.read(services, request);
  const response = await finish(scope, begun).catch((error) => leadOn(scope, begun, error));
  response.headers.append("Set-Cookie", await companyCookie.drop(services));
  throw response;
});

async function finish(scope: PageArgs, begun: Begun | null): Promise<Response> {
  const { services, origin, url, params } = scope;
  await limitByAddress(scope, "sign-in");
  const person = begun?.purpose === "test" ? await findPerson(scope) : null;
  const outcome = await finishCompanySignIn(services, origin, {
    begun,
    organizationId: params.id ?? "",
    query: url.searchParams,
    presentedSessionId: await findTokenHash(scope),
    person: person && asAdmin(person),
  });
  if ("tested" in outcome) {
    const description = `You signed in there as ${outcome.tested}, and your account is linked with it. Now choose who signs in there.`;
    return go(services, appPaths.singleSignOn, { tone: "success", title: "The provider works", description });
  }
  if ("ticket" in outcome) {
    const kept = await companyLinkCookie.keep(services, outcome.ticket);
    return redirect(sitePaths.companyLink, { status: 303, headers: { "Set-Cookie": kept } });
  }
  const { signedIn } = outcome;
  if (begun?.purpose !== "renew") {
    return createSignInResponse(services, signedIn, begun?.next, syncAfterReturn(signedIn.person));
  }
  const started = await startSession(services, signedIn.token);
  const to = safeRedirectPath(begun.next) ?? appPaths.dashboard;
  return redirect(to, { status: 303, headers: { "Set-Cookie": started } });
}

async function go(services: PageArgs["services"], to: string, flash: Flash): Promise<Response> {
  return redirect(to, { status: 303, headers: { "Set-Cookie": await setFlash(services, flash) } });
}

/** The page for a person who was not signed in. */
async function leadOn({ services }: PageArgs, begun: Begun | null, error: unknown): Promise<Response> {
  const next = begun?.next ?? null;
  if (error instanceof TotpRequired) {
    const kept = await ticketCookie.keep(services, error.ticket);
    return redirect(withQuery(sitePaths.twoStepSignIn, { next }), { status: 303, headers: { "Set-Cookie": kept } });
  }
  if (error instanceof NotSignedIn) return redirect(withQuery(sitePaths.companyRenew, { next, ask: "yes" }));
  if (!(error instanceof AppError)) throw error;
  const description = error.message;
  if (begun?.purpose === "test") {
    return go(services, appPaths.singleSignOn, { tone: "error", title: "The test did not succeed", description });
  }
  return go(services, withQuery(sitePaths.signIn, { next }), { tone: "error", title: "Login failed", description });
}

/** The loader always redirects. */
export default function CompanyReturn() {
  return null;
}

export function ErrorBoundary() {
  return <LoadError title="Error Signing In" />;
}
