import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type * as z from "zod";
import { ClaimCard, DomainsCard } from "~/components/accounts/settings/domains-card";
import { AdminsOnly, SettingsPage } from "~/components/accounts/settings/settings-page";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { RefusedAct } from "~/components/forms/refused-act";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { formAction, parseForm } from "~/http/form-action.server";
import { pageAdmin, pageMember } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { type Actor, canAdminister } from "~/kernel/actor";
import { formatDate } from "~/kernel/dates";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { domainPostSchema } from "~/modules/accounts/administration/admin-lists.server";
import { claimStateOf } from "~/modules/accounts/organizations/domains/domains";
import {
  changeDomain,
  claimOwnDomain,
  type DomainChange,
  listDomains,
} from "~/modules/accounts/organizations/domains/domains.server";
import type { Services } from "~/services";

export const meta: MetaFunction = (route) => [pageTitle(route, "Email domains · Settings")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  const domains = await listDomains(services, actor.organizationId);
  return {
    rows: domains.map(({ createdAt, ...row }) => ({ ...row, claimedOn: formatDate(createdAt, actor.timeZone) })),
    claim: claimStateOf(actor, domains),
    canAdminister: canAdminister(actor),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, async (form) => {
    const title = await act(scope.services, actor, parseForm(form, domainPostSchema));
    return { to: appPaths.domains, flash: { tone: "success", title } };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

type Post = z.infer<typeof domainPostSchema>;

const CHANGES: Record<Exclude<Post["intent"], "claim">, DomainChange> = {
  make_primary: { act: "make_primary" },
  remove: { act: "remove" },
  trust: { act: "auto_approve", on: true },
  distrust: { act: "auto_approve", on: false },
};

const TITLES: Record<Post["intent"], string> = {
  claim: "claimed",
  make_primary: "is the primary domain now",
  remove: "removed",
  trust: "now approves people automatically",
  distrust: "asks an administrator now",
};

/** Does what was asked for, and says what became of the domain. */
async function act(services: Services, actor: Actor, post: Post): Promise<string> {
  const domain =
    post.intent === "claim"
      ? await claimOwnDomain(services, actor)
      : await changeDomain(services, actor, { id: post.id, change: CHANGES[post.intent] });
  return `${domain} ${TITLES[post.intent]}`;
}

export default function Domains() {
  const { rows, claim, canAdminister: isAdmin } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <SettingsPage description="Which email addresses belong to your organisation.">
      <RefusedAct answer={answer} />
      {!isAdmin && <AdminsOnly />}
      <DomainsCard rows={rows} canAdminister={isAdmin} />
      {isAdmin && <ClaimCard claim={claim} />}
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Settings" />;
}
