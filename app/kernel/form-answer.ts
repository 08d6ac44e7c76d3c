import type { ErrorCode } from "./error-code";
import { sitePaths } from "./paths/site";

/** What a page answers to a form that was refused: the same form, with what was typed and what is wrong. */
export type FormAnswer = {
  /** Which of a page's forms it was: the value of its submit button or hidden field `intent`. */
  intent: string;
  /**
   * Why it was refused, for a page that offers a way on, e.g. "SUBSCRIPTION_REQUIRED"; UNREACHABLE: the server could not
   * be asked; NEXT_STEP: nothing is wrong, `extra` says what comes next.
   */
  code: ErrorCode | "UNREACHABLE" | "NEXT_STEP";
  title: string;
  /** Sentences beside their fields. */
  errors: Record<string, string[]>;
  /** Sentences that belong to no field. */
  formErrors: string[];
  /** What was typed, without passwords and codes. */
  values: Record<string, string>;
  /** What the refusal carries besides, e.g. the payee that has the account already. */
  extra?: Record<string, unknown>;
};

/** The answer, if it is about this form. */
export const answerTo = (answer: FormAnswer | undefined, intent: string): FormAnswer | undefined =>
  answer?.intent === intent ? answer : undefined;

/** Every sentence of a refused form, where the page shows them in one place. */
export const sentencesOf = ({ formErrors, errors }: FormAnswer): string[] => [
  ...formErrors,
  ...Object.values(errors).flat(),
];

/** Whether an action's answer is a form that comes back because something is wrong with it. */
export const isRefusal = (answer: unknown): answer is FormAnswer =>
  typeof answer === "object" &&
  answer !== null &&
  "formErrors" in answer &&
  (answer as FormAnswer).code !== "NEXT_STEP";

/** Names the person and the organisation that a signed-in page was drawn for, in each of its forms (`typistOf`). */
export const TYPIST_FIELD = "typist";

/** What to do before a form that was posted in vain is posted again, and where: in another tab, beside what was typed. */
export const KEPT_FORM = {
  signed_out: {
    title: "Nothing was saved",
    sentence: "You were signed out. What you typed is still here: log in again in another tab, then send this again.",
    to: sitePaths.signIn,
    label: "Log in",
  },
  step_up: {
    title: "One more step",
    sentence:
      "Your organisation asks for a code or a passkey first. Nothing was saved, and what you typed is still here: give it in another tab, then send this again.",
    to: sitePaths.stepUp,
    label: "Give the code",
  },
};
