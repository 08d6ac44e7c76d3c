import { type AnsweredField, describeFields, type FieldConstraints } from "~/components/forms/answered-form";
import { TextInput } from "~/components/forms/text-input";
import { Textarea } from "~/components/forms/textarea";
import { AccountFields } from "~/components/payees/account-fields";
import { RegisterOffer } from "~/components/payees/register-offer";
import type { FormAnswer } from "~/kernel/form-answer";
import { FIELD_LABELS } from "~/kernel/payee";
import type { PayeeFormValues } from "~/modules/payees/payee.view";

interface PayeeFieldsProps {
  constraints: FieldConstraints;
  /** What is in the fields before anything was sent. */
  values: PayeeFormValues;
  answer?: FormAnswer;
}

/** The fields of a payee, in two groups: where the money goes, and who is behind it. */
export function PayeeFields({ constraints, values, answer }: PayeeFieldsProps) {
  const fields = describeFields({ constraints, answer, defaultValue: values });
  return (
    <>
      {/* Enter in a field presses the first button of the form: it must be this, not the look-up. */}
      <button type="submit" hidden>
        Save
      </button>
      <AccountFields
        legend="Bank details"
        nameHint="Exactly as the payee gave it; it is compared with the bank's."
        fields={fields}
      />
      <fieldset className="grid gap-5 sm:grid-cols-2">
        <legend className="mb-4 font-semibold text-md">Payee</legend>
        <TextInput
          {...fields.name}
          label={FIELD_LABELS.name}
          hint="What your organisation calls it"
          autoComplete="off"
        />
        <TextInput
          {...fields.abn}
          label={FIELD_LABELS.abn}
          hint="11 digits"
          digits
          inputMode="numeric"
          autoComplete="off"
        />
        <RegisterOffer answer={answer} />
        <ContactInputs fields={fields} />
        <Textarea
          {...fields.address}
          label={FIELD_LABELS.address}
          rows={2}
          autoComplete="off"
          className="sm:col-span-2"
        />
      </fieldset>
    </>
  );
}

/** How the payee is reached: a verification link goes to either. */
function ContactInputs({ fields }: { fields: Record<"email" | "phone", AnsweredField> }) {
  return (
    <>
      <TextInput
        {...fields.email}
        type="email"
        label={FIELD_LABELS.email}
        hint="The verification link goes here"
        autoComplete="off"
      />
      <TextInput
        {...fields.phone}
        type="tel"
        label={FIELD_LABELS.phone}
        hint="A mobile can get the link as a text message"
        autoComplete="off"
      />
    </>
  );
}
