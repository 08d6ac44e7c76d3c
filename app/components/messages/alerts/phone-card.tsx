import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Card } from "~/components/ui/card";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { ALERT_TEXTS_A_DAY } from "~/modules/messages/alerts/choices";

interface PhoneCardProps {
  /** As people read it; null: none is kept. */
  phone: string | null;
  isPhoneConfirmed: boolean;
  answer?: FormAnswer;
}

/** The mobile number for text messages: used only once the code sent to it has come back. */
export function PhoneCard({ phone, isPhoneConfirmed, answer }: PhoneCardProps) {
  return (
    <Card
      title="Text messages"
      description={
        isPhoneConfirmed
          ? `Text messages go to ${phone}. Your organisation sends up to ${ALERT_TEXTS_A_DAY} a day; alerts beyond that come in the app and by email alone.`
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
    <Form method="post" noValidate className="grid gap-4">
      <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
      <HiddenFields values={{ intent: "confirm-phone" }} />
      <TextInput
        name="code"
        label="Code"
        hint={`The six digits we sent to ${phone}. They are valid for 10 minutes.`}
        required
        digits
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        error={answer?.errors.code}
      />
      <div>
        <SubmitButton pendingText="Confirming...">Confirm the number</SubmitButton>
      </div>
    </Form>
  );
}

function NumberForm({ label, answer }: { label: string; answer?: FormAnswer }) {
  return (
    <Form method="post" noValidate className="grid gap-4">
      <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
      <HiddenFields values={{ intent: "phone" }} />
      <TextInput
        name="phone"
        label={label}
        required
        type="tel"
        autoComplete="tel"
        defaultValue={answer?.values.phone ?? ""}
        error={answer?.errors.phone}
      />
      <div>
        <SubmitButton variant="secondary" pendingText="Sending...">
          Send a code
        </SubmitButton>
      </div>
    </Form>
  );
}
