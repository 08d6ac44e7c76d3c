import { cx } from "~/components/cx";
import { controlClass, Field, fieldWiring } from "~/components/forms/field";
import type { TextInputProps } from "~/components/forms/text-input";

/** An amount in dollars, as text ("1,234.50"); the server turns it into cents. */
export function MoneyInput({
  name,
  id,
  label,
  hint,
  error,
  required,
  showOptional,
  className,
  digits: _,
  ...input
}: TextInputProps) {
  const { control } = fieldWiring({ id, name, hint, error });
  return (
    <Field {...{ name, id, label, hint, error, required, showOptional, className }}>
      <div className="relative">
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-ink-soft"
        >
          $
        </span>
        <input
          type="text"
          inputMode="decimal"
          autoComplete="off"
          {...input}
          {...control}
          required={required}
          className={cx(controlClass, "figures pr-14 pl-7")}
        />
        <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-ink-soft text-sm">
          AUD
        </span>
      </div>
    </Field>
  );
}
