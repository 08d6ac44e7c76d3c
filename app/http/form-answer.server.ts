import { data } from "@remix-run/cloudflare";
import type { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/modules/identity/form-answer";
import { errorHeaders } from "./errors.server";

const NEVER_SHOWN_AGAIN = /password|code|token/i;

/** The form again: every typed value but secrets, the sentences beside their fields, and the status. */
export function answerForm(form: FormData, error: AppError, title: string) {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === "string" && !NEVER_SHOWN_AGAIN.test(name)) values[name] = value;
  }
  const intent = form.get("intent");
  const answer: FormAnswer = {
    intent: typeof intent === "string" ? intent : "",
    title,
    errors: error.fieldErrors ?? {},
    formErrors: error.fieldErrors ? [] : [error.message],
    values,
  };
  return data(answer, { status: error.status, headers: errorHeaders(error) });
}
