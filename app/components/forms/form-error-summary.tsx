import { type MouseEvent, useEffect, useRef } from "react";
import { useErrorTitle } from "~/components/layout/use-error-title";
import { Icon } from "~/components/ui/icons";

export interface FormErrorSummaryProps {
  /** Messages by the id of their field, in the order of the form. */
  errors?: Readonly<Record<string, readonly string[] | null | undefined>> | null;
  /** What belongs to no field: "Invalid username or password". */
  formErrors?: readonly string[] | null;
  title?: string;
}

/** To the field without a new address: the router takes one for a navigation, and forgets the answer with its errors. */
function leadTo(id: string, event: MouseEvent) {
  const field = document.getElementById(id);
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** What went wrong, at the top of the form, each line leading to its field. It takes the focus when it appears. */
export function FormErrorSummary({ errors, formErrors, title = "There is a problem" }: FormErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const lines = Object.entries(errors ?? {}).flatMap(([id, messages]) =>
    messages?.[0] ? [{ id, message: messages[0] }] : [],
  );
  const general = formErrors ?? [];
  const signature = [...general, ...lines.map((line) => line.id + line.message)].join("\n");
  useErrorTitle(signature !== "");
  useEffect(() => {
    if (signature) box.current?.focus();
  }, [signature]);
  if (!signature) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="mb-6 flex gap-3 rounded-base bg-review-wash p-4 text-base border border-review-line"
    >
      <Icon name="alert" className="mt-px text-review" />
      <div className="min-w-0">
        <h2 className="font-semibold">{title}</h2>
        <ul className="mt-1 grid gap-0.5">
          {general.map((message) => (
            <li key={message}>{message}</li>
          ))}
          {lines.map((line) => (
            <li key={line.id}>
              <a
                href={`#${line.id}`}
                onClick={(event) => leadTo(line.id, event)}
                className="font-medium text-review underline underline-offset-2"
              >
                {line.message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
