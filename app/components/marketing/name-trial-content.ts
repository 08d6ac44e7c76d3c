import { useActionData } from "@remix-run/react";
import type { FormAnswer } from "~/kernel/form-answer";
import type { MarkedNames, Reason } from "~/modules/name-match";
import type { EntryProps } from "./page-banner";

/** Longest account name that is compared (the product's own limit). */
export const TRIAL_MAX_LENGTH = 140;

/** What the try-it box shows. */
export interface Trial {
  submitted: string;
  held: string;
  /** The comparison, with why the score is not higher ready to read. */
  match?: { score: number; names: MarkedNames; reasons: readonly Reason[] };
  errors?: { submitted?: string[]; held?: string[] };
  failure?: string;
}

/** What the box shows: a page's own example, or the answer to its form. */
export function useTrial(example: Trial): Trial {
  const answer = useActionData<Trial | FormAnswer>();
  return answer ? toTrial(answer) : example;
}

/** A refused form as the box shows it: what was typed, and what is wrong with it. */
function toTrial(answer: Trial | FormAnswer): Trial {
  if (!("code" in answer)) return answer;
  const { values, errors, formErrors } = answer;
  return { submitted: values.submitted ?? "", held: values.held ?? "", errors, failure: formErrors[0] };
}

/** Invented pairs, each with a lesson. */
export const TRIAL_EXAMPLES = [
  { label: "Two letters", submitted: "Harbour Foods Pty Ltd", held: "Harbour Funds Pty Ltd" },
  { label: "Legal form", submitted: "Nguyen & Sons P/L", held: "Nguyen and Sons Pty Ltd" },
  { label: "Nickname", submitted: "Liz Taylor", held: "Elizabeth Taylor" },
  { label: "Typing error", submitted: "Coastline Timber", held: "Coastline Tinber" },
  { label: "Look-alike letter", submitted: "W\u0430ratah Freight", held: "Waratah Freight" },
  { label: "Another holder", submitted: "Bright Sparks Electrical", held: "J M Dunne" },
] as const;

/** The pair that the address chooses by its number, else the first. */
export const exampleOf = ({ searchParams }: URL) =>
  TRIAL_EXAMPLES[Number(searchParams.get("example")) - 1] ?? TRIAL_EXAMPLES[0];

/** The second pair, as banners show it. */
export const LEGAL_FORM_ENTRY: EntryProps = {
  given: { label: "On the invoice", value: TRIAL_EXAMPLES[1].submitted },
  held: { label: "At the bank", value: TRIAL_EXAMPLES[1].held },
  verdict: { tone: "verified", word: "Exact" },
};
