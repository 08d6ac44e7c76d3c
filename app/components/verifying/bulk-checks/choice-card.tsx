import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { type Option, Select } from "~/components/forms/select";
import { SubmitButton } from "~/components/forms/submit-button";
import { SubscriptionEnded } from "~/components/forms/subscription-ended";
import { TextInput } from "~/components/forms/text-input";
import { Card } from "~/components/ui/card";
import type { FormAnswer } from "~/kernel/form-answer";

export interface ChoiceCardProps {
  options: Record<"verified" | "paid" | "status", readonly Option[]>;
  values: Record<"verified" | "paid" | "status" | "q", string>;
  answer?: FormAnswer;
}

/** Which payees are to be checked. Counting them asks nobody. */
export function ChoiceCard({ options, values, answer }: ChoiceCardProps) {
  return (
    <>
      {answer?.code === "SUBSCRIPTION_REQUIRED" ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
      )}
      <Card
        title="Which payees"
        description="They are counted first. You see how many there are, what the checks cost and how long they take before anyone is asked."
        className="mb-6"
      >
        <Form method="post" className="grid gap-5 sm:grid-cols-2">
          <Select name="verified" label="Verified" options={options.verified} defaultValue={values.verified} required />
          <Select name="paid" label="Paid" options={options.paid} defaultValue={values.paid} required />
          <Select name="status" label="Status" options={options.status} defaultValue={values.status} required />
          <TextInput
            name="q"
            label="Found by"
            hint="Any part of a name, a BSB or an account number"
            defaultValue={values.q}
            autoComplete="off"
          />
          <div className="sm:col-span-2">
            <SubmitButton icon="list" pendingText="Counting...">
              Count the payees
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </>
  );
}
