import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { InvitationForm, type InvitationView } from "~/components/accounts/organizations/invitation-form";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { Button } from "~/components/ui/button";
import { formAction, parseForm } from "~/http/form-action.server";
import { orShowLinkState } from "~/http/one-time-link.server";
import { type PageArgs, page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { findPerson } from "~/http/session.server";
import { createSignInResponse } from "~/http/sign-in-response.server";
import { AppError } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { linkPaths } from "~/kernel/paths/links";
import { newcomerSchema } from "~/modules/accounts/administration/admin-lists.server";
import type { SignedIn } from "~/modules/accounts/identity/sessions/signed-in.server";
import {
  acceptInvitation,
  isUnconfirmedRegistration,
  registerByInvitation,
} from "~/modules/accounts/members/accept-invitation.server";
import { findInvitation } from "~/modules/accounts/members/invitations.server";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";

export const meta: MetaFunction = (route) => [pageTitle(route, "Invitation")];

/** Opening the link changes nothing: mail scanners open links. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const { services, params } = scope;
  const token = params.token ?? "";
  const [invitation, person] = await Promise.all([findInvitation(services, token), findPerson(scope)]);
  if (!invitation) {
    throw new AppError(
      "NOT_FOUND",
      404,
      "We do not recognise this invitation. It may have been withdrawn, or sent again.",
    );
  }
  const { state, email, organizationName, invitedBy, role, account } = invitation;
  const who = (): InvitationView["who"] => {
    if (person) return person.email === email ? "invited" : "somebody_else";
    if (!account) return "new";
    if (account.status === "inactive") return "shut_out";
    return isUnconfirmedRegistration(account) ? "unproved" : "known";
  };
  const view: InvitationView = {
    state,
    email,
    organizationName,
    invitedBy,
    role: ROLE_LABELS[role],
    who: who(),
    registered: account && { by: account.registeredBy, at: formatDateTime(account.registeredAt) },
    signedInAs: person?.email ?? null,
    path: linkPaths.invitation(token),
  };
  return data(view, { status: state === "expired" ? 410 : 200 });
});

export const action = /* @__PURE__ */ page((scope) =>
  formAction(scope, (form) => orShowLinkState(scope, () => join(scope, form), OVER), {
    title: "You have not joined yet",
  }),
);

/** Pressed twice, too late, or with an account by now: the page itself says how the invitation stands. */
const OVER = ["INVITATION_USED", "INVITATION_EXPIRED", "EMAIL_EXISTS"];

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

async function join(scope: PageArgs, form: FormData): Promise<Response> {
  await limitByAddress(scope, "registration");
  const { person, token } = await accept(scope, form);
  const description = `You are working with ${person.organizationName} now`;
  return createSignInResponse(scope.services, { person, token }, appPaths.dashboard, {
    title: "Invitation accepted",
    description,
  });
}

/** As the person who is signed in, else as a new one. */
async function accept(scope: PageArgs, form: FormData): Promise<SignedIn> {
  const { services, origin, params } = scope;
  const token = params.token ?? "";
  const person = await findPerson(scope);
  if (person) return acceptInvitation(services, person, token);
  const { firstName, lastName, password } = parseForm(form, newcomerSchema(form));
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
        <Button to={appPaths.dashboard} variant={isUsed ? "primary" : "secondary"}>
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
