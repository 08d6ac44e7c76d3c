import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { PeopleCard } from "~/components/accounts/admin/people-card";
import { SignedAct } from "~/components/accounts/identity/signed-act";
import { type FormAnswer, keepWhatWasTyped } from "~/components/forms/form";
import { named } from "~/components/ui/page-parts";
import { type Accepted, formAction, page, parseForm, permit, requireRole } from "~/http/page.server";
import { PEOPLE_ROLES } from "~/kernel/access";
import { notFound } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { displayName } from "~/kernel/text";
import {
  flashOfPerson,
  type PersonRow,
  readPeopleQuery,
  toPersonRow,
} from "~/modules/accounts/administration/admin-lists";
import { changeAccount, countMembers, listMembers, listPeople } from "~/modules/accounts/administration/people.server";
import { signedFieldsOf } from "~/modules/accounts/identity/signed-approval.server";
import { changeMember, getCurrentOrganizationId, memberPostSchema } from "~/modules/accounts/members/members.server";
import type { Person, Services } from "~/services-and-actor";

const PATH = appPaths.users;

export const { meta, ErrorBoundary } = named("Users", "Error Loading Users");

/** Admins see the people of their own organisation, super admins see everybody. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PEOPLE_ROLES), "people");
  const { services, url } = scope;
  const query = readPeopleQuery(url.searchParams);
  const isEverybody = person.role === "super_admin";
  const organizationId = isEverybody ? query.organization : (person.organizationId ?? "");
  const [list, counts] = await Promise.all([
    organizationId === undefined ? listPeople(services, query) : listMembers(services, organizationId, query),
    organizationId === undefined ? undefined : countMembers(services, organizationId),
  ]);
  const own = isEverybody ? list.people[0]?.organizationName : person.organizationName;
  const zone = { timeZone: person.timeZone, now: services.clock.now() };
  return {
    rows: list.people.map((one) => toPersonRow(one, zone)),
    next: list.next,
    counts,
    query,
    isEverybody,
    scope: organizationId === undefined ? "Every organisation" : (own ?? "This organisation"),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PEOPLE_ROLES), "people");
  const { organization } = readPeopleQuery(scope.url.searchParams);
  const listed = person.role === "super_admin" ? organization : undefined;
  return formAction(scope, (form) => act(scope.services, person, listed, form));
});

export const clientAction = keepWhatWasTyped;

/** @param listed the organisation in whose list a super admin acted; absent: the list of all, by current one */
async function act(services: Services, person: Person, listed: string | undefined, form: FormData): Promise<Accepted> {
  const { userId, change } = parseForm(form, memberPostSchema);
  const to = withQuery(PATH, { organization: listed });
  const organizationId =
    person.role === "super_admin"
      ? (listed ?? (await getCurrentOrganizationId(services, userId)))
      : person.organizationId;
  if (organizationId !== null) {
    const { member, isChanged } = await changeMember(services, person, {
      ...{ organizationId, userId, change, signed: signedFieldsOf(form) },
    });
    return { to, flash: flashOfPerson(change.act, displayName(member), isChanged) };
  }
  if (change.act !== "deactivate" && change.act !== "reactivate") throw notFound();
  const { name } = await changeAccount(services, person, { userId, active: change.act === "reactivate" });
  return { to, flash: flashOfPerson(change.act, name) };
}

/** A super admin's link from a person to the organisation that they belong to. */
const organizationOf = ({ organizationName }: PersonRow) =>
  organizationName ? withQuery(appPaths.organizations, { q: organizationName }) : undefined;

export default function Users() {
  const { scope, counts, isEverybody, ...list } = useLoaderData<typeof loader>();
  const isOne = list.query.organization !== undefined;
  const answer = useActionData<FormAnswer>();
  return (
    <AdminPage
      title="Users"
      scope={
        isEverybody && isOne ? (
          <>
            {scope}.{" "}
            <Link to={PATH} className="text-accent-text underline underline-offset-2">
              Show every organisation
            </Link>
          </>
        ) : (
          scope
        )
      }
    >
      <SignedAct answer={answer} />
      <PeopleCard
        title="People"
        path={PATH}
        canAct
        counts={counts}
        showOrganization={isEverybody && !isOne}
        hrefOf={(row) => (isEverybody ? organizationOf(row) : withQuery(appPaths.audit, { person: row.userId }))}
        {...list}
      />
    </AdminPage>
  );
}
