import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { NoOrganization } from "~/components/accounts/organizations/no-organization";
import { DetailsCard, DetailsForm } from "~/components/accounts/settings/details-form";
import { AdminsOnly, SettingsPage } from "~/components/accounts/settings/settings-page";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { formAction } from "~/http/form-action.server";
import { pageAdmin, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { canAdminister } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { changeDetails, findDetails, toDetailValues } from "~/modules/accounts/organizations/details/details.server";
import { parseDetailsForm } from "~/modules/accounts/organizations/details/details-form.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Settings")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const found = await findDetails(scope.services, actor.organizationId);
  return found
    ? { values: toDetailValues(found.details), logo: found.logo, canAdminister: canAdminister(actor) }
    : null;
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, async (form) => {
    const isNew = await changeDetails(scope.services, actor, await parseDetailsForm(form));
    return {
      to: appPaths.settings,
      flash: { tone: "success", title: isNew ? "Details saved" : "Nothing has changed" },
    };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function Settings() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  if (!loaded) return <NoOrganization />;
  const { canAdminister: isAdmin, ...details } = loaded;
  return (
    <SettingsPage description="Who your organisation is, who belongs to it, and what it has decided.">
      {isAdmin ? (
        <DetailsForm {...details} answer={answer} />
      ) : (
        <>
          <AdminsOnly />
          <DetailsCard {...details} />
        </>
      )}
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Settings" />;
}
