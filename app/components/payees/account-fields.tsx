import type { AnsweredField } from "~/components/forms/answered-form";
import { TextInput } from "~/components/forms/text-input";
import { BsbField } from "~/components/payees/bsb-field";
import { type BankDetails, FIELD_LABELS } from "~/kernel/payee";

interface AccountFieldsProps {
  legend: string;
  /** What the account name will be compared with. */
  nameHint: string;
  fields: Record<keyof BankDetails, AnsweredField>;
}

/** Where money is to go: of a payee, or of a payment to an account that is none. */
export function AccountFields({ legend, nameHint, fields }: AccountFieldsProps) {
  return (
    <fieldset className="grid gap-5 sm:grid-cols-2">
      <legend className="mb-4 font-semibold text-md">{legend}</legend>
      <TextInput
        {...fields.accountName}
        label={FIELD_LABELS.accountName}
        hint={nameHint}
        autoComplete="off"
        className="sm:col-span-2"
      />
      <BsbField {...fields.bsb} label={FIELD_LABELS.bsb} hint="Six digits, such as 062-000" />
      <TextInput
        {...fields.accountNumber}
        label={FIELD_LABELS.accountNumber}
        hint="Four to nine digits"
        digits
        inputMode="numeric"
        autoComplete="off"
      />
    </fieldset>
  );
}
