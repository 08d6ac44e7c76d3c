import { data } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { NewPasswordFields } from "~/components/accounts/identity/account-fields";
import { AccountPasswordField } from "~/components/accounts/identity/proof-fields";
import { answerTo, Form, type FormAnswer, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { titled } from "~/components/layout/page-title";
import { Disclosure } from "~/components/ui/disclosure";
import { Button } from "~/components/ui/elements";
import {
  type Accepted,
  formAction,
  limitByAddress,
  orShowLinkState,
  type PageArgs,
  page,
  parseForm,
} from "~/http/page.server";
import { findPerson, startSession } from "~/http/session.server";
import { notFound } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { confirmEmail } from "~/modules/accounts/identity/confirm-email.server";
import {
  type AccountProof,
  findConfirmation,
  getOpenConfirmation,
  renewConfirmation,
} from "~/modules/accounts/identity/confirmation.server";
import { disownRegistration } from "~/modules/accounts/identity/disown-registration.server";
import { accountPasswordSchema, newPasswordFormSchema } from "~/modules/accounts/identity/password.server";

/** Opening the link changes nothing, because email scanners open links. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const { services, params } = scope;
  const [confirmation, person] = await Promise.all([findConfirmation(services, params.token ?? ""), findPerson(scope)]);
  if (!confirmation) throw notFound();
  const { state, email, userId, registeredBy, registeredAt, organizationName } = confirmation;
  const view = {
    state,
    email,
    registeredBy,
    registeredAt: formatDateTime(registeredAt),
    organizationName,
    isSignedIn: person?.userId === userId,
  };
  return data(view, { status: state === "expired" ? 410 : 200 });
});

export const action = /* @__PURE__ */ page((scope) =>
  formAction(
    scope,
    (form) =>
      orShowLinkState(scope, () => {
        switch (form.get("intent")) {
          case "renew":
            return renew(scope);
          case "disown":
            return disown(scope);
          default:
            return confirm(scope, form);
        }
      }),
    { title: "Your address is not confirmed yet" },
  ),
);

export const clientAction = keepWhatWasTyped;

async function confirm(scope: PageArgs, form: FormData): Promise<Accepted> {
  const { services, origin, params } = scope;
  await limitByAddress(scope, "sign-in");
  const token = params.token ?? "";
  await getOpenConfirmation(services, token);
  const person = await findPerson(scope);
  const proof = readProof(form, person?.userId);
  const { email, signedIn } = await confirmEmail(services, origin, {
    token,
    proof,
    presentedSessionId: person?.sessionId,
  });
  const flash = { tone: "success" as const, title: "Email address confirmed", description: email };
  if (!signedIn) return { to: appPaths.dashboard, flash };
  return { to: appPaths.dashboard, flash, headers: { "Set-Cookie": await startSession(services, signedIn.token) } };
}

/** The password if one was typed, otherwise the session; the command refuses another account's session. */
function readProof(form: FormData, userId: string | undefined): AccountProof {
  if (form.get("intent") === "new-password") {
    return { by: "new_password", password: parseForm(form, newPasswordFormSchema(form)).password };
  }
  if (form.has("password") || userId === undefined) {
    return { by: "password", password: parseForm(form, accountPasswordSchema).password };
  }
  return { by: "session", userId };
}

async function renew(scope: PageArgs): Promise<Accepted> {
  await limitByAddress(scope, "registration");
  await renewConfirmation(scope.services, scope.params.token ?? "");
  return {
    to: sitePaths.signIn,
    flash: { tone: "success", title: "New link sent", description: "Please check your mailbox." },
  };
}

async function disown(scope: PageArgs): Promise<Accepted> {
  const { services, origin, params } = scope;
  await limitByAddress(scope, "registration");
  const { email } = await disownRegistration(services, origin, params.token ?? "");
  const description = `No one can use PayeeProof as ${email} now. You can register with it yourself.`;
  return { to: sitePaths.home, flash: { tone: "success", title: "Registration deleted", description } };
}

export const meta = titled("Confirm your email address");

export default function ConfirmEmailPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const { state, email } = view;
  if (state === "used") {
    return (
      <AuthLayout title="Email address confirmed" description={`${email} has been confirmed.`}>
        <Button to={appPaths.dashboard}>Go to the dashboard</Button>
      </AuthLayout>
    );
  }
  if (state === "expired") {
    return (
      <AuthLayout
        title="This link has expired"
        description={`Links work for 24 hours. We can send a new one to ${email}.`}
      >
        <Form method="post">
          <SubmitButton name="intent" value="renew" pendingText="Sending...">
            Send a new link
          </SubmitButton>
        </Form>
        <DisownRegistration {...view} answer={answer} />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Confirm your email address">
      <ConfirmRegistration {...view} answer={answer} />
    </AuthLayout>
  );
}

interface RegistrationProps {
  email: string;
  /** The name from the registration form. */
  registeredBy: string;
  registeredAt: string;
  organizationName: string | null;
  answer?: FormAnswer;
}

/**
 * Confirms an address for a person who controls the mailbox and the account. Somebody signed in to the account presses
 * a button; others enter its password or choose a new one.
 */
function ConfirmRegistration({ isSignedIn, ...registration }: RegistrationProps & { isSignedIn: boolean }) {
  const { email, answer } = registration;
  return (
    <>
      <WhoRegistered {...registration} />
      {isSignedIn ? (
        <WayForm intent="confirm" answer={answer} button="Confirm my address" pending="Confirming..." />
      ) : (
        <>
          <WayForm intent="confirm" answer={answer} button="Confirm my address" pending="Confirming...">
            <p>To confirm the address, enter the password of this account.</p>
            <AccountPasswordField email={email} />
          </WayForm>
          <div className="mt-6 border-line border-t">
            <Disclosure
              summary="I do not know the password"
              name="other-ways"
              open={answerTo(answer, "new-password") !== undefined}
            >
              <WayForm
                intent="new-password"
                answer={answer}
                button="Set the password and confirm"
                pending="Confirming..."
                variant="secondary"
              >
                <p>
                  Choose a new password for {email}. Everyone who is signed in to this account is signed out, its API
                  tokens stop working, and two-step sign-in is turned off.
                </p>
                <NewPasswordFields email={email} />
              </WayForm>
            </Disclosure>
          </div>
        </>
      )}
      <DisownRegistration {...registration} />
    </>
  );
}

function WhoRegistered({ email, registeredBy, registeredAt, organizationName }: RegistrationProps) {
  return (
    <p className="mb-5 break-words text-base">
      <strong>{registeredBy}</strong> registered {email} with PayeeProof on {registeredAt}
      {organizationName && (
        <>
          , for <strong>{organizationName}</strong>
        </>
      )}
      .
    </p>
  );
}

/** For a person whose address was registered by somebody else. */
function DisownRegistration({ email, registeredBy, answer }: RegistrationProps) {
  return (
    <Disclosure summary="This was not me" name="other-ways" open={answerTo(answer, "disown") !== undefined}>
      <WayForm intent="disown" answer={answer} button="Delete this registration" pending="Deleting..." variant="danger">
        <p>
          If you are not {registeredBy}, another person used {email} without asking you. Deleting the registration ends
          their access and frees the address.
        </p>
      </WayForm>
    </Disclosure>
  );
}

interface WayFormProps {
  intent: string;
  answer?: FormAnswer;
  button: string;
  pending: string;
  variant?: "secondary" | "danger";
  children?: ReactNode;
}

/** One of the possible answers to the email. */
function WayForm({ intent, answer, button, pending, variant, children }: WayFormProps) {
  const idPrefix = intent === "new-password" ? "new" : undefined;
  return (
    <PostForm intent={intent} idPrefix={idPrefix} answer={answer} className="grid gap-4">
      {children}
      <div>
        <SubmitButton variant={variant} pendingText={pending}>
          {button}
        </SubmitButton>
      </div>
    </PostForm>
  );
}
