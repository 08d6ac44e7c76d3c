import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";
import { More } from "~/components/ui/disclosure";
import { cx, Icon } from "~/components/ui/elements";
import { fieldId, useFormContext } from "./form";

export interface FieldProps {
  name: string;
  /** Defaults to the name. Error summaries link to it. */
  id?: string;
  label: ReactNode;
  hint?: ReactNode;
  /** What the hint leaves out, folded behind a word. */
  more?: ReactNode;
  /** The first message is shown by the field. By default it comes from the form's answer for this name. */
  error?: readonly string[] | null;
  /** A required field has no mark; an optional one says so. */
  required?: boolean;
  /** Set to false if "(optional)" would only distract, as in a search or filter. */
  showOptional?: boolean;
  className?: string;
}

/** Combines a field's own properties with those from the surrounding form: its words, and the control's attributes. */
export function useField<Props extends FieldProps>(props: Props) {
  const {
    name,
    id,
    label,
    hint,
    more,
    showOptional,
    className,
    error: ownError,
    required: ownRequired,
    ...own
  } = props;
  const { answer, values, limits, idPrefix, disabled } = useFormContext();
  const { required: limitRequired, ...limit } = limits?.[name] ?? {};
  const required = ownRequired ?? limitRequired;
  const error = ownError === undefined ? answer?.errors[name] : ownError;
  const controlId = id ?? fieldId(name, idPrefix);
  const hintId = hint ? `${controlId}-hint` : undefined;
  const errorId = error?.length ? `${controlId}-error` : undefined;
  return {
    frame: { label, hint, more, error, required, showOptional, className, controlId, hintId, errorId },
    /** The field's value. A ticked box is sent under its name, an unticked one is not sent. */
    value: answer?.values[name] ?? values?.[name] ?? undefined,
    isTicked: Boolean(answer ? answer.values[name] : values?.[name]),
    control: {
      disabled,
      ...limit,
      ...own,
      required,
      id: controlId,
      name,
      "aria-invalid": errorId ? (true as const) : undefined,
      "aria-describedby": [hintId, errorId].filter(Boolean).join(" ") || undefined,
    },
  };
}

type Frame = ReturnType<typeof useField>["frame"];

/**
 * The frame of an input: 3:1 edge, accent when focused, red when wrong. On touch screens the text is always 16 px,
 * because an iPhone zooms the page for anything smaller.
 */
export const controlClass =
  "block w-full min-h-10 rounded-base bg-surface px-3 py-2 text-ink text-md sm:text-base any-pointer-coarse:text-md shadow-rest border border-control transition-shadow placeholder:text-ink-soft focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent-text aria-invalid:border-review disabled:bg-sunken disabled:text-ink-soft [&[readonly]]:bg-sunken";

/** The message under a field. A hidden word says in text what the red colour says. */
export function FieldError({ id, error }: { id?: string; error?: readonly string[] | null }) {
  if (!error?.length) return null;
  return (
    <p id={id} className="mt-1.5 flex gap-1.5 font-medium text-review text-sm">
      <Icon name="alert" className="mt-0.5 size-4" />
      <span>
        <span className="sr-only">Error: </span>
        {error[0]}
      </span>
    </p>
  );
}

export function FieldLabel({
  label,
  required,
  showOptional = true,
}: Pick<Frame, "label" | "required" | "showOptional">) {
  return (
    <>
      {label}
      {!required && showOptional && <span className="font-normal text-ink-soft"> (optional)</span>}
    </>
  );
}

/** Label, hint, control, message, in that order. Used by the fields in this folder; use it for your own controls. */
export function Field({
  controlId,
  hintId,
  errorId,
  hint,
  more,
  error,
  className,
  children,
  ...label
}: Frame & { children: ReactNode }) {
  return (
    <div className={cx("min-w-0", className)}>
      <label htmlFor={controlId} className="block font-medium text-base">
        <FieldLabel {...label} />
      </label>
      {hint && (
        <p id={hintId} className="mt-0.5 text-ink-soft text-sm">
          {hint}
        </p>
      )}
      {more && <More about={label.label}>{more}</More>}
      <div className="mt-1.5">{children}</div>
      <FieldError id={errorId} error={error} />
    </div>
  );
}

export type InputProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps>;

export type TextInputProps = InputProps & {
  /** Tabular figures, for BSB, account numbers, ABN and codes. */
  digits?: boolean;
  /** What a number counts: shown after it. */
  unit?: string;
};

/** A control with a `size` is only as wide as its contents need. */
const widthOf = ({ size }: { size?: number }) => size !== undefined && "max-w-max";

/** One line of text. Attributes such as inputMode, autoComplete, pattern and defaultValue pass through. */
export function TextInput({ digits, unit, ...props }: TextInputProps) {
  const { frame, control, value } = useField(props);
  const input = (
    <input
      type="text"
      {...initial(props, value)}
      {...control}
      className={cx(controlClass, digits && "figures", widthOf(props))}
    />
  );
  if (!unit) return <Field {...frame}>{input}</Field>;
  return (
    <Field {...frame}>
      <div className="flex items-center gap-2">
        {input}
        <span className="text-ink-soft text-sm">{unit}</span>
      </div>
    </Field>
  );
}

/** The initial value, unless the field is controlled. */
const initial = (props: { value?: unknown }, value: string | undefined) =>
  props.value === undefined ? { defaultValue: value } : {};

type TextareaProps = FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof FieldProps>;

/** Several lines of text; grows with its contents if the browser supports that. */
export function Textarea({ rows = 4, ...props }: TextareaProps) {
  const { frame, control, value } = useField(props);
  return (
    <Field {...frame}>
      <textarea
        rows={rows}
        {...initial(props, value)}
        {...control}
        className={cx(controlClass, "field-sizing-content")}
      />
    </Field>
  );
}

/** An amount in dollars, as text ("1,234.50"); the server turns it into cents. */
export function MoneyInput(props: InputProps) {
  const { frame, control, value } = useField(props);
  return (
    <Field {...frame}>
      <div className={cx("relative", widthOf(props))}>
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
          {...initial(props, value)}
          {...control}
          className={cx(controlClass, "figures pr-14 pl-7")}
        />
        <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-ink-soft text-sm">
          AUD
        </span>
      </div>
    </Field>
  );
}

/**
 * The browser's own file chooser. The form must be `multipart/form-data`. An iPhone does not allow choosing files whose
 * extension it does not know, so `accept` must also name each file's type, or be left out.
 */
export function FileInput(props: Omit<InputProps, "type">) {
  const { frame, control } = useField(props);
  return (
    <Field {...frame}>
      <input {...control} type="file" className={controlClass} />
    </Field>
  );
}

/** A native select without a label, styled like the other controls. WebKit needs the right CSS for long options. */
export function SelectControl({ className, children, ...select }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className="relative block">
      <select {...select} className={cx(controlClass, "appearance-none truncate pr-9", className)}>
        {children}
      </select>
      <Icon name="chevronDown" className="pointer-events-none absolute top-3 right-3 size-4 text-ink-soft" />
    </span>
  );
}

type SelectProps = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, keyof FieldProps | "children"> & {
    options: readonly { value: string; label: string; disabled?: boolean }[];
    /** A first option with an empty value: "Choose one". */
    placeholder?: string;
  };

/** A native select with its label. If no option is empty, one is always selected, so `required` is not needed. */
export function Select({ options, placeholder, ...props }: SelectProps) {
  const { frame, control, value } = useField(props);
  const canBeEmpty = placeholder !== undefined || options[0]?.value === "";
  return (
    <Field {...frame}>
      <SelectControl {...initial(props, value)} {...control} required={control.required && canBeEmpty}>
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

type CheckboxProps = Omit<FieldProps, "showOptional"> &
  Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps | "type">;

/** The class of a tick box or radio button, styled in tailwind.css. */
export const tickClass = "tick";

/** A tick box with its words on the right. */
export function Checkbox(props: CheckboxProps) {
  const { frame, control, isTicked } = useField(props);
  return (
    <div className={frame.className}>
      <label htmlFor={frame.controlId} className="flex min-h-6 items-start gap-3 text-base">
        <input defaultChecked={isTicked} {...control} type="checkbox" className={tickClass} />
        <span>{frame.label}</span>
      </label>
      {frame.hint && (
        <p id={frame.hintId} className="mt-0.5 pl-8 text-ink-soft text-sm">
          {frame.hint}
        </p>
      )}
      {frame.more && (
        <div className="pl-8">
          <More about={frame.label}>{frame.more}</More>
        </div>
      )}
      <FieldError id={frame.errorId} error={frame.error} />
    </div>
  );
}
