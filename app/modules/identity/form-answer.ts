/** What a page answers to a form that was not accepted: the same form, with what was typed and what is wrong. */
export type FormAnswer = {
  /** Which of a page's forms it was. */
  intent: string;
  title: string;
  errors: Record<string, string[]>;
  formErrors: string[];
  /** What was typed, without passwords and codes. */
  values: Record<string, string>;
};

/** The answer, if it is about this form. */
export const answerTo = (answer: FormAnswer | undefined, intent: string): FormAnswer | undefined =>
  answer?.intent === intent ? answer : undefined;
