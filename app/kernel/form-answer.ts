import type { ErrorCode } from "./error-code";
import { sitePaths } from "./paths/site";

/** A page's answer to a refused form: the same form, with what was typed and what is wrong. */
export type FormAnswer = {
  /** Which of the page's forms it was: the value of its submit button or hidden field `intent`. */
  intent: string;
  /**
   * Why it was refused, for a page that offers a solution, e.g. "SUBSCRIPTION_REQUIRED"; UNREACHABLE: the server could
   * not be reached; NEXT_STEP: nothing is wrong, and `extra` says what comes next.
   */
  code: ErrorCode | "UNREACHABLE" | "NEXT_STEP";
  title: string;
  /** Error messages by field name. */
  errors: Record<string, string[]>;
  /** Sentences that belong to no field. */
  formErrors: string[];
  /** What was typed, except passwords and codes. */
  values: Record<string, string>;
  /** Further data of the refusal, e.g. the payee that already has the account. */
  extra?: Record<string, unknown>;
};

/** The answer, if it belongs to this form. */
export const answerTo = (answer: FormAnswer | undefined, intent: string): FormAnswer | undefined =>
  answer?.intent === intent ? answer : undefined;

/** All sentences of a refused form, for a page that shows them in one place. */
export const sentencesOf = ({ formErrors, errors }: FormAnswer): string[] => [
  ...formErrors,
  ...Object.values(errors).flat(),
];

/** True if an action's answer is a form that was refused. */
export const isRefusal = (answer: unknown): answer is FormAnswer =>
  typeof answer === "object" &&
  answer !== null &&
  "formErrors" in answer &&
  (answer as FormAnswer).code !== "NEXT_STEP";

/** What to do, in another tab, before a form that could not be processed is posted again. */
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
