import { useActionData, useLoaderData } from "@remix-run/react";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  SubmitButton,
} from "~/components/forms/form";
import { Badge } from "~/components/ui/elements";
import { Card, named, Time } from "~/components/ui/page-parts";
import { type Flash, formAction, type PageArgs, page, requirePerson } from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import type { SignInMethod } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import {
  listSessions,
  revokeOtherSessions,
  revokeSession,
  type SessionView,
} from "~/modules/accounts/identity/session.server";
import type { Person } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named("Sessions", "Error Loading Your Profile");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return { sessions: await listSessions(scope.services, person) };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return formAction(scope, async (form) => ({
    to: appPaths.sessions,
    flash: await endSessions(scope.services, person, form),
  }));
});

export const clientAction = keepWhatWasTyped;

/** @returns the message on the page afterwards */
async function endSessions(services: PageArgs["services"], person: Person, form: FormData): Promise<Flash> {
  if (form.get("intent") === "others") {
    await revokeOtherSessions(services, person);
    return { tone: "success", title: "Signed out everywhere else" };
  }
  try {
    await revokeSession(services, person, { sessionId: String(form.get("sessionId") ?? "") });
    return { tone: "success", title: "Session ended" };
  } catch (error) {
    // It expired, or was ended in another window.
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    return { tone: "info", title: "This session had already ended" };
  }
}

export default function SessionsPage() {
  const { sessions } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <ProfileFrame>
      {answer && <FormErrorSummary title={answer.title} errors={answer.errors} formErrors={answer.formErrors} />}
      <SessionsList sessions={sessions} />
    </ProfileFrame>
  );
}

const METHODS: Readonly<Record<SignInMethod, string>> = {
  password: "with the password",
  password_and_code: "with the password and a code",
  password_and_passkey: "with the password and a passkey",
  passkey: "with a passkey",
  provider: "with your company",
  provider_two_step: "with your company, in two steps",
};

/** Where a person is signed in, with buttons to end each session. */
function SessionsList({ sessions }: { sessions: SessionView[] }) {
  const hasOthers = sessions.some((session) => !session.isThisOne);
  return (
    <Card
      flush
      title="Where you are signed in"
      description="End the sessions that you do not recognise, and change your password."
      actions={
        hasOthers && (
          <Form method="post">
            <SubmitButton name="intent" value="others" variant="secondary" pendingText="Signing out...">
              Sign out everywhere else
            </SubmitButton>
          </Form>
        )
      }
    >
      <ul className="divide-y divide-line border-line border-t">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.isThisOne && <Badge tone="verified">This one</Badge>}
              </p>
              <p className="break-words text-ink-soft text-sm">
                {[session.place, session.ipAddress].filter(Boolean).join(", ") || "Address unknown"}
              </p>
              <p className="text-ink-soft text-sm">
                Last seen <Time {...session.lastSeen} />, signed in {session.signedIn}
                {session.method && ` ${METHODS[session.method]}`}
              </p>
            </div>
            {!session.isThisOne && (
              <Form method="post">
                <HiddenFields values={{ intent: "revoke" }} />
                <SubmitButton name="sessionId" value={session.id} variant="quiet" size="sm" pendingText="Ending...">
                  End
                  <span className="sr-only">
                    the session of {session.device}, signed in {session.signedIn}
                  </span>
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
