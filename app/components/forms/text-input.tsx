import type { InputHTMLAttributes } from "react";
import { cx } from "~/components/cx";
import { controlClass, Field, type FieldProps, fieldWiring } from "~/components/forms/field";

export type TextInputProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps> & {
    /** Tabular figures, for BSB, account numbers, ABN and codes. */
    digits?: boolean;
  };

/** One line of text. Attributes such as inputMode, autoComplete, pattern and defaultValue pass through. */
export function TextInput({
  name,
  id,
  label,
  hint,
  error,
  required,
  showOptional,
  className,
  digits,
  ...input
}: TextInputProps) {
  const { control } = fieldWiring({ id, name, hint, error });
  return (
    <Field {...{ name, id, label, hint, error, required, showOptional, className }}>
      <input
        type="text"
        {...input}
        {...control}
        required={required}
        className={cx(controlClass, digits && "figures")}
      />
    </Field>
  );
}
