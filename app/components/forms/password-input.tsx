import { useState } from "react";
import { cx } from "~/components/cx";
import { controlClass, Field, fieldWiring } from "~/components/forms/field";
import type { TextInputProps } from "~/components/forms/text-input";
import { useHydrated } from "~/components/use-hydrated";

/** A password. Where scripts run, a button beside it shows what was typed. Pasting always works. */
export function PasswordInput({
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
}: Omit<TextInputProps, "type">) {
  const [isShown, setShown] = useState(false);
  const hydrated = useHydrated();
  const { control } = fieldWiring({ id, name, hint, error });
  return (
    <Field {...{ name, id, label, hint, error, required, showOptional, className }}>
      <div className="relative">
        <input
          {...input}
          {...control}
          type={isShown ? "text" : "password"}
          required={required}
          autoCapitalize="none"
          spellCheck={false}
          className={cx(controlClass, hydrated && "pr-16")}
        />
        {hydrated && (
          <button
            type="button"
            aria-pressed={isShown}
            aria-controls={control.id}
            onClick={() => setShown(!isShown)}
            className="border border-transparent absolute inset-y-1 right-1 rounded-base px-2.5 font-medium text-accent-text text-sm hover:bg-sunken"
          >
            {isShown ? "Hide" : "Show"}
            <span className="sr-only"> password</span>
          </button>
        )}
      </div>
    </Field>
  );
}
