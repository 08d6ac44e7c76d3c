import { type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ProfileFrame } from "~/components/profile/profile-frame";
import { SessionsList } from "~/components/profile/sessions-list";
import { readForm } from "~/http/body.server";
import { type Flash, setFlash } from "~/http/flash.server";
import { requirePerson } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import { revokeOtherSessions, revokeSession } from "~/modules/identity/sessions/sessions.commands.server";
import { listSessions } from "~/modules/identity/sessions/sessions.queries.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Sessions")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return { sessions: await listSessions(scope.services, person) };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  const { services } = scope;
  const form = await readForm(scope.request);
  let flash: Flash = { tone: "success", title: "Signed out everywhere else" };
  if (form.get("intent") === "others") await revokeOtherSessions(services, person);
  else {
    try {
      await revokeSession(services, person, { sessionId: String(form.get("sessionId") ?? "") });
      flash = { tone: "success", title: "Session ended" };
    } catch (error) {
      // Ended by itself, or in another window: what was wanted is so.
      if (!(error instanceof AppError) || error.status !== 404) throw error;
      flash = { tone: "info", title: "This session was over already" };
    }
  }
  return redirect("/profile/sessions", { status: 303, headers: { "Set-Cookie": await setFlash(services, flash) } });
});

export default function SessionsPage() {
  const { sessions } = useLoaderData<typeof loader>();
  return (
    <ProfileFrame>
      <SessionsList sessions={sessions} />
    </ProfileFrame>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Your Profile" />;
}
