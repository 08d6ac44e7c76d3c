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

/** A native list of choices without a label of its own, drawn like every other control. */
export function SelectControl({ className, children, ...select }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className="relative block">
      <select {...select} className={cx(controlClass, "appearance-none pr-9", className)}>
        {children}
      </select>
      <Icon name="chevronDown" className="pointer-events-none absolute top-3 right-3 size-4 text-ink-soft" />
    </span>
  );
}

/** A native list of choices with its label. */
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
      <SelectControl {...select} {...control} required={required}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </SelectControl>
    </Field>
  );
}
