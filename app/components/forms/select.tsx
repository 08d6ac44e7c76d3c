import type { SelectHTMLAttributes } from "react";
import { cx } from "~/components/cx";
import { controlClass, Field, type FieldProps, fieldWiring } from "~/components/forms/field";
import { Icon } from "~/components/ui/icons";

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

export type SelectProps = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, keyof FieldProps | "children"> & {
    options: readonly Option[];
    /** First choice with an empty value: "Choose one". */
    placeholder?: string;
  };

/** A native list of choices. */
export function Select({
  name,
  id,
  label,
  hint,
  error,
  required,
  showOptional,
  className,
  options,
  placeholder,
  ...select
}: SelectProps) {
  const { control } = fieldWiring({ id, name, hint, error });
  return (
    <Field {...{ name, id, label, hint, error, required, showOptional, className }}>
      <div className="relative">
        <select {...select} {...control} required={required} className={cx(controlClass, "appearance-none pr-9")}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" className="pointer-events-none absolute top-3 right-3 size-4 text-ink-soft" />
      </div>
    </Field>
  );
}
