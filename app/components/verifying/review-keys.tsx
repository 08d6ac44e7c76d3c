import { useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import type { ReviewPageData } from "./review-page";

const SHEET = [
  ["J", "Next verification"],
  ["K", "Previous verification"],
  ["A", "Approve; leads to the reason first where something speaks against the details"],
  ["R", "Leads to the reason for rejecting"],
  ["Ctrl+Enter", "In a reason: confirms the approval or the rejection. On a Mac: ⌘+Enter"],
  ["V", "Verify with the bank"],
  ["/", "Back to the list and its search"],
  ["?", "This list"],
] as const;

const TYPING = "input, textarea, select, [contenteditable]";

/** The button of one of the page's forms, by what it does. */
const buttonOf = (intent: string) => document.querySelector<HTMLButtonElement>(`button[name=intent][value=${intent}]`);

/**
 * One key approves only where nothing speaks against the details. Otherwise, and for every rejection, the key leads to the
 * reason, whatever stands in it, and the decision takes a second key.
 */
function leadToDecision(intent: "approve" | "reject") {
  const button = buttonOf(intent);
  if (button?.dataset.keys === "one") button.click();
  else (document.getElementById(`${intent}-reason`) ?? button)?.focus();
}

/** Presses the button of the reason that is being typed. */
function confirmDecision({ target }: KeyboardEvent) {
  const intent = target instanceof Element && /^(approve|reject)-reason$/.exec(target.id)?.[1];
  if (intent) buttonOf(intent)?.click();
}

/**
 * Keys for people who switched them on. Single ones do nothing while a person types or holds another key; Ctrl+Enter confirms
 * what is being typed.
 */
export function ReviewKeys({ place }: { place: ReviewPageData["place"] }) {
  const navigate = useNavigate();
  const sheet = useRef<HTMLDialogElement>(null);
  const { previousHref, nextHref, listHref } = place;
  useEffect(() => {
    const go = (href: string | null) => href !== null && navigate(href);
    const acts: Readonly<Record<string, () => unknown>> = {
      j: () => go(nextHref),
      k: () => go(previousHref),
      a: () => leadToDecision("approve"),
      r: () => leadToDecision("reject"),
      v: () => buttonOf("verify-basiq")?.click(),
      "/": () => go(listHref),
      "?": () => sheet.current?.showModal(),
    };
    const press = (event: KeyboardEvent) => {
      if (event.repeat || event.isComposing) return;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return confirmDecision(event);
      const isHeld = event.ctrlKey || event.metaKey || event.altKey;
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
