import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { errorAnswer } from "./api.server";
import type { RequestScope } from "./context.server";
import { toAppError, toPageError } from "./errors.server";
import type { Flash } from "./flash.server";

export type PageArgs = RequestScope & { request: Request; url: URL; params: Record<string, string | undefined> };

/**
 * A page's loader or action: what it throws reaches the nearest error boundary as a known status and sentence. The page
 * that shows a refused post says so in its title.
 *
 * The compiler ships a loader to the browser unless the call is marked pure, hence the mark at every use.
 *
 * @example export const loader = /* @__PURE__ *\/ page(async ({ services, request, params }) => { ... });
 */
export function page<T>(run: (args: PageArgs) => Promise<T>) {
  return async ({ request, context, params }: LoaderFunctionArgs | ActionFunctionArgs): Promise<T> => {
    const { services, origin, nonce } = context;
    try {
      const answer = await run({ services, origin, nonce, request, url: new URL(request.url), params });
      if (request.method !== "GET" && isRefusal(answer)) setResponseState({ origin }, { hasErrors: true });
      return answer;
    } catch (error) {
      throw toPageError(error, services.log, origin.requestId);
    }
  };
}

/** Whether an action answers `data(..., { status })` with a status that says no. */
function isRefusal(answer: unknown): boolean {
  const { init } = { ...(answer as { init?: ResponseInit | null } | null) };
  return (init?.status ?? 200) >= 400;
}

/** The same for a path that forms post to and that draws nothing: without a boundary, an error is answered as it is. */
export function formTarget(run: (args: PageArgs) => Promise<Response>) {
  return async ({ request, context, params }: ActionFunctionArgs): Promise<Response> => {
    const { services, origin, nonce } = context;
    try {
      return await run({ services, origin, nonce, request, url: new URL(request.url), params });
    } catch (error) {
      return error instanceof Response ? error : errorAnswer(toAppError(error, services.log), origin.requestId);
    }
  };
}

/**
 * What an action tells the loaders that draw the same response. A post without JavaScript is answered with a page: its
 * action and its loaders share nothing but the request's origin object, so that object is the key.
 */
type ResponseState = {
  flash?: Flash;
  /** The post was refused: the page's title begins with "Error: ". */
  hasErrors?: true;
};
const states = new WeakMap<RequestScope["origin"], ResponseState>();
type Scope = Pick<RequestScope, "origin">;

/** Adds to the state of the response to this request. */
export function setResponseState(scope: Scope, state: ResponseState): void {
  states.set(scope.origin, { ...states.get(scope.origin), ...state });
}

/** The state that the action left; empty for none. */
export function readResponseState(scope: Scope): ResponseState {
  return states.get(scope.origin) ?? {};
}
