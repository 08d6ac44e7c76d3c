import { isRouteErrorResponse, useRouteError } from "@remix-run/react";

/** What a page's loader or action threw, as a boundary is given it. */
export function useProblem() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error)) return { status: 500 };
  const { code, message, requestId } = {
    ...(error.data as { code?: unknown; message?: unknown; requestId?: unknown } | null),
  };
  return {
    status: error.status,
    code: typeof code === "string" ? code : undefined,
    message: typeof message === "string" ? message : undefined,
    requestId: typeof requestId === "string" ? requestId : undefined,
  };
}
