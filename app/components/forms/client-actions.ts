import type { ClientActionFunctionArgs, ShouldRevalidateFunction } from "@remix-run/react";
import { type FormAnswer, KEPT_FORM } from "~/kernel/form-answer";
import { NEVER_SHOWN_AGAIN } from "~/kernel/form-fields";
import { sitePaths } from "~/kernel/paths/site";

export const OFFLINE = "We could not reach PayeeProof. Check your connection and try again.";

/**
 * A form's client action for network failures: keeps the form with what was typed, except passwords, and says so.
 * Passes on every answer of the server, including refusals.
 */
export async function keepFormWhenOffline(
  { request, serverAction }: ClientActionFunctionArgs,
  { title, sentence }: { title: string; sentence: string },
): Promise<unknown> {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    const over = error instanceof Response ? whyKept(error) : undefined;
    // Any other thrown response is a redirect or refusal, so the server was reached.
    if (!over && (error instanceof Response || isRouteError(error))) throw error;
    const values: Record<string, string> = {};
    for (const [name, value] of form)
      if (typeof value === "string" && !NEVER_SHOWN_AGAIN.test(name)) values[name] = value;
    const answer: FormAnswer = {
      intent: String(form.get("intent") ?? ""),
      code: over ? "SIGNED_OUT" : "UNREACHABLE",
      title: over?.title ?? title,
      errors: {},
      formErrors: [over?.sentence ?? sentence],
      values,
    };
    // An error status keeps the router from loading the page's data.
    return Response.json(answer, { status: over ? 401 : 503 });
  }
}

/**
 * Why the server redirected away from the form: the person has to sign in again, or repeat a second step. Undefined for
 * other redirects, because an accepted form may also lead to the sign-in page.
 */
function whyKept(response: Response) {
  const [path, query] = (response.headers.get("Location") ?? "").split("?");
  if (path !== sitePaths.keptForm) return undefined;
  return KEPT_FORM[new URLSearchParams(query).get("why") === "step_up" ? "step_up" : "signed_out"];
}

/**
 * The client action of a form that changes something: after a network failure it is unknown whether the post arrived.
 */
export const keepWhatWasTyped = (args: ClientActionFunctionArgs): Promise<unknown> =>
  keepFormWhenOffline(args, {
    title: "The connection was lost",
    sentence: "We could not reach PayeeProof, so this may not have been saved. Check your connection and try again.",
  });

const isRouteError = (error: unknown) => typeof error === "object" && error !== null && "status" in error;

/**
 * For a page that must show newer data after one of its actions is refused with 409. After other refusals, and above
 * all after a lost connection, nothing is reloaded, because a failed load would replace the form and what was typed.
 * The framework otherwise reloads every page, whatever the status.
 */
export const loadAgainWhenRefused: ShouldRevalidateFunction = ({ actionStatus = 200 }) =>
  actionStatus < 400 || actionStatus === 409;
