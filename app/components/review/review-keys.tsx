import { useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import type { PlaceView } from "~/modules/review/place.view";

const SHEET = [
  ["J", "Next verification"],
  ["K", "Previous verification"],
  ["A", "Approve; a flagged one asks for a reason first"],
  ["R", "Reject"],
  ["V", "Verify with the bank"],
  ["/", "Back to the list and its search"],
  ["?", "This list"],
] as const;

const TYPING = "input, textarea, select, [contenteditable]";

/** The button of one of the page's forms, by what it does. */
const buttonOf = (intent: string) => document.querySelector<HTMLButtonElement>(`button[name=intent][value=${intent}]`);

/** Presses Approve or Reject, or leads to the reason that has to be given first. */
function decide(intent: "approve" | "reject") {
  const reason = document.getElementById(`${intent}-reason`) as HTMLTextAreaElement | null;
  if (reason && reason.value.trim() === "") reason.focus();
  else buttonOf(intent)?.click();
}

/** Single keys for people who switched them on; they do nothing while a person types or holds another key. */
export function ReviewKeys({ place }: { place: PlaceView }) {
  const navigate = useNavigate();
  const sheet = useRef<HTMLDialogElement>(null);
  const { previousHref, nextHref, listHref } = place;
  useEffect(() => {
    const go = (href: string | null) => href !== null && navigate(href);
    const acts: Readonly<Record<string, () => unknown>> = {
      j: () => go(nextHref),
      k: () => go(previousHref),
      a: () => decide("approve"),
      r: () => decide("reject"),
      v: () => buttonOf("verify-basiq")?.click(),
      "/": () => go(listHref),
      "?": () => sheet.current?.showModal(),
    };
    const press = (event: KeyboardEvent) => {
      const isHeld = event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing;
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
      const act = acts[event.key.toLowerCase()];
      if (isHeld || isTyping || sheet.current?.open || !act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [navigate, previousHref, nextHref, listHref]);
  return (
    <dialog
      ref={sheet}
      aria-labelledby="review-keys-title"
      className="m-auto rounded-base border border-line bg-surface p-6 text-base text-ink shadow-lift backdrop:bg-ink/45"
    >
      <KeyList />
    </dialog>
  );
}

function KeyList() {
  return (
    <>
      <h2 id="review-keys-title" className="mb-3 font-semibold text-lg">
        Keys
      </h2>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {SHEET.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="figures rounded-base border border-line bg-sunken px-1.5">{key}</kbd>
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
    </>
  );
}
