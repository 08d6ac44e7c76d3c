import { data } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AcceptTerms, NameFields, NewPasswordFields } from "~/components/accounts/identity/account-fields";
import { TextInput } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { LogoutForm } from "~/components/layout/logout-form";
import { titled } from "~/components/layout/page-title";
import { Disclosure } from "~/components/ui/disclosure";
import { Button, Callout } from "~/components/ui/elements";
import { formAction, limitByAddress, orShowLinkState, type PageArgs, page, parseForm } from "~/http/page.server";
import { findPerson } from "~/http/session.server";
import { createSignInResponse } from "~/http/sign-in.server";
import { AppError } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { linkPaths } from "~/kernel/paths/links";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import type { SignedIn } from "~/modules/accounts/identity/session.server";
import {
  acceptInvitation,
  isUnconfirmedRegistration,
  newcomerSchema,
  registerByInvitation,
} from "~/modules/accounts/members/accept-invitation.server";
import { findInvitation } from "~/modules/accounts/members/invitations.server";
import { ROLE_LABELS } from "~/modules/accounts/organizations/roles";

export const meta = titled("Invitation");

/** Opening the link changes nothing, because mail scanners open links. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const { services, params } = scope;
  const token = params.token ?? "";
  const [invitation, person] = await Promise.all([findInvitation(services, token), findPerson(scope)]);
  if (!invitation) {
    throw new AppError("NOT_FOUND", "We do not recognise this invitation. It may have been withdrawn, or sent again.");
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

/** The button was pressed twice or too late, or an account exists by now: the page shows the invitation's state. */
const OVER = ["INVITATION_USED", "INVITATION_EXPIRED", "EMAIL_EXISTS"];

export const clientAction = keepWhatWasTyped;

async function join(scope: PageArgs, form: FormData): Promise<Response> {
  await limitByAddress(scope, "registration");
  const { person, token } = await accept(scope, form);
  const description = `You are now working in ${person.organizationName}`;
  return createSignInResponse(scope.services, { person, token }, appPaths.dashboard, {
    title: "Invitation accepted",
    description,
  });
}

/** As the signed-in person, otherwise as a new one. */
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

interface InvitationView {
  state: "open" | "used" | "expired";
  email: string;
  organizationName: string;
  invitedBy: string | null;
  role: string;
  /** The viewer: the invited person, another person, or somebody who is not signed in. */
  who: "invited" | "somebody_else" | "known" | "unproved" | "shut_out" | "new";
  /** The registration with this address, if there is one. */
  registered: { by: string; at: string } | null;
  signedInAs: string | null;
  path: string;
}

interface InvitationFormProps {
  view: InvitationView;
  answer?: FormAnswer;
}

/** The form of an open invitation, depending on who views it. */
function InvitationForm({ view, answer }: InvitationFormProps) {
  switch (view.who) {
    case "invited":
      return (
        <Form method="post">
          <FormErrorSummary formErrors={answer?.formErrors} />
          <SubmitButton pendingText="Joining...">Join {view.organizationName}</SubmitButton>
        </Form>
      );
    case "somebody_else":
      return (
        <>
          <Callout tone="warning" title={`You are signed in as ${view.signedInAs}`} className="mb-5">
            <p>This invitation is for {view.email}. Log out, then open the link in your email again.</p>
          </Callout>
          <LogoutForm>
            <Button type="submit" variant="secondary">
              Logout
            </Button>
          </LogoutForm>
        </>
      );
    case "known":
      return (
        <>
          <p className="mb-5 text-base">{view.email} already has an account. Log in to accept the invitation.</p>
          <Button to={withQuery(sitePaths.signIn, { email: view.email, next: view.path })}>Login</Button>
        </>
      );
    case "unproved":
      return <UnprovedAccount view={view} answer={answer} />;
    case "shut_out":
      return (
        <Callout tone="danger" title="This account is not active">
          <p>The account of {view.email} was ended by its organisation. Please contact us to use it again.</p>
        </Callout>
      );
    case "new":
      return <NewPersonForm view={view} answer={answer} />;
  }
}

/** Somebody registered with the address without confirming it: the invited person, or anybody else. */
function UnprovedAccount({ view, answer }: InvitationFormProps) {
  const { email, registered, path } = view;
  return (
    <>
      <p className="mb-5 text-base">
        <strong>{registered?.by}</strong> registered {email} with PayeeProof on {registered?.at}. The address was never
        confirmed. If this was you, log in to accept the invitation.
      </p>
      <Button to={withQuery(sitePaths.signIn, { email, next: path })}>Login</Button>
      <div className="mt-6 border-line border-t">
        <Disclosure summary="This was not me, or I do not know the password" open={answer !== undefined}>
          <p className="mb-5">
            Register again. The earlier registration is deleted: everyone who is signed in with it is signed out, and an
            organisation that only it belongs to is closed.
          </p>
          <NewPersonForm view={view} answer={answer} />
        </Disclosure>
      </div>
    </>
  );
}

function NewPersonForm({ view, answer }: InvitationFormProps) {
  return (
    <PostForm answer={answer}>
      <div className="grid gap-5">
        <TextInput
          name="email"
          label="Email"
          type="email"
          readOnly
          required
          value={view.email}
          autoComplete="username"
        />
        <NameFields />
        <NewPasswordFields label="Password" />
        <AcceptTerms />
        <SubmitButton pendingText="Joining...">Register and join</SubmitButton>
      </div>
    </PostForm>
  );
}
