import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { InvitationForm, type InvitationView } from "~/components/organizations/invitation-form";
import { Button } from "~/components/ui/button";
import { check, readForm } from "~/http/body.server";
import { toAppError } from "~/http/errors.server";
import { answerForm } from "~/http/form-action.server";
import { type PageArgs, page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { findPerson } from "~/http/session.server";
import { createSignInResponse } from "~/http/sign-in-response.server";
import { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { newcomerSchema } from "~/modules/administration/admin-lists.schema.server";
import type { SignedIn } from "~/modules/identity/sessions/signed-in.queries.server";
import { acceptInvitation, registerByInvitation } from "~/modules/members/accept-invitation.commands.server";
import { invitationPath } from "~/modules/members/invitations";
import { findInvitation } from "~/modules/members/invitations.queries.server";
import { ROLE_LABELS } from "~/modules/organizations/roles";

export const meta: MetaFunction = (route) => [pageTitle(route, "Invitation")];

/** Opening the link changes nothing: mail scanners open links. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const { services, params } = scope;
  const token = params.token ?? "";
  const [invitation, person] = await Promise.all([findInvitation(services, token), findPerson(scope)]);
  if (!invitation) {
    throw new AppError("NOT_FOUND", 404, "This invitation is not known. It may have been taken back, or sent again.");
  }
  const { state, email, organizationName, invitedBy, role, account } = invitation;
  const who = (): InvitationView["who"] => {
    if (person) return person.email === email ? "invited" : "somebody_else";
    if (!account) return "new";
    return account.status === "inactive" ? "shut_out" : "known";
  };
  const view: InvitationView = {
    state,
    email,
    organizationName,
    invitedBy,
    role: ROLE_LABELS[role],
    who: who(),
    signedInAs: person?.email ?? null,
    path: invitationPath(token),
  };
  return data(view, { status: state === "expired" ? 410 : 200 });
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services } = scope;
  await limitByAddress(scope, "registration");
  const form = await readForm(scope.request);
  try {
    const { person, token } = await accept(scope, form);
    const description = `You are working with ${person.organizationName} now`;
    return await createSignInResponse(services, { person, token }, "/dashboard", {
      title: "Invitation accepted",
      description,
    });
  } catch (error) {
    const refused = toAppError(error, services.log);
    // Pressed twice, too late, or with an account by now: the page itself says how the invitation stands.
    if (["INVITATION_USED", "INVITATION_EXPIRED", "EMAIL_EXISTS"].includes(refused.code)) {
      return redirect(scope.url.pathname, 303);
    }
    if (refused.status === 404) throw refused;
    return answerForm(form, refused, "You have not joined yet");
  }
});

/** As the person who is signed in, else as a new one. */
async function accept(scope: PageArgs, form: FormData): Promise<SignedIn> {
  const { services, origin, params } = scope;
  const token = params.token ?? "";
  const person = await findPerson(scope);
  if (person) return acceptInvitation(services, person, token);
  const { firstName, lastName, password } = check(newcomerSchema(form), Object.fromEntries(form));
  return registerByInvitation(services, origin, token, { firstName, lastName, password });
}

export default function InvitationPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  if (view.state !== "open") {
    const isUsed = view.state === "used";
    return (
      <AuthLayout
        title={isUsed ? "This invitation was accepted" : "This invitation has expired"}
        description={
          isUsed
            ? `${view.email} has joined ${view.organizationName}.`
            : `It worked for seven days. Ask ${view.invitedBy ?? "your administrator"} to send it again.`
        }
      >
        <Button to="/dashboard" variant={isUsed ? "primary" : "secondary"}>
          Go to the dashboard
        </Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title={`Join ${view.organizationName}`}
      description={`${view.invitedBy ?? "An administrator"} invites ${view.email}. Your role: ${view.role}.`}
    >
      <InvitationForm view={view} answer={answer} />
    </AuthLayout>
  );
}
