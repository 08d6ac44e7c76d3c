import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { SessionsList } from "~/components/accounts/profile/sessions-list";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import type { Flash } from "~/http/flash.server";
import { formAction } from "~/http/form-action.server";
import { requirePerson } from "~/http/guards.server";
import { type PageArgs, page } from "~/http/page.server";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { listSessions, revokeOtherSessions, revokeSession } from "~/modules/accounts/identity/sessions/session.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Sessions")];

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

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

/** @returns what the page says afterwards */
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

export function ErrorBoundary() {
  return <LoadError title="Error Loading Your Profile" />;
}
