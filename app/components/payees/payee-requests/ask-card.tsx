import { describeFields, type FieldConstraints } from "~/components/forms/answered-form";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { SubscriptionEnded } from "~/components/forms/subscription-ended";
import { TextInput } from "~/components/forms/text-input";
import { Card } from "~/components/ui/card";
import type { FormAnswer } from "~/kernel/form-answer";

const EMPTY = { name: "", email: "", phone: "", note: "" };

interface AskCardProps {
  constraints: FieldConstraints;
  /** Makes a form that is sent twice ask once. */
  submissionId: string;
  answer?: FormAnswer;
}

/** Asks a payee for its details by a link. */
export function AskCard({ constraints, submissionId, answer }: AskCardProps) {
  const fields = describeFields({ constraints, answer, defaultValue: EMPTY });
  return (
    <>
      {answer?.code === "SUBSCRIPTION_REQUIRED" ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary errors={answer?.errors} formErrors={answer?.formErrors} />
      )}
      <Card
        title="Ask a payee for their details"
        description="The payee gets a link to a safe form, so that no bank details travel by email. What they send is a draft: payments to it are held until a person decides."
        className="mb-6"
      >
        <Form method="post" noValidate className="grid gap-5 sm:grid-cols-2">
          <HiddenFields values={{ submissionId }} />
          <TextInput {...fields.name} label="Payee name" hint="What your organisation calls it" autoComplete="off" />
          <TextInput
            {...fields.note}
            label="What it is about"
            hint="Shown to the payee, such as an order number"
            autoComplete="off"
          />
          <TextInput
            {...fields.email}
            type="email"
            label="Email"
            hint="The link goes here"
            autoComplete="off"
            showOptional={false}
          />
          <TextInput
            {...fields.phone}
            type="tel"
            label="Mobile"
            hint="Without an email address the link goes here as a text message"
            autoComplete="off"
            showOptional={false}
          />
          <div className="sm:col-span-2">
            <SubmitButton name="intent" value="ask" icon="mail" pendingText="Sending...">
              Send the link
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </>
  );
}
