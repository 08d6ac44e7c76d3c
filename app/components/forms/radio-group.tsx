import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { tickClass } from "~/components/forms/checkbox";
import { FieldError, type FieldProps, fieldWiring } from "~/components/forms/field";

export interface RadioOption {
  value: string;
  label: ReactNode;
  hint?: ReactNode;
  disabled?: boolean;
}

export type RadioGroupProps = FieldProps & {
  options: readonly RadioOption[];
  defaultValue?: string;
  /** `cards` frames each choice, for choices that need a sentence; `inline` sets short ones in a row. */
  look?: "plain" | "cards" | "inline";
};

/** One of a few. The first radio carries the group's id, so an error summary can lead there. */
export function RadioGroup({
  name,
  id,
  label,
  hint,
  error,
  required,
  showOptional = true,
  className,
  options,
  defaultValue,
  look = "plain",
}: RadioGroupProps) {
  const { control, hintId, errorId } = fieldWiring({ id, name, hint, error });
  return (
    <fieldset aria-describedby={control["aria-describedby"]} className={cx("min-w-0", className)}>
      <legend className="font-medium text-base">
        {label}
        {!required && showOptional && <span className="font-normal text-ink-soft"> (optional)</span>}
      </legend>
      {hint && (
        <p id={hintId} className="mt-0.5 text-ink-soft text-sm">
          {hint}
        </p>
      )}
      <div className={cx("mt-2", look === "inline" ? "flex flex-wrap gap-x-6 gap-y-2" : "grid gap-2.5")}>
        {options.map((option, index) => {
          const optionId = index === 0 ? control.id : `${control.id}-${option.value}`;
          return (
            <RadioLabel key={option.value} option={option} htmlFor={optionId} look={look}>
              <input
                id={optionId}
                type="radio"
                name={name}
                value={option.value}
                defaultChecked={option.value === defaultValue}
                disabled={option.disabled}
                required={required}
                aria-invalid={control["aria-invalid"]}
                className={tickClass}
              />
            </RadioLabel>
          );
        })}
      </div>
      <FieldError id={errorId} error={error} />
    </fieldset>
  );
}

type RadioLabelProps = {
  option: RadioOption;
  htmlFor: string;
  look: RadioGroupProps["look"];
  children: ReactNode;
};

/** A choice's words beside its button. */
function RadioLabel({ option, htmlFor, look, children }: RadioLabelProps) {
  return (
    <label
      htmlFor={htmlFor}
      className={cx(
        "flex min-h-6 items-start gap-3 text-base",
        look === "cards" &&
          "rounded-base bg-surface px-4 py-3 border border-line has-checked:bg-accent-wash/50 has-checked:border-accent-text hover:border-control",
      )}
    >
      {children}
      <span className="min-w-0">
        {option.label}
        {option.hint && <span className="block text-ink-soft text-sm">{option.hint}</span>}
      </span>
    </label>
  );
}
