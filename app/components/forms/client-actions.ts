import type { ClientActionFunctionArgs, ShouldRevalidateFunction } from "@remix-run/react";
import { type FormAnswer, KEPT_FORM } from "~/kernel/form-answer";
import { sitePaths } from "~/kernel/paths/site";

export const OFFLINE = "We could not reach PayeeProof. Check your connection and try again.";

const SECRET = /password|passkey$|code|token/i;

/**
 * A form's client action for when the network fails: the form stays with what was typed, passwords excepted, and says
 * so. Every answer of the server, also a refusal, is passed on.
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
    // Other thrown responses are redirects and refusals of the server: it was reached.
    if (!over && (error instanceof Response || isRouteError(error))) throw error;
    const values: Record<string, string> = {};
    for (const [name, value] of form) if (typeof value === "string" && !SECRET.test(name)) values[name] = value;
    const answer: FormAnswer = {
      intent: String(form.get("intent") ?? ""),
      code: over ? "SIGNED_OUT" : "UNREACHABLE",
      title: over?.title ?? title,
      errors: {},
      formErrors: [over?.sentence ?? sentence],
      values,
    };
    // With a status that is no success the router asks nothing else of the network.
    return Response.json(answer, { status: over ? 401 : 503 });
  }
}

/**
 * The server led away from the form: the person has to sign in again, or to take a second step. Undefined for other ways: a
 * form that was accepted may lead to the page for signing in too.
 */
function whyKept(response: Response) {
  const [path, query] = (response.headers.get("Location") ?? "").split("?");
  if (path !== sitePaths.keptForm) return undefined;
  return KEPT_FORM[new URLSearchParams(query).get("why") === "step_up" ? "step_up" : "signed_out"];
}

/** The client action of a form that changes something: whether the lost post arrived is not known. */
export const keepWhatWasTyped = (args: ClientActionFunctionArgs): Promise<unknown> =>
  keepFormWhenOffline(args, {
    title: "The connection was lost",
    sentence: "We could not reach PayeeProof, so this may not have been saved. Check your connection and try again.",
  });

const isRouteError = (error: unknown) => typeof error === "object" && error !== null && "status" in error;

/**
 * For a page of which something else is true by now when an act of it is refused (409): the page shows it. After another
 * refusal, and above all after a lost connection, it asks for nothing: what cannot be loaded would take the place of the form
 * and of what was typed. The framework tells such a function that every page is to be loaded again, whatever the status.
 */
export const loadAgainWhenRefused: ShouldRevalidateFunction = ({ actionStatus = 200 }) =>
  actionStatus < 400 || actionStatus === 409;
