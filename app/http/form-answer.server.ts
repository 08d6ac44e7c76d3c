import { data } from "@remix-run/cloudflare";
import type { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/modules/identity/form-answer";
import type { RequestScope } from "./context.server";
import { errorHeaders } from "./errors.server";
import { showErrors } from "./this-answer.server";

const NEVER_SHOWN_AGAIN = /password|code|token/i;

/** The form again: every typed value but secrets, the sentences beside their fields, the status, and "Error: " in the title. */
export function answerForm(scope: Pick<RequestScope, "origin">, form: FormData, error: AppError, title: string) {
  showErrors(scope);
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
