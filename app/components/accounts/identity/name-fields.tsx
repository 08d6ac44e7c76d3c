import { TextInput } from "~/components/forms/fields";
import type { FormAnswer } from "~/kernel/form-answer";

interface NameFieldsProps {
  values: Partial<FormAnswer["values"]>;
  errors: Partial<FormAnswer["errors"]>;
}

/** First and last name of a person who registers. */
export function NameFields({ values, errors }: NameFieldsProps) {
  return (
    <>
      <TextInput
        name="firstName"
        label="First name"
        required
        minLength={2}
        autoComplete="given-name"
        defaultValue={values.firstName}
        error={errors.firstName}
      />
      <TextInput
        name="lastName"
        label="Last name"
        autoComplete="family-name"
        defaultValue={values.lastName}
        error={errors.lastName}
      />
    </>
  );
}
