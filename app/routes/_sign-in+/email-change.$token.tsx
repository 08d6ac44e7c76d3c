import { data } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AccountPasswordField } from "~/components/accounts/identity/proof-fields";
import { type FormAnswer, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { titled } from "~/components/layout/page-title";
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
import { findPerson } from "~/http/session.server";
import { notFound } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import {
  confirmEmailChange,
  type EmailChangeProof,
  findEmailChange,
  getOpenEmailChange,
  stopEmailChange,
} from "~/modules/accounts/identity/email-change.server";
import { accountPasswordSchema } from "~/modules/accounts/identity/password.server";

/** Opening the link changes nothing, because email scanners open links. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  await limitByAddress(scope, "verify-link");
  const { services, params } = scope;
  const [change, person] = await Promise.all([findEmailChange(services, params.token ?? ""), findPerson(scope)]);
  if (!change) throw notFound();
  const { state, mailbox, oldEmail, newEmail, askedBy, askedAt, userId } = change;
  const isOver = state === "ended" || state === "expired";
  const view = {
    state,
    mailbox,
    oldEmail,
    newEmail,
    askedBy,
    askedAt: formatDateTime(askedAt),
    isSignedIn: person?.userId === userId,
  };
  return data(view, { status: isOver ? 410 : 200 });
});

export const action = /* @__PURE__ */ page((scope) =>
  formAction(
    scope,
    (form) => orShowLinkState(scope, () => (form.get("intent") === "stop" ? stop(scope) : confirm(scope, form))),
    { title: "The address was not changed" },
  ),
);

export const clientAction = keepWhatWasTyped;

async function confirm(scope: PageArgs, form: FormData): Promise<Accepted> {
  const { services, origin, params, url } = scope;
  await limitByAddress(scope, "sign-in");
  const token = params.token ?? "";
  await getOpenEmailChange(services, token);
  const person = await findPerson(scope);
  const { isChanged, newEmail } = await confirmEmailChange(services, origin, {
    token,
    proof: readProof(form, person?.userId),
  });
  if (!isChanged) return { to: url.pathname };
  const description = `Log in with ${newEmail}.`;
  return { to: sitePaths.signIn, flash: { tone: "success", title: "Email address changed", description } };
}

/** The password if one was typed, otherwise the session; the command refuses another account's session. */
function readProof(form: FormData, userId: string | undefined): EmailChangeProof {
  if (form.has("password") || userId === undefined) {
    return { by: "password", password: parseForm(form, accountPasswordSchema).password };
  }
  return { by: "session", userId };
}

async function stop(scope: PageArgs): Promise<Accepted> {
  await limitByAddress(scope, "password-reset");
  await stopEmailChange(scope.services, scope.origin, scope.params.token ?? "");
  const description = "If it is your account and you did not ask for the change, set a new password now.";
  const action = { label: "Set a new password", href: sitePaths.forgotPassword };
  return { to: sitePaths.home, flash: { tone: "success", title: "Nothing was changed", description, action } };
}

export const meta = titled("Change of email address");

export default function EmailChangePage() {
  const { state, ...change } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  if (state === "ended" || state === "expired") {
    const description =
      state === "expired"
        ? "Links work for 24 hours. Ask for the change again in your profile."
        : "The change was made or stopped, or another change replaced it.";
    return (
      <AuthLayout title="This change of address has ended" description={description}>
        <Button to={appPaths.profile}>Go to your profile</Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Change of email address">
      <ConfirmEmailChange {...change} isWaiting={state === "waiting"} answer={answer} />
    </AuthLayout>
  );
}

interface ConfirmEmailChangeProps {
  mailbox: "old" | "new";
  oldEmail: string;
  newEmail: string;
  askedBy: string;
  askedAt: string;
  /** This mailbox has agreed, the other has not. */
  isWaiting: boolean;
  /** The person is signed in to the account whose address is to change. */
  isSignedIn: boolean;
  answer?: FormAnswer;
}

/** Agrees to a change of address, or stops it. Stopping requires nothing else, because it protects the account. */
function ConfirmEmailChange(props: ConfirmEmailChangeProps) {
  const { mailbox, oldEmail, newEmail, askedBy, askedAt, isWaiting, answer } = props;
  return (
    <>
      <p className="mb-5 break-words text-base">
        <strong>{askedBy}</strong>, who signs in as {oldEmail}, asked on {askedAt} to change the address of their
        PayeeProof account to <strong>{newEmail}</strong>.
      </p>
      {isWaiting ? (
        <p className="mb-5 text-base">
          {mailbox === "new"
            ? `You have agreed. Now ${oldEmail} has to agree: we sent a link there.`
            : `You have agreed. Now ${newEmail} has to agree.`}
        </p>
      ) : (
        <AgreeForm {...props} />
      )}
      <PostForm intent="stop" answer={answer} className="mt-4">
        <SubmitButton variant="secondary" pendingText="Stopping...">
          This was not me: stop the change
        </SubmitButton>
      </PostForm>
    </>
  );
}

function AgreeForm({ oldEmail, isSignedIn, answer }: ConfirmEmailChangeProps) {
  return (
    <PostForm intent="confirm" answer={answer} className="grid gap-4">
      {!isSignedIn && (
        <>
          <p>To change the address, enter the password of this account.</p>
          <AccountPasswordField email={oldEmail} />
        </>
      )}
      <div>
        <SubmitButton pendingText="Confirming...">Yes, change it</SubmitButton>
      </div>
    </PostForm>
  );
}
