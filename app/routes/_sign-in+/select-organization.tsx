import type { MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData } from "@remix-run/react";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { OrganizationOptions } from "~/components/organizations/organization-options";
import { OrganizationChoice, PICKER_TEXT, PICKER_TITLE } from "~/components/organizations/organization-picker";
import { Button } from "~/components/ui/button";
import { toAppError } from "~/http/errors.server";
import { formAction, parseForm } from "~/http/form-action.server";
import { requirePerson } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { startSession } from "~/http/session.server";
import { listMemberships } from "~/modules/members/memberships.queries.server";
import { selectOrganization } from "~/modules/members/switch-organization.commands.server";
import { selectionSchema } from "~/modules/members/switch-organization.schema.server";
import { listPendingOrganizations } from "~/modules/organizations/organization.queries.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Select your Organisation")];

/** Two choices share this page: the first organisation of a new person, and switching for people with several. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  const { services } = scope;
  const [pending, memberships] = await Promise.all([
    listPendingOrganizations(services, person),
    listMemberships(services, person.userId),
  ]);
  return {
    pending,
    memberships,
    currentId: person.organizationId,
    productDomain: new URL(services.config.appOrigin).hostname,
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  const { services } = scope;
  return formAction(scope, async (form) => {
    try {
      const chosen = await selectOrganization(services, person, parseForm(form, selectionSchema));
      const description =
        person.organizationId === null
          ? "You've been added to the organisation"
          : `You are working with ${chosen.person.organizationName} now`;
      return {
        to: "/dashboard",
        flash: { tone: "success", title: "Organisation selected", description },
        headers: { "Set-Cookie": await startSession(services, chosen.token) },
      };
    } catch (error) {
      // The overlay posts here from any page, so the answer is a message on the page of the choice.
      const { message } = toAppError(error, services.log);
      const flash = { tone: "error" as const, title: "Failed to select organisation", description: message };
      return { to: "/select-organization", flash };
    }
  });
});

export default function SelectOrganization() {
  const { pending, memberships, currentId, productDomain } = useLoaderData<typeof loader>();
  if (pending.length > 0) {
    return (
      <AuthLayout title={PICKER_TITLE} description={PICKER_TEXT}>
        <OrganizationChoice options={pending} productDomain={productDomain} />
      </AuthLayout>
    );
  }
  if (memberships.length > 1 || (memberships.length === 1 && currentId === null)) {
    return (
      <AuthLayout
        title={PICKER_TITLE}
        description="You belong to these organisations. Choose the one to work with now."
      >
        <Form method="post">
          <OrganizationOptions
            options={memberships}
            productDomain={productDomain}
            chosenId={currentId ?? undefined}
            buttonText="Switch organisation"
            pendingText="Switching..."
          />
        </Form>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Nothing to choose from"
      description="Once your address is confirmed, organisations that use its domain can be chosen here. Or ask an administrator of yours to invite you."
    >
      <Button to="/dashboard" variant="secondary">
        Go to the dashboard
      </Button>
    </AuthLayout>
  );
}
