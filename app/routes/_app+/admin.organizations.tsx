import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { OrganizationsCard } from "~/components/accounts/admin/organizations-card";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { RefusedAct } from "~/components/forms/refused-act";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { formAction, parseForm } from "~/http/form-action.server";
import { permit, requireRole } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { readOrganizationsQuery } from "~/modules/accounts/administration/admin-lists";
import { suspensionPostSchema } from "~/modules/accounts/administration/admin-lists.server";
import { toOrganizationRow } from "~/modules/accounts/administration/admin-lists.view";
import { listOrganizations } from "~/modules/accounts/administration/organization-list.server";
import { suspendOrganization } from "~/modules/accounts/administration/suspend-organization.server";
import { DEFAULT_POLICY } from "~/modules/accounts/organizations/policies/policy";

const PATH = appPaths.organizations;

export const meta: MetaFunction = (route) => [pageTitle(route, "Organizations")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const { services, url } = scope;
  const query = readOrganizationsQuery(url.searchParams);
  const list = await listOrganizations(services, query);
  const zone = { timeZone: DEFAULT_POLICY.timeZone, now: services.clock.now() };
  return {
    rows: list.organizations.map((one) => toOrganizationRow(one, zone)),
    next: list.next,
    query,
    person: { firstName: person.firstName, lastName: person.lastName, username: person.username },
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  return formAction(scope, async (form) => {
    const { intent, organizationId } = parseForm(form, suspensionPostSchema);
    const active = intent === "resume";
    const { name } = await suspendOrganization(scope.services, person, { organizationId, active });
    const title = active ? `${name} is active again` : `${name} is suspended`;
    return { to: PATH, flash: { tone: "success", title } };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function Organizations() {
  const { person, ...list } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AdminPage person={person} scope="Every organisation" stats={[]}>
      <RefusedAct answer={answer} />
      <OrganizationsCard path={PATH} {...list} />
    </AdminPage>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Organizations" />;
}
