import { redirect } from "@remix-run/cloudflare";
import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import type { SignedIn } from "~/modules/accounts/identity/session.server";
import { loginFormSchema, signIn } from "~/modules/accounts/identity/sign-in.server";
import type { Person, Services } from "~/services-and-actor";
import { check } from "./body.server";
import type { RequestScope } from "./context.server";
import { type Accepted, type Flash, setFlash } from "./page.server";
import { safeRedirectPath } from "./responses.server";
import { findPerson, startSession } from "./session.server";

type Scope = RequestScope & { request: Request };

const FORM = "form";

/** The form fields that a sign-in reads. All others are ignored, including those with invalid names. */
const FIELDS = ["email", "password", "organisationId"] as const;

/** The ways to sign in on a page. The authenticator only identifies the person; sessions are handled elsewhere. */
function createAuthenticator(scope: Scope): Authenticator<SignedIn> {
  const authenticator = new Authenticator<SignedIn>();
  return authenticator.use(
    new FormStrategy(async ({ form }) => {
      const { email, password, organisationId } = check(loginFormSchema, Object.fromEntries(form));
      return signIn(scope.services, scope.origin, {
        login: email,
        password,
        organizationId: organisationId,
        organizationIsHint: true,
        presentedSessionId: await findSessionId(scope),
        mayOfferPasskey: true,
      });
    }),
    FORM,
  );
}

/** Signs in with a posted form that was already read. @throws AppError 400 with fieldErrors, 401, 429 */
export function authenticateForm(scope: Scope, form: FormData): Promise<SignedIn> {
  const body = new URLSearchParams();
  for (const name of FIELDS) {
    const value = form.get(name);
    if (typeof value === "string") body.set(name, value);
  }
  return createAuthenticator(scope).authenticate(FORM, new Request(scope.request.url, { method: "POST", body }));
}

/** The request's session, which a sign-in ends; undefined for a signed-out visitor. */
export async function findSessionId(scope: Scope): Promise<string | undefined> {
  return (await findPerson(scope))?.sessionId;
}

/** The message on the page after a sign-in. */
export function syncAfterReturn({ firstName, username }: Person): Pick<Flash, "title" | "description"> {
  return { title: "Logged in successfully", description: `Welcome back, ${firstName || username}` };
}

/** The response to a sign-in or registration: the session cookie, a welcome message, and a redirect. */
export async function createSignInResponse(
  services: Pick<Services, "config">,
  signedIn: SignedIn,
  next: unknown,
  welcome: Pick<Flash, "title" | "description">,
): Promise<Response> {
  const headers = new Headers();
  headers.append("Set-Cookie", await startSession(services, signedIn.token));
  const action = signedIn.offersPasskey ? { label: "Add a passkey", href: appPaths.passkeys } : undefined;
  headers.append("Set-Cookie", await setFlash(services, { tone: "success", ...welcome, action }));
  // If the time to add a passkey is over, nothing else can be decided before that.
  const to = signedIn.person.needsPasskey ? appPaths.passkeys : (safeRedirectPath(next) ?? appPaths.dashboard);
  return redirect(to, { status: 303, headers });
}

/** Starts a sign-in again that took too long. @param cookie the browser's state to delete */
export async function startAgain(
  services: Services,
  cookie: { drop: (services: Services) => Promise<string> },
  description: string,
): Promise<Accepted> {
  return {
    to: sitePaths.signIn,
    flash: { tone: "error", title: "Login failed", description },
    headers: { "Set-Cookie": await cookie.drop(services) },
  };
}
