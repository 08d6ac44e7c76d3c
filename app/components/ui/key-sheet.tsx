import { type RefObject, useLayoutEffect, useRef } from "react";
import { KeysButton } from "~/components/ui/keys-on-demand";
import { Button } from "./elements";

/** Keys pressed in a text field, list or box belong to it. */
const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable]";

/** Keyboard shortcuts. Single keys do nothing while a person types, holds another key or reads their list. */
export function useKeys(acts: Readonly<Record<string, () => unknown>>, sheet: RefObject<HTMLDialogElement>): void {
  const now = useRef(acts);
  now.current = acts;
  // With the button, and not a moment after it: keys work as soon as it is there.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.repeat || event.isComposing) return;
      // Out of a reason, so that the next key moves on; what was typed stays.
      if (event.key === "Escape" && event.target instanceof HTMLTextAreaElement) event.target.blur();
      const isHeld = event.ctrlKey || event.metaKey || event.altKey;
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
      const act = event.key === "?" ? () => sheet.current?.showModal() : now.current[event.key.toLowerCase()];
      if (isHeld || isTyping || sheet.current?.open || !act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [sheet]);
}

interface KeySheetProps {
  sheet: RefObject<HTMLDialogElement>;
  keys: readonly (readonly [string, string])[];
}

/** The list of shortcuts, and the button that shows it. */
export function KeySheet({ sheet, keys }: KeySheetProps) {
  return (
    <>
      <KeysButton onClick={() => sheet.current?.showModal()} />
      <dialog
        ref={sheet}
        aria-labelledby="review-keys-title"
        className="m-auto rounded-base border border-line bg-surface p-6 text-base text-ink shadow-lift backdrop:bg-ink/45"
      >
        <h2 id="review-keys-title" className="mb-3 font-semibold text-lg">
          Keys
        </h2>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
          {keys.map(([key, meaning]) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="key text-base">{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog" className="mt-5">
          <Button type="submit" variant="secondary">
            Close
          </Button>
        </form>
      </dialog>
    </>
  );
}
