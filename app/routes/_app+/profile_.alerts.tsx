import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { SubmitButton } from "~/components/forms/submit-button";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { AlertSettingsForm } from "~/components/messages/alerts/alert-settings";
import { PhoneCard } from "~/components/messages/alerts/phone-card";
import { Callout } from "~/components/ui/callout";
import { type Accepted, formAction, parseForm } from "~/http/form-action.server";
import { asMember, requirePerson } from "~/http/guards.server";
import { type PageArgs, page } from "~/http/page.server";
import { refusalOf } from "~/kernel/access";
import type { Actor } from "~/kernel/actor";
import { AppError, invalidInput } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { formatPhone } from "~/kernel/phone";
import {
  alertFormSchema,
  chooseAlerts,
  phoneCodeSchema,
  phoneFormSchema,
  readAlertSettings,
  resumeAlertEmails,
} from "~/modules/messages/alerts/choices.server";
import { confirmPhone, removePhone, sendPhoneCode } from "~/modules/messages/alerts/phone.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Alerts · Profile")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  // Alerts are about an organisation's work: there is nothing to choose before it has approved the person.
  if (person.organizationId === null || refusalOf(person, "look")) return null;
  const { phone, ...settings } = await readAlertSettings(scope.services, asMember(person));
  return { ...settings, phone: phone && formatPhone(phone) };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = asMember(await requirePerson(scope));
  if (actor.organizationId === "")
    throw new AppError("ORGANIZATION_REQUIRED", 403, "Join or create an organisation first.");
  return formAction(scope, (form) => change(scope, actor, form));
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

/** Does what one of the page's forms asked for. */
async function change({ services }: PageArgs, actor: Actor, form: FormData): Promise<Accepted> {
  const done = (title: string, description?: string): Accepted => ({
    to: appPaths.alertSettings,
    flash: { tone: "success", title, description },
  });
  switch (form.get("intent")) {
    case "phone":
      await sendPhoneCode(services, actor, parseForm(form, phoneFormSchema));
      return done("Code sent", "Enter the six digits of the text message below.");
    case "confirm-phone":
      await confirmPhone(services, actor, parseForm(form, phoneCodeSchema));
      return done("Number confirmed", "You can choose text messages now.");
    case "remove-phone":
      await removePhone(services, actor);
      return done("Number removed");
    case "resume-emails":
      await resumeAlertEmails(services, actor);
      return done("Alert emails are on again");
    case "alerts":
      await chooseAlerts(services, actor, parseForm(form, alertFormSchema));
      return done("Alerts saved");
    default:
      throw invalidInput({}, "Choose what to change, then send the form again.");
  }
}

const STOP_SENTENCES: Readonly<Record<string, string>> = {
  unsubscribed: "You stopped alert emails with the link in one of them.",
  bounced: "Emails to your address came back, so we stopped sending them.",
  complained: "Your email provider told us that you do not want our emails.",
};

export default function AlertSettingsPage() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  if (!loaded) {
    return (
      <ProfileFrame>
        <Callout tone="info" title="Nothing to choose yet">
          You can choose your alerts once you belong to an organisation that has approved you.
        </Callout>
      </ProfileFrame>
    );
  }
  const { phone, isPhoneConfirmed, emailStoppedReason, ...settings } = loaded;
  return (
    <ProfileFrame>
      {emailStoppedReason !== null && (
        <Callout tone="warning" title="Alert emails are stopped">
          <p className="mb-3">{STOP_SENTENCES[emailStoppedReason] ?? "No alert emails are sent to you."}</p>
          <Form method="post">
            <HiddenFields values={{ intent: "resume-emails" }} />
            <SubmitButton variant="secondary" pendingText="Turning on...">
              Send alert emails again
            </SubmitButton>
          </Form>
        </Callout>
      )}
      <AlertSettingsForm {...settings} isPhoneConfirmed={isPhoneConfirmed} answer={answer} />
      <PhoneCard phone={phone} isPhoneConfirmed={isPhoneConfirmed} answer={answer} />
    </ProfileFrame>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Your Profile" />;
}
