import { TextInput } from "~/components/forms/text-input";
import { Textarea } from "~/components/forms/textarea";
import { BsbField } from "~/components/payees/bsb-field";
import { FIELD_LABELS, MAX_ADDRESS_LENGTH, NAME_LENGTH } from "~/modules/payees/payee";
import type { PayeeFormAnswer, PayeeFormValues } from "~/modules/payees/payee.view";

interface PayeeFieldsProps {
  values: PayeeFormValues;
  errors?: PayeeFormAnswer["errors"];
}

/** The fields of a payee, in two groups: where the money goes, and who is behind it. */
export function PayeeFields({ values, errors = {} }: PayeeFieldsProps) {
  return (
    <>
      <fieldset className="grid gap-5 sm:grid-cols-2">
        <legend className="mb-4 font-semibold text-md">Bank details</legend>
        <TextInput
          name="accountName"
          label={FIELD_LABELS.accountName}
          hint="Exactly as the payee gave it; it is compared with the bank's."
          required
          minLength={NAME_LENGTH.min}
          maxLength={NAME_LENGTH.max}
          autoComplete="off"
          defaultValue={values.accountName}
          error={errors.accountName}
          className="sm:col-span-2"
        />
        <BsbField
          name="bsb"
          label={FIELD_LABELS.bsb}
          hint="Six digits, such as 062-000"
          required
          defaultValue={values.bsb}
          error={errors.bsb}
        />
        <TextInput
          name="accountNumber"
          label={FIELD_LABELS.accountNumber}
          hint="Four to nine digits"
          required
          digits
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          defaultValue={values.accountNumber}
          error={errors.accountNumber}
        />
      </fieldset>
      <fieldset className="grid gap-5 sm:grid-cols-2">
        <legend className="mb-4 font-semibold text-md">Payee</legend>
        <TextInput
          name="name"
          label={FIELD_LABELS.name}
          hint="What your organisation calls it"
          required
          minLength={NAME_LENGTH.min}
          maxLength={NAME_LENGTH.max}
          autoComplete="off"
          defaultValue={values.name}
          error={errors.name}
        />
        <TextInput
          name="abn"
          label={FIELD_LABELS.abn}
          hint="11 digits"
          digits
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          defaultValue={values.abn}
          error={errors.abn}
        />
        <TextInput
          name="email"
          type="email"
          label={FIELD_LABELS.email}
          hint="The verification link goes here"
          autoComplete="off"
          maxLength={254}
          defaultValue={values.email}
          error={errors.email}
        />
        <TextInput
          name="phone"
          type="tel"
          label={FIELD_LABELS.phone}
          hint="A mobile can get the link as a text message"
          autoComplete="off"
          maxLength={30}
          defaultValue={values.phone}
          error={errors.phone}
        />
        <Textarea
          name="address"
          label={FIELD_LABELS.address}
          rows={2}
          autoComplete="off"
          maxLength={MAX_ADDRESS_LENGTH}
          defaultValue={values.address}
          error={errors.address}
          className="sm:col-span-2"
        />
      </fieldset>
    </>
  );
}
