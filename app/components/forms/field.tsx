import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { Icon } from "~/components/ui/icons";

/** What every field takes; all of it plain, so the props of a form library can be spread in as well. */
export interface FieldProps {
  name: string;
  /** Defaults to the name. Error summaries link to it. */
  id?: string;
  label: ReactNode;
  hint?: ReactNode;
  /** The first message is shown by the field. */
  error?: readonly string[] | null;
  /** A required field carries no mark; an optional one says so. */
  required?: boolean;
  /** Set false where "(optional)" would only be noise, as in a search or a filter. */
  showOptional?: boolean;
  className?: string;
}

/** The attributes that tie a control to its hint and its message. */
export function fieldWiring({ id, name, hint, error }: Pick<FieldProps, "id" | "name" | "hint" | "error">) {
  const controlId = id ?? name;
  const hintId = hint ? `${controlId}-hint` : undefined;
  const errorId = error?.length ? `${controlId}-error` : undefined;
  return {
    hintId,
    errorId,
    control: {
      id: controlId,
      name,
      "aria-invalid": errorId ? (true as const) : undefined,
      "aria-describedby": [hintId, errorId].filter(Boolean).join(" ") || undefined,
    },
  };
}

/** The frame of an input: 3:1 edge, accent when focused, red when wrong. */
export const controlClass =
  "block w-full min-h-10 rounded-base bg-surface px-3 py-2 text-ink text-md sm:text-base shadow-rest border border-control transition-shadow placeholder:text-ink-soft focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent-text aria-invalid:border-review disabled:bg-sunken disabled:text-ink-soft [&[readonly]]:bg-sunken";

/** The message under a field. Its hidden word tells what the red tells. */
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

/** Label, hint, control, message, in that order. The fields of this folder use it; use it for a control of your own. */
export function Field({
  name,
  id,
  label,
  hint,
  error,
  required,
  showOptional = true,
  className,
  children,
}: FieldProps & { children: ReactNode }) {
  const wiring = fieldWiring({ id, name, hint, error });
  return (
    <div className={cx("min-w-0", className)}>
      <label htmlFor={wiring.control.id} className="block font-medium text-base">
        {label}
        {!required && showOptional && <span className="font-normal text-ink-soft"> (optional)</span>}
      </label>
      {hint && (
        <p id={wiring.hintId} className="mt-0.5 text-ink-soft text-sm">
          {hint}
        </p>
      )}
      <div className="mt-1.5">{children}</div>
      <FieldError id={wiring.errorId} error={error} />
    </div>
  );
}
