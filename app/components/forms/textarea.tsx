import type { TextareaHTMLAttributes } from "react";
import { cx } from "~/components/cx";
import { controlClass, Field, type FieldProps, fieldWiring } from "~/components/forms/field";

export type TextareaProps = FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof FieldProps>;

/** Several lines of text; it grows with what is typed where the browser can. */
export function Textarea({
  name,
  id,
  label,
  hint,
  error,
  required,
  showOptional,
  className,
  rows = 4,
  ...textarea
}: TextareaProps) {
  const { control } = fieldWiring({ id, name, hint, error });
  return (
    <Field {...{ name, id, label, hint, error, required, showOptional, className }}>
      <textarea
        rows={rows}
        {...textarea}
        {...control}
        required={required}
        className={cx(controlClass, "field-sizing-content")}
      />
    </Field>
  );
}
