import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Card } from "~/components/ui/card";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";

interface NamesCardProps {
  names: { firstName: string; lastName: string };
  answer?: FormAnswer;
}

/** A person's name, as colleagues and emails show it. */
export function NamesCard({ names, answer }: NamesCardProps) {
  const mine = answerTo(answer, "names");
  return (
    <Card title="Your name" description="As colleagues and the audit trail see it.">
      <Form method="post" noValidate className="grid gap-5">
        <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
        <HiddenFields values={{ intent: "names" }} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextInput
            name="firstName"
            label="First name"
            required
            minLength={2}
            autoComplete="given-name"
            defaultValue={mine?.values.firstName ?? names.firstName}
            error={mine?.errors.firstName}
          />
          <TextInput
            name="lastName"
            label="Last name"
            autoComplete="family-name"
            defaultValue={mine?.values.lastName ?? names.lastName}
            error={mine?.errors.lastName}
          />
        </div>
        <div>
          <SubmitButton name="intent" value="names" pendingText="Saving...">
            Save
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
