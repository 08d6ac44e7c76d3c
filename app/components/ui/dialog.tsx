import { type ReactNode, useId, useRef } from "react";
import { type ButtonSize, type ButtonVariant, buttonClass, Icon, Link } from "./elements";
import { useOnNavigation } from "./use-on-navigation";

/**
 * A native modal dialog, opened by a link. Without scripts the link leads to `fallbackHref`; with scripts the same
 * content opens here, Escape closes it and the focus returns to the link. A completed navigation closes it.
 */
export function Dialog({
  trigger,
  triggerVariant = "secondary",
  triggerSize,
  title,
  fallbackHref,
  children,
}: {
  /** The text of the link that opens it. */
  trigger: ReactNode;
  triggerVariant?: ButtonVariant | "link";
  triggerSize?: ButtonSize;
  title: string;
  /** A page with the same content, for use without scripts. */
  fallbackHref: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useOnNavigation(() => dialog.current?.close());
  return (
    <>
      <Link
        to={fallbackHref}
        className={triggerVariant === "link" ? "text-accent-text underline" : buttonClass(triggerVariant, triggerSize)}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || !dialog.current) return;
          event.preventDefault();
          dialog.current.showModal();
        }}
      >
        {trigger}
      </Link>
      <dialog
        ref={dialog}
        aria-labelledby={titleId}
        className="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-base bg-surface text-ink shadow-lift border border-line open:animate-rise"
      >
        <div className="flex items-start justify-between gap-4 px-6 pt-5">
          <h2 id={titleId} className="font-semibold text-lg tracking-[-0.01em]">
            {title}
          </h2>
          <form method="dialog">
            <button
              type="submit"
              className="-mt-1 -mr-2 grid size-9 place-items-center rounded-base border border-transparent text-ink-soft hover:bg-sunken hover:text-ink"
            >
              <Icon name="x" />
              <span className="sr-only">Close</span>
            </button>
          </form>
        </div>
        <div className="px-6 pt-2 pb-6">{children}</div>
      </dialog>
    </>
  );
}
