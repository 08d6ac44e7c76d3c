import { useNavigate } from "@remix-run/react";
import { useRef } from "react";
import { KeySheet, useKeys } from "~/components/ui/key-sheet";

const MOVING = [
  ["J", "Next"],
  ["K", "Previous"],
] as const;
const LEAVING = [
  ["/", "Back to the list and its search"],
  ["Ctrl+K", "Searches everything. On a Mac: ⌘+K"],
  ["?", "This list"],
] as const;
const OF_REVIEW = [
  ...MOVING,
  ["A", "Approves, or asks for a reason if something counts against it"],
  ["R", "The reason for rejecting"],
  ["Ctrl+Enter", "In a reason: confirms. On a Mac: ⌘+Enter"],
  ["Esc", "Leaves the reason; what you typed stays"],
  ["C", "Comment"],
  ["M", "Assign"],
  ["V", "Verify with the bank"],
  ...LEAVING,
] as const;
const OF_PAYMENT = [...MOVING, ["A or R", "The reason"], ...LEAVING] as const;

/** The button with this action in one of the page's forms. */
const buttonOf = (intent: string) =>
  document.querySelector<HTMLButtonElement>(`form button[name=intent][value=${intent}]`);

/**
 * A single key approves only if there is no warning. Otherwise, and for every rejection, the key focuses the reason,
 * whatever it contains, and deciding takes a second key.
 */
function leadToDecision(intent: "approve" | "reject") {
  const button = buttonOf(intent);
  if (button?.dataset.keys === "one") button.click();
  else (document.getElementById(`${intent}-reason`) ?? document.getElementById("reason") ?? button)?.focus();
}

interface ReviewKeysProps {
  place: { previousHref: string | null; nextHref: string | null };
  /** The list that the item is in. */
  listHref: string;
  /** Comments and assignment of a verification; a payment has neither. */
  notesHref?: string;
}

/** Keyboard shortcuts on the page of one verification or held payment, for people who have not turned them off. */
export function ReviewKeys({ place, listHref, notesHref }: ReviewKeysProps) {
  const navigate = useNavigate();
  const sheet = useRef<HTMLDialogElement>(null);
  const go = (href: string | null) => href !== null && navigate(href);
  useKeys(
    {
      j: () => go(place.nextHref),
      k: () => go(place.previousHref),
      a: () => leadToDecision("approve"),
      r: () => leadToDecision("reject"),
      ...(notesHref && {
        c: () => go(`${notesHref}#text`),
        m: () => go(`${notesHref}#assignee`),
        v: () => buttonOf("verify-basiq")?.click(),
      }),
      "/": () => go(listHref),
    },
    sheet,
  );
  return <KeySheet sheet={sheet} keys={notesHref ? OF_REVIEW : OF_PAYMENT} />;
}
