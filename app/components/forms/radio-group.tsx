import type { ReactNode } from "react";
import { FieldError, FieldLabel, type FieldProps, tickClass, useField } from "~/components/forms/fields";
import { cx } from "~/components/ui/elements";

type RadioGroupProps = FieldProps & {
  options: readonly { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean }[];
  defaultValue?: string;
  /** `cards` frames each option, for options with a sentence; `inline` puts short ones in a row. */
  look?: "plain" | "cards" | "inline";
};

/** A few options to choose from. The first radio button has the group's id, so that an error summary can link to it. */
export function RadioGroup({ options, look = "plain", defaultValue, ...props }: RadioGroupProps) {
  const { frame, control, value } = useField(props);
  const { controlId, hintId, errorId, hint, error, className, ...label } = frame;
  return (
    <fieldset aria-describedby={control["aria-describedby"]} className={cx("min-w-0", className)}>
      <legend className="font-medium text-base">
        <FieldLabel {...label} />
      </legend>
      {hint && (
        <p id={hintId} className="mt-0.5 text-ink-soft text-sm">
          {hint}
        </p>
      )}
      <div className={cx("mt-2", look === "inline" ? "flex flex-wrap gap-x-6 gap-y-2" : "grid gap-2.5")}>
        {options.map((option, index) => {
          const optionId = index === 0 ? controlId : `${controlId}-${option.value}`;
          return (
            <label
              key={option.value}
              htmlFor={optionId}
              className={cx(
                "flex min-h-6 items-start gap-3 text-base",
                look === "cards" &&
                  "rounded-base bg-surface px-4 py-3 border border-line has-checked:bg-accent-wash/50 has-checked:border-accent-text hover:border-control",
              )}
            >
              <input
                id={optionId}
                type="radio"
                name={control.name}
                value={option.value}
                defaultChecked={option.value === (defaultValue ?? value)}
                disabled={option.disabled ?? control.disabled}
                required={control.required}
                aria-invalid={control["aria-invalid"]}
                className={tickClass}
              />
              <span className="min-w-0">
                {option.label}
                {option.hint && <span className="block text-ink-soft text-sm">{option.hint}</span>}
              </span>
            </label>
          );
        })}
      </div>
      <FieldError id={errorId} error={error} />
    </fieldset>
  );
}
