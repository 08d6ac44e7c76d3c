import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import type { SignedIn } from "~/modules/identity/sessions/signed-in.queries.server";
import { loginFormSchema } from "~/modules/identity/sign-in/login.schema.server";
import { signIn } from "~/modules/identity/sign-in/sign-in.commands.server";
import { check } from "./body.server";
import type { RequestScope } from "./context.server";
import { findPerson } from "./session.server";

type Scope = RequestScope & { request: Request };

const FORM = "form";

/** The ways to sign in on a page. The session is ours to keep: the authenticator only tells who it is. */
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
      });
    }),
    FORM,
  );
}

/**
 * Signs in with the form of a post.
 * @param request whose body nobody has read: a clone, where the form is read elsewhere as well
 * @throws AppError 400 with fieldErrors, 401, 429
 */
export const authenticateForm = (scope: Scope, request: Scope["request"]): Promise<SignedIn> =>
  createAuthenticator(scope).authenticate(FORM, request);

/** The session that the request came with, which a sign-in ends; undefined for a signed-out visitor. */
export async function findSessionId(scope: Scope): Promise<string | undefined> {
  return (await findPerson(scope))?.sessionId;
}
