import { useActionData, useLoaderData } from "@remix-run/react";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { Different } from "~/components/accounts/settings/different";
import { Checkbox, Select, TextInput } from "~/components/forms/fields";
import {
  answerTo,
  Form,
  type FormAnswer,
  HiddenFields,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { Fold } from "~/components/ui/disclosure";
import { Badge, Callout, cx } from "~/components/ui/elements";
import { Card, named } from "~/components/ui/page-parts";
import { type Accepted, asMember, formAction, type PageArgs, page, parseForm, requirePerson } from "~/http/page.server";
import { refusalOf } from "~/kernel/access";
import { AppError, invalidInput } from "~/kernel/app-error";
import { ALERT_TEXTS_A_DAY } from "~/kernel/limits";
import { appPaths } from "~/kernel/paths/app";
import { formatPhone } from "~/kernel/phone";
import { EMAIL_LABELS, fieldsOf, toTimeField } from "~/modules/messages/alerts/alerts.view";
import {
  alertFormSchema,
  chooseAlerts,
  confirmPhone,
  phoneCodeSchema,
  phoneFormSchema,
  readAlertSettings,
  removePhone,
  resumeAlertEmails,
  sendPhoneCode,
} from "~/modules/messages/alerts/choices.server";
import { TEXTS_OFF } from "~/modules/messages/notifications/outside-messages";
import type { Actor } from "~/services-and-actor";

type AlertSettingsProps = Pick<
  Awaited<ReturnType<typeof readAlertSettings>>,
  "groups" | "different" | "quietFrom" | "quietTo" | "isPhoneConfirmed"
> & { answer?: FormAnswer };

type AlertGroup = AlertSettingsProps["groups"][number];

const ALL_OPTIONS = Object.entries(EMAIL_LABELS).map(([value, label]) => ({ value, label }));

/** Every event that can concern the person, with its channels. */
function AlertSettingsForm({ groups, different, quietFrom, quietTo, isPhoneConfirmed, answer }: AlertSettingsProps) {
  const mine = answerTo(answer, "alerts");
  const shared = { different, isPhoneConfirmed, answer: mine };
  return (
    <PostForm
      intent="alerts"
      answer={answer}
      values={{ quietFrom: toTimeField(quietFrom), quietTo: toTimeField(quietTo) }}
      className="grid gap-6"
    >
      <Card
        flush
        title="Your alerts"
        description="You do not get alerts about your own actions. The daily email arrives at 7 am in your organisation's time zone. What administrators always get in the app, they also get by email, at once or daily."
      >
        {groups.map((group, place) => (
          <EventGroup key={group.title} {...group} {...shared} isFirst={place === 0} />
        ))}
      </Card>
      <Card
        title="Quiet hours"
        description="Emails and text messages wait until they are over. Alerts in the app do not."
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextInput type="time" name="quietFrom" label="From" />
          <TextInput type="time" name="quietTo" label="Until" />
        </div>
      </Card>
      <div className="save-bar">
        <SubmitButton pendingText="Saving...">Save alerts</SubmitButton>
      </div>
    </PostForm>
  );
}

type EventGroupProps = AlertGroup &
  Pick<AlertSettingsProps, "different" | "isPhoneConfirmed" | "answer"> & { isFirst: boolean };

/** One group: open where something in it differs from the default or is wrong, because links lead to its fields. */
function EventGroup({ title, events, different, isFirst, isPhoneConfirmed, answer }: EventGroupProps) {
  const differ = different.filter(({ id }) => events.some(({ event }) => event === id)).length;
  const isWrong = Object.keys(answer?.errors ?? {}).some((name) => events.some(({ event }) => name.startsWith(event)));
  if (events.length === 0) return null;
  return (
    <Fold
      title={title}
      says={countEmails(events)}
      badge={differ > 0 && <Badge tone="info">{`${differ} ${differ === 1 ? "differs" : "differ"}`}</Badge>}
      open={isFirst || isWrong || differ > 0}
    >
      <div className="divide-y divide-line">
        {events.map((event) => (
          <div key={event.event} className="py-3.5 first:pt-0 last:pb-0">
            <EventFields {...event} isPhoneConfirmed={isPhoneConfirmed} answer={answer} />
          </div>
        ))}
      </div>
    </Fold>
  );
}

/** "Email at once: 3, Daily email: 1", as saved. */
const countEmails = (events: AlertGroup["events"]) =>
  ALL_OPTIONS.flatMap(({ value, label }) => {
    const { length } = events.filter(({ hasOwnEmails, choice }) => !hasOwnEmails && choice.email === value);
    return length > 0 ? [`${label}: ${length}`] : [];
  }).join(", ");

function EventFields({
  event,
  label,
  description,
  isRequired,
  hasOwnEmails,
  choice,
  isPhoneConfirmed,
  answer,
}: AlertGroup["events"][number] & { isPhoneConfirmed: boolean; answer?: FormAnswer }) {
  const names = fieldsOf(event);
  // What was ticked and chosen in a refused form.
  const typed = answer?.values;
  const isTicked = (name: string, isChosen: boolean) => (typed ? typed[name] === "on" : isChosen);
  return (
    <fieldset id={event} className="scroll-mt-24">
      <legend className="font-medium text-base">{label}</legend>
      <div className="grid items-start gap-x-6 gap-y-1 sm:grid-cols-[minmax(0,1fr)_8.5rem_10rem]">
        <p className={cx("text-ink-soft text-sm", isPhoneConfirmed && "sm:row-span-2")}>{description}</p>
        <InAppField name={names.inApp} isRequired={isRequired} isOn={isTicked(names.inApp, choice.inApp)} />
        {hasOwnEmails ? (
          <input type="hidden" name={names.email} value="off" />
        ) : (
          <Select
            name={names.email}
            label="Email"
            showOptional={false}
            className="[&>div]:mt-0 [&>label]:sr-only"
            options={isRequired ? ALL_OPTIONS.filter(({ value }) => value !== "off") : ALL_OPTIONS}
            defaultValue={typed?.[names.email] ?? choice.email}
            error={answer?.errors[names.email]}
          />
        )}
        {isPhoneConfirmed && (
          <Checkbox
            name={names.sms}
            label="Text message"
            defaultChecked={isTicked(names.sms, choice.sms)}
            className="flex min-h-10 items-center sm:col-start-2"
          />
        )}
      </div>
    </fieldset>
  );
}

function InAppField({ name, isRequired, isOn }: { name: string; isRequired: boolean; isOn: boolean }) {
  if (!isRequired) {
    return <Checkbox name={name} label="In the app" defaultChecked={isOn} className="flex min-h-10 items-center" />;
  }
  return (
    <p className="flex min-h-10 items-center text-base">
      Always in the app
      <input type="hidden" name={name} value="on" />
    </p>
  );
}

export const { meta, ErrorBoundary } = named("Alerts · Profile", "Error Loading Your Profile");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  // Alerts are about an organisation's work, so people choose them once it has approved them.
  if (person.organizationId === null || refusalOf(person, "look")) return null;
  const { phone, ...settings } = await readAlertSettings(scope.services, asMember(person));
  return { ...settings, phone: phone && formatPhone(phone), hasTexts: scope.services.config.hasTexts };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = asMember(await requirePerson(scope));
  if (actor.organizationId === "") throw new AppError("ORGANIZATION_REQUIRED", "Join or create an organisation first.");
  return formAction(scope, (form) => change(scope, actor, form));
});

export const clientAction = keepWhatWasTyped;

/** Runs the action of one of the page's forms. */
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
  const { phone, isPhoneConfirmed, hasTexts, emailStoppedReason, ...settings } = loaded;
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
      <Different different={settings.different} none="Every alert is at its default." />
      <AlertSettingsForm {...settings} isPhoneConfirmed={isPhoneConfirmed && hasTexts} answer={answer} />
      {hasTexts ? (
        <PhoneCard phone={phone} isPhoneConfirmed={isPhoneConfirmed} answer={answer} />
      ) : (
        <Card title="Text messages" description={`${TEXTS_OFF} Alerts come in the app and by email.`} />
      )}
    </ProfileFrame>
  );
}

interface PhoneCardProps {
  /** Formatted for people; null: none is stored. */
  phone: string | null;
  isPhoneConfirmed: boolean;
  answer?: FormAnswer;
}

/** The mobile number for text messages, which is used only once its code has been entered. */
function PhoneCard({ phone, isPhoneConfirmed, answer }: PhoneCardProps) {
  return (
    <Card
      title="Text messages"
      description={
        isPhoneConfirmed
          ? `Text messages go to ${phone}. Your organisation sends up to ${ALERT_TEXTS_A_DAY} a day; alerts beyond that come in the app and by email only.`
          : "Confirm a mobile number to choose text messages for the alerts above."
      }
    >
      <div className="grid gap-6">
        {phone !== null && !isPhoneConfirmed && (
          <ConfirmForm phone={phone} answer={answerTo(answer, "confirm-phone")} />
        )}
        <NumberForm
          label={phone === null ? "Mobile number" : "Another mobile number"}
          answer={answerTo(answer, "phone")}
        />
        {phone !== null && (
          <Form method="post">
            <HiddenFields values={{ intent: "remove-phone" }} />
            <SubmitButton variant="quiet" pendingText="Removing...">
              Remove this number
            </SubmitButton>
          </Form>
        )}
      </div>
    </Card>
  );
}

function ConfirmForm({ phone, answer }: { phone: string; answer?: FormAnswer }) {
  return (
    <PostForm intent="confirm-phone" answer={answer} className="grid gap-4">
      <TextInput
        name="code"
        label="Code"
        hint={`The six digits we sent to ${phone}. They are valid for 10 minutes.`}
        required
        digits
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
      />
      <div>
        <SubmitButton pendingText="Confirming...">Confirm the number</SubmitButton>
      </div>
    </PostForm>
  );
}

function NumberForm({ label, answer }: { label: string; answer?: FormAnswer }) {
  return (
    <PostForm intent="phone" answer={answer} className="grid gap-4">
      <TextInput name="phone" label={label} required type="tel" autoComplete="tel" />
      <div>
        <SubmitButton variant="secondary" pendingText="Sending...">
          Send a code
        </SubmitButton>
      </div>
    </PostForm>
  );
}
