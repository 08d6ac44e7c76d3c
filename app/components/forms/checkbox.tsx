import type { InputHTMLAttributes } from "react";
import { FieldError, type FieldProps, fieldWiring } from "~/components/forms/field";

export type CheckboxProps = Omit<FieldProps, "showOptional"> &
  Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps | "type">;

/** A native check mark in the accent colour, 24 px to hit. */
export const tickClass =
  "size-6 shrink-0 rounded-base accent-accent aria-invalid:outline-2 aria-invalid:outline-review";

/** One yes or no, with its words to the right. */
export function Checkbox({ name, id, label, hint, error, required, className, ...input }: CheckboxProps) {
  const { control, hintId, errorId } = fieldWiring({ id, name, hint, error });
  return (
    <div className={className}>
      <label htmlFor={control.id} className="flex min-h-6 items-start gap-3 text-base">
        <input {...input} {...control} type="checkbox" required={required} className={tickClass} />
        <span className="pt-px">{label}</span>
      </label>
      {hint && (
        <p id={hintId} className="mt-0.5 pl-9 text-ink-soft text-sm">
          {hint}
        </p>
      )}
      <FieldError id={errorId} error={error} />
    </div>
  );
}
