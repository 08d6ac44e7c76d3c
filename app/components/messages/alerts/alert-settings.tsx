import { Checkbox } from "~/components/forms/checkbox";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { Select } from "~/components/forms/select";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Card } from "~/components/ui/card";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { EMAIL_LABELS, fieldsOf, toTimeField } from "~/modules/messages/alerts/alerts.view";
import type { AlertEventName, Choice } from "~/modules/messages/alerts/events";

export interface AlertSettingsProps {
  events: readonly {
    event: AlertEventName;
    label: string;
    description: string;
    isRequired: boolean;
    hasOwnEmails: boolean;
    choice: Choice;
  }[];
  quietFrom: number | null;
  quietTo: number | null;
  isPhoneConfirmed: boolean;
  answer?: FormAnswer;
}

const ALL_OPTIONS = Object.entries(EMAIL_LABELS).map(([value, label]) => ({ value, label }));

/** Every event that can concern the person, with how they are told. */
export function AlertSettingsForm({ events, quietFrom, quietTo, isPhoneConfirmed, answer }: AlertSettingsProps) {
  const mine = answerTo(answer, "alerts");
  return (
    <Card
      title="What you are told"
      description="You do not get alerts about your own actions. A daily summary arrives at 7 am in your organisation's time zone."
    >
      <Form method="post" noValidate className="grid gap-6">
        <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
        <HiddenFields values={{ intent: "alerts" }} />
        <div className="divide-y divide-line">
          {events.map((event) => (
            <EventFields key={event.event} {...event} isPhoneConfirmed={isPhoneConfirmed} answer={mine} />
          ))}
        </div>
        <fieldset className="grid gap-3">
          <legend className="font-medium text-base">Quiet hours</legend>
          <p className="text-ink-soft text-sm">
            Emails and text messages wait until they are over. Alerts in the app do not.
          </p>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextInput
              type="time"
              name="quietFrom"
              label="From"
              defaultValue={mine?.values.quietFrom ?? toTimeField(quietFrom)}
              error={mine?.errors.quietFrom}
            />
            <TextInput
              type="time"
              name="quietTo"
              label="Until"
              defaultValue={mine?.values.quietTo ?? toTimeField(quietTo)}
              error={mine?.errors.quietTo}
            />
          </div>
        </fieldset>
        <div>
          <SubmitButton pendingText="Saving...">Save alerts</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

type EventFieldsProps = AlertSettingsProps["events"][number] & { isPhoneConfirmed: boolean; answer?: FormAnswer };

function EventFields({
  event,
  label,
  description,
  isRequired,
  hasOwnEmails,
  choice,
  isPhoneConfirmed,
  answer,
}: EventFieldsProps) {
  const names = fieldsOf(event);
  // Of a form that was refused: what was ticked and chosen in it.
  const typed = answer?.values;
  const isTicked = (name: string, isChosen: boolean) => (typed ? typed[name] === "on" : isChosen);
  return (
    <fieldset className="grid gap-3 py-5 first:pt-0">
      <legend className="float-left font-medium text-base">{label}</legend>
      <p className="text-ink-soft text-sm">
        {description}
        {isRequired && " Administrators always get this alert in the app, and by email at once or daily."}
      </p>
      <div className="grid items-end gap-x-6 gap-y-3 sm:grid-cols-3">
        <InAppField name={names.inApp} isRequired={isRequired} isOn={isTicked(names.inApp, choice.inApp)} />
        {hasOwnEmails ? (
          <input type="hidden" name={names.email} value="off" />
        ) : (
          <Select
            name={names.email}
            label="Email"
            showOptional={false}
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
            className="flex min-h-10 items-center"
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
      In the app
      <input type="hidden" name={name} value="on" />
    </p>
  );
}
