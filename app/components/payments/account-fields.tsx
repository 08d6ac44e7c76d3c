import { TextInput } from "~/components/forms/text-input";
import { BsbField } from "~/components/payees/bsb-field";
import { FIELD_LABELS, NAME_LENGTH } from "~/modules/payees/payee";
import type { PaymentFormAnswer, PaymentFormValues } from "~/modules/payments/new-payment.view";

interface AccountFieldsProps {
  values: PaymentFormValues;
  errors?: PaymentFormAnswer["errors"];
}

/** The account that the invoice names. One of the payees' accounts is recognised, and its name compared. */
export function AccountFields({ values, errors = {} }: AccountFieldsProps) {
  return (
    <fieldset className="grid gap-5 sm:grid-cols-2">
      <legend className="mb-4 font-semibold text-md">Account</legend>
      <TextInput
        name="accountName"
        label={FIELD_LABELS.accountName}
        hint="As the invoice gives it. If the account is a payee's, the names are compared."
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
  );
}
