import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { EmailCard } from "~/components/accounts/profile/email-card";
import { NamesCard } from "~/components/accounts/profile/names-card";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { formAction, parseForm } from "~/http/form-action.server";
import { requirePerson } from "~/http/guards.server";
import { type PageArgs, page } from "~/http/page.server";
import { safeRedirectPath } from "~/http/safe-redirect.server";
import type { Person } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { emailChangeSchema, namesSchema } from "~/modules/accounts/identity/account.server";
import { askForEmailChange } from "~/modules/accounts/identity/email/ask-for-email-change.server";
import { findOpenEmailChange } from "~/modules/accounts/identity/email/email-change.server";
import { resendConfirmation } from "~/modules/accounts/identity/email/renew-confirmation.server";
import { changeNames } from "~/modules/accounts/identity/profile.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Profile")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  const { firstName, lastName, email, emailVerified } = person;
  const change = (await findOpenEmailChange(scope.services, person)) ?? null;
  return { names: { firstName, lastName }, email, isConfirmed: emailVerified, change };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return formAction(
    scope,
    async (form) => ({
      // The link can be asked for on other pages too, and leads back there.
      to: safeRedirectPath(form.get("next")) ?? appPaths.profile,
      flash: { tone: "success", ...(await saveChange(scope.services, person, form)) },
    }),
    { title: "This was not saved" },
  );
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

/** @returns what the page says afterwards */
async function saveChange(services: PageArgs["services"], person: Person, form: FormData) {
  switch (form.get("intent")) {
    case "email": {
      const input = parseForm(form, emailChangeSchema);
      await askForEmailChange(services, person, input);
      return { title: "Check both mailboxes", description: `We wrote to ${person.email} and to ${input.email}.` };
    }
    case "resend":
      await resendConfirmation(services, person);
      return { title: "Link sent", description: `Open it in the mailbox of ${person.email}, then come back.` };
    default:
      await changeNames(services, person, parseForm(form, namesSchema));
      return { title: "Profile saved" };
  }
}

export default function ProfilePage() {
  const { names, ...address } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <ProfileFrame>
      <NamesCard names={names} answer={answer} />
      <EmailCard {...address} answer={answer} />
    </ProfileFrame>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Your Profile" />;
}
