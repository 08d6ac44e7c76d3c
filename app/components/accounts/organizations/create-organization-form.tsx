import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { sitePaths } from "~/kernel/paths/site";

interface CreateOrganizationFormProps {
  suggestedName: string;
  answer?: FormAnswer;
}

/** Creates an organisation for a person who belongs to none. */
export function CreateOrganizationForm({ suggestedName, answer }: CreateOrganizationFormProps) {
  const mine = answerTo(answer, "create");
  const { values = {}, errors = {} } = mine ?? {};
  return (
    <Form method="post" action={sitePaths.selectOrganization} noValidate className="grid gap-5">
      <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
      <HiddenFields values={{ intent: "create" }} />
      <TextInput
        name="name"
        label="Organisation name"
        required
        autoComplete="organization"
        defaultValue={values.name ?? suggestedName}
        error={errors.name}
      />
      <TextInput
        name="abn"
        label="ABN"
        hint="11 digits"
        digits
        inputMode="numeric"
        autoComplete="off"
        defaultValue={values.abn}
        error={errors.abn}
      />
      <div>
        <SubmitButton name="intent" value="create" pendingText="Creating...">
          Create the organisation
        </SubmitButton>
      </div>
    </Form>
  );
}
