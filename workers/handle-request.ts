import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from "@remix-run/cloudflare";
import { createRouteChooser, withRoutes } from "./page-routes";

const DATA_SUFFIX = /\.data$/;

/** The path of the page that a request is about: a script asks for `/payees.data`, and `/_root.data` for the home page. */
function pagePathOf(request: Request): string {
  const { pathname } = new URL(request.url);
  if (!DATA_SUFFIX.test(pathname)) return pathname;
  const path = pathname.replace(DATA_SUFFIX, "");
  return path === "/_root" ? "/" : path;
}

/**
 * Answers requests with the app's routes. Each kind of path has a handler of its own that knows only the routes it can
 * need; unknown paths and the browser's questions about routes (`/__manifest`) go to the one that knows them all.
 */
export function createPageHandler(build: ServerBuild, mode: string | undefined): RequestHandler {
  const whole = createRequestHandler(build, mode);
  const chooseRoutes = createRouteChooser(build.routes);
  const handlers = new Map<string, RequestHandler>();
  const handlerFor = (ids: string[]): RequestHandler => {
    const key = ids.join(" ");
    const handler = handlers.get(key) ?? createRequestHandler(withRoutes(build, ids), mode);
    handlers.set(key, handler);
    return handler;
  };
  return (request: Request, context?: AppLoadContext) => {
    const ids = chooseRoutes(pagePathOf(request));
    return (ids === undefined ? whole : handlerFor(ids))(request, context);
  };
}
