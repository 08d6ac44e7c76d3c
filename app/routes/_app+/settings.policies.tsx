import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { PoliciesForm } from "~/components/accounts/settings/policies-form";
import { AdminsOnly, SettingsPage } from "~/components/accounts/settings/settings-page";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { Callout } from "~/components/ui/callout";
import { formAction, parseForm } from "~/http/form-action.server";
import { pageAdmin, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { canAdminister } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { countMembers } from "~/modules/accounts/administration/people-lists.server";
import {
  changePolicy,
  findPolicyState,
  policyFormSchema,
} from "~/modules/accounts/organizations/policies/policy.server";
import { toPolicyView } from "~/modules/accounts/organizations/policies/policy.view";
import { listDecidedFacts } from "~/modules/payments/payment-facts/decided-facts.server";
import { describeImpacts } from "~/modules/rules/rule-impact";

export const meta: MetaFunction = (route) => [pageTitle(route, "Policies · Settings")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  const [{ policy, version }, members, decided] = await Promise.all([
    findPolicyState(services, actor.organizationId),
    countMembers(services, actor.organizationId),
    listDecidedFacts(services, actor.organizationId),
  ]);
  return {
    view: toPolicyView(policy, version),
    impacts: describeImpacts(decided.facts, policy.ruleLevels),
    looksBack: { count: decided.facts.length, isPartial: decided.isPartial },
    canAdminister: canAdminister(actor),
    offersSecondPerson: members.active > 1 && !policy.secondPersonRequired,
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, async (form) => {
    const isNew = await changePolicy(scope.services, actor, parseForm(form, policyFormSchema));
    const title = isNew ? "Policies saved" : "Nothing has changed";
    return { to: appPaths.policies, flash: { tone: "success", title } };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function Policies() {
  const { view, impacts, looksBack, canAdminister: isAdmin, offersSecondPerson } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <SettingsPage description="What your organisation has decided. Every change is in the audit trail.">
      {!isAdmin && <AdminsOnly />}
      {isAdmin && offersSecondPerson && (
        <Callout tone="info" title="Your organisation now has more than one member">
          <p>
            Require a second person to approve, so that no one can enter a payee and approve it alone. It is the first
            policy below.
          </p>
        </Callout>
      )}
      <PoliciesForm
        key={view.version}
        view={view}
        impacts={impacts}
        looksBack={looksBack}
        readOnly={!isAdmin}
        answer={answer}
      />
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Settings" />;
}
