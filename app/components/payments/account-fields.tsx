import { type AnsweredFields, fieldProps } from "~/components/forms/answered-form";
import { TextInput } from "~/components/forms/text-input";
import { BsbField } from "~/components/payees/bsb-field";
import { FIELD_LABELS } from "~/modules/payees/payee";
import type { PaymentFormValues } from "~/modules/payments/new-payment.view";

/** The account that the invoice names. One of the payees' accounts is recognised, and its name compared. */
export function AccountFields({ fields }: { fields: AnsweredFields<PaymentFormValues> }) {
  return (
    <fieldset className="grid gap-5 sm:grid-cols-2">
      <legend className="mb-4 font-semibold text-md">Account</legend>
      <TextInput
        {...fieldProps(fields.accountName)}
        label={FIELD_LABELS.accountName}
        hint="As the invoice gives it. If the account is a payee's, the names are compared."
        autoComplete="off"
        className="sm:col-span-2"
      />
      <BsbField {...fieldProps(fields.bsb)} label={FIELD_LABELS.bsb} hint="Six digits, such as 062-000" />
      <TextInput
        {...fieldProps(fields.accountNumber)}
        label={FIELD_LABELS.accountNumber}
        hint="Four to nine digits"
        digits
        inputMode="numeric"
        autoComplete="off"
      />
    </fieldset>
  );
}
