import type { InputHTMLAttributes } from "react";
import { controlClass, Field, type FieldProps, fieldWiring } from "~/components/forms/field";

export type FileInputProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps | "type">;

/** The browser's own choice of a file. The form must be `multipart/form-data`. */
export function FileInput({
  name,
  id,
  label,
  hint,
  error,
  required,
  showOptional,
  className,
  ...input
}: FileInputProps) {
  const { control } = fieldWiring({ id, name, hint, error });
  return (
    <Field {...{ name, id, label, hint, error, required, showOptional, className }}>
      <input {...input} {...control} type="file" required={required} className={controlClass} />
    </Field>
  );
}
