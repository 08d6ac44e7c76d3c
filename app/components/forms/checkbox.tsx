import type { InputHTMLAttributes } from "react";
import { FieldError, type FieldProps, fieldWiring } from "~/components/forms/field";

export type CheckboxProps = Omit<FieldProps, "showOptional"> &
  Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps | "type">;

/** The class of a check mark or radio, drawn in tailwind.css. */
export const tickClass = "tick";

/** One yes or no, with its words to the right. */
export function Checkbox({ name, id, label, hint, error, required, className, ...input }: CheckboxProps) {
  const { control, hintId, errorId } = fieldWiring({ id, name, hint, error });
  return (
    <div className={className}>
      <label htmlFor={control.id} className="flex min-h-6 items-start gap-3 text-base">
        <input {...input} {...control} type="checkbox" required={required} className={tickClass} />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={hintId} className="mt-0.5 pl-8 text-ink-soft text-sm">
          {hint}
        </p>
      )}
      <FieldError id={errorId} error={error} />
    </div>
  );
}
