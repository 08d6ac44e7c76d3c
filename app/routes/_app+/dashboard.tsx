import { type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { DashboardPage } from "~/components/records/dashboard/dashboard-page";
import { NoOrganization } from "~/components/records/dashboard/no-organization";
import { asMember, requirePerson } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { canAdminister, canWrite } from "~/kernel/actor";
import { appPaths } from "~/kernel/paths/app";
import { findIsFirstVisit } from "~/modules/accounts/identity/user.server";
import { readDashboard } from "~/modules/records/dashboard.server";
import { toDashboardView } from "~/modules/records/dashboard.view";

export const meta: MetaFunction = (route) => [pageTitle(route, "Dashboard")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services } = scope;
  const reading = readAhead(scope, ({ organizationId, userId }) =>
    Promise.all([readDashboard(services, organizationId), findIsFirstVisit(services, userId)]),
  );
  const person = await requirePerson(scope);
  // A super admin without an organisation manages all of them: the list of organisations is their dashboard.
  if (person.role === "super_admin" && person.organizationId === null) throw redirect(appPaths.organizations);
  // People who are not approved yet see the frame's notice instead of the page.
  if (person.status !== "active" || person.organizationId === null) return null;
  const actor = asMember(person);
  const [found, isFirstVisit] = await reading(actor);
  return {
    view: toDashboardView(found, {
      timeZone: actor.timeZone,
      now: services.clock.now(),
      emailVerified: actor.emailVerified,
      twoStepEnabled: actor.twoStepEnabled,
      canAdminister: canAdminister(actor),
    }),
    person: { firstName: actor.firstName, lastName: actor.lastName, username: actor.username },
    organizationName: actor.organizationName,
    isFirstVisit,
    canWrite: canWrite(actor),
  };
});

export default function Dashboard() {
  const loaded = useLoaderData<typeof loader>();
  return loaded ? <DashboardPage {...loaded} /> : <NoOrganization />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading the Dashboard" />;
}
