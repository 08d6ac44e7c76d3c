import { Checkbox } from "~/components/forms/checkbox";
import { FieldError } from "~/components/forms/field";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { Select } from "~/components/forms/select";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Card } from "~/components/ui/card";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { API_SCOPES, API_TOKEN_LIFETIMES } from "~/modules/accounts/identity/api-tokens/api-token";
import { CurrentPasswordField } from "./current-password-field";

const LIFETIMES = API_TOKEN_LIFETIMES.map((days) => ({
  value: String(days),
  label: days === 0 ? "Until I revoke it" : `${days} days`,
}));

/** Makes an API token for the organisation a person works in now. */
export function TokenForm({ organizationName, answer }: { organizationName: string; answer?: FormAnswer }) {
  const mine = answerTo(answer, "create");
  return (
    <Card
      title="New API token"
      description={`For scripts and integrations. It acts in your name at ${organizationName}, with the role you have there.`}
    >
      <Form method="post" noValidate className="grid max-w-lg gap-5">
        <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
        <HiddenFields values={{ intent: "create" }} />
        <TextInput
          name="name"
          label="Name"
          hint="What it is for, such as the nightly import"
          required
          maxLength={60}
          autoComplete="off"
          defaultValue={mine?.values.name}
          error={mine?.errors.name}
        />
        <Scopes error={mine?.errors.scopes} />
        <Select
          name="lifetimeDays"
          label="Expires after"
          required
          options={LIFETIMES}
          defaultValue={mine?.values.lifetimeDays ?? "90"}
          error={mine?.errors.lifetimeDays}
        />
        <CurrentPasswordField error={mine?.errors.currentPassword} />
        <div>
          <SubmitButton name="intent" value="create" pendingText="Making...">
            Create the token
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function Scopes({ error }: { error: string[] | undefined }) {
  return (
    <fieldset>
      <legend className="font-medium text-base">What it may do</legend>
      <div className="mt-2 grid gap-2.5">
        {Object.entries(API_SCOPES).map(([scope, words], index) => (
          <Checkbox
            key={scope}
            id={index === 0 ? "scopes" : `scope-${scope}`}
            name="scopes"
            value={scope}
            label={
              <>
                {words} <code className="text-ink-soft text-sm">{scope}</code>
              </>
            }
          />
        ))}
      </div>
      <FieldError id="scopes-error" error={error} />
    </fieldset>
  );
}
