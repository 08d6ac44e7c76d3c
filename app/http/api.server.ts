import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { AppError } from "~/kernel/app-error";
import type { RequestScope } from "./context.server";
import { errorHeaders, toAppError } from "./errors.server";

export type ApiArgs = RequestScope & { request: Request; params: Record<string, string | undefined> };

/** Handles one method of one path: returns a Response, or a value to be sent as JSON with 200. */
export type ApiHandler = (args: ApiArgs) => Promise<unknown>;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * A JSON API path with a handler for each method. Other methods get a 405; an error gets its status and `{ message,
 * code, fieldErrors?, requestId }`.
 */
export function api(handlers: Partial<Record<Method, ApiHandler>>) {
  const answer = async ({ request, context, params }: LoaderFunctionArgs | ActionFunctionArgs) => {
    const { services, origin, nonce } = context;
    try {
      const method = request.method === "HEAD" ? "GET" : request.method;
      const handler = handlers[method as Method];
      if (!handler) {
        const allow = Object.keys(handlers).join(", ");
        const error = new AppError("METHOD_NOT_ALLOWED", 405, `This path answers ${allow}.`);
        return errorAnswer(error, origin.requestId, { Allow: allow });
      }
      const result = await handler({ services, origin, nonce, request, params });
      return result instanceof Response ? result : json(result);
    } catch (error) {
      // A redirect to a page, for a person who opened the API call in their browser.
      if (error instanceof Response) return error;
      return errorAnswer(toAppError(error, services.log), origin.requestId);
    }
  };
  return { loader: answer, action: answer };
}

/** A JSON answer. */
export function json(body: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("Content-Type", "application/json; charset=utf-8");
  return new Response(JSON.stringify(body), { ...init, headers });
}

export function errorAnswer(error: AppError, requestId: string, headers: HeadersInit = {}): Response {
  const { message, code, fieldErrors, extra } = error;
  const body = { message, code, fieldErrors, requestId, ...extra };
  return json(body, { status: error.status, headers: { ...errorHeaders(error), ...headers } });
}
