import { redirect } from "@remix-run/cloudflare";
import { LoadError } from "~/components/ui/page-parts";
import { findTokenHash } from "~/http/context.server";
import { companyCookie } from "~/http/cookies.server";
import { limitByAddress, page, setFlash } from "~/http/page.server";
import { safeRedirectPath } from "~/http/responses.server";
import { AppError } from "~/kernel/app-error";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import { beginRenewal, findVouchedSession } from "~/modules/accounts/single-sign-on/company-sign-in.server";

/** Renews a session whose provider sign-in has expired: silently first, otherwise by asking the person. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, url } = scope;
  const next = safeRedirectPath(url.searchParams.get("next")) ?? null;
  const toSignIn = withQuery(sitePaths.signIn, { next });
  const sessionId = await findTokenHash(scope);
  const session = sessionId === undefined ? undefined : await findVouchedSession(services, scope.origin, sessionId);
  if (!session) throw redirect(toSignIn);
  await limitByAddress(scope, "sign-in");
  const silently = url.searchParams.get("ask") !== "yes";
  try {
    const begun = await beginRenewal(services, session, { next, silently });
    if (!begun) throw redirect(toSignIn);
    throw redirect(begun.address, { headers: { "Set-Cookie": await companyCookie.keep(services, begun) } });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const flash = await setFlash(services, { tone: "error", title: "Login failed", description: error.message });
    throw redirect(toSignIn, { headers: { "Set-Cookie": flash } });
  }
});

/** The loader always redirects. */
export default function CompanyRenew() {
  return null;
}

export function ErrorBoundary() {
  return <LoadError title="Error Signing In" />;
}
