import type { ReactNode } from "react";
import { cx } from "~/components/ui/elements";
import { Checkbox, FieldError } from "./fields";
import { useFormContext } from "./form";

interface CheckboxGroupProps {
  name: string;
  label: string;
  options: readonly { value: string; label: ReactNode }[];
  /** The boxes that are ticked at first, unless a refused form has its own. */
  chosen?: readonly string[];
  /** In two columns if there is room. */
  wide?: boolean;
}

/** Several tick boxes, sent under one name. The first box has the name as its id. */
export function CheckboxGroup({ name, label, options, chosen = [], wide }: CheckboxGroupProps) {
  const { answer } = useFormContext();
  const posted = answer?.extra?.[name];
  const ticked: readonly unknown[] = Array.isArray(posted) ? posted : chosen;
  return (
    <fieldset>
      <legend className="font-medium text-base">{label}</legend>
      <div className={cx("mt-2 grid gap-2.5", wide && "sm:grid-cols-2")}>
        {options.map((option, index) => (
          <Checkbox
            key={option.value}
            id={index === 0 ? name : `${name}-${option.value}`}
            name={name}
            value={option.value}
            defaultChecked={ticked.includes(option.value)}
            label={option.label}
            error={null}
          />
        ))}
      </div>
      <FieldError id={`${name}-error`} error={answer?.errors[name]} />
    </fieldset>
  );
}
