import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from "@remix-run/cloudflare";

const DATA_SUFFIX = /\.data$/;

/** The path of the page that a request is about: a script asks for `/payees.data`, and `/_root.data` for the home page. */
function pagePathOf(request: Request): string {
  const { pathname } = new URL(request.url);
  if (!DATA_SUFFIX.test(pathname)) return pathname;
  const path = pathname.replace(DATA_SUFFIX, "");
  return path === "/_root" ? "/" : path;
}

/**
 * Answers requests with the app's routes. Each kind of path has its own handler that knows only the routes it can need.
 * Unknown paths and the browser's route requests (`/__manifest`) go to the handler that knows all routes.
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

type Routes = ServerBuild["routes"];

/** A node in the tree of paths: the routes that end here, the nodes below. `isOpen`: any path below ends here. */
type Place = { ends: string[]; pattern: string; fixed: Map<string, Place>; any?: Place; isOpen?: true };

const newPlace = (pattern: string): Place => ({ ends: [], pattern, fixed: new Map() });

/**
 * Finds the routes that a path may need: those that may match it, those that may match a path above it (the browser
 * receives both), their layouts, and the not-found route. The router ranks all its routes several times per request, so
 * it is given only these. A few too many are harmless, because the router still decides.
 */
export function createRouteChooser(routes: Routes): (pathname: string) => string[] | undefined {
  const start = placesOf(routes);
  return (pathname) => {
    let places = [start];
    let isOpen = false;
    const found = new Set(start.ends);
    for (const segment of pathname.split("/").filter(Boolean)) {
      const text = decoded(segment).toLowerCase();
      places = places.flatMap(({ fixed, any }) => [fixed.get(text) ?? [], any ?? []].flat());
      for (const place of places) {
        isOpen ||= place.isOpen === true;
        for (const id of place.ends) found.add(id);
      }
    }
    return places.length === 0 && !isOpen ? undefined : [...found];
  };
}

function placesOf(routes: Routes): Place {
  const start = newPlace("");
  for (const id of Object.keys(routes)) addRoute(start, routes, id);
  return start;
}

/**
 * The pattern of the route that answers a request, e.g. `/payees/:id`, for the log, because an address may contain a
 * token or a name. `*` if no route matches.
 */
export function createPatternFinder(routes: Routes): (request: Request) => string {
  const start = placesOf(routes);
  return (request) => {
    let places = [start];
    let open: string | undefined;
    for (const segment of pagePathOf(request).split("/").filter(Boolean)) {
      const text = decoded(segment).toLowerCase();
      places = places.flatMap(({ fixed, any }) => [fixed.get(text) ?? [], any ?? []].flat());
      open = places.find(({ isOpen }) => isOpen)?.pattern ?? open;
    }
    const found = places.find(({ ends }) => ends.length > 0);
    if (found) return found.pattern || "/";
    return open === undefined ? "*" : `${open}/*`;
  };
}

/** The same build with these routes and their layouts, in the same order. */
export function withRoutes(build: ServerBuild, ids: readonly string[]): ServerBuild {
  const kept = new Set(ids.flatMap((id) => lineOf(build.routes, id)));
  const only = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => kept.has(id))) as Record<string, T>;
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}

/** A route and the routes around it. */
function lineOf(routes: Routes, id: string): string[] {
  const parent = routes[id]?.parentId;
  return parent === undefined ? [id] : [id, ...lineOf(routes, parent)];
}

function addRoute(start: Place, routes: Routes, id: string): void {
  const route = routes[id];
  if (!route || (route.path === undefined && !route.index)) return;
  const line = lineOf(routes, id).reverse();
  const segments = line.flatMap((each) => routes[each]?.path?.split("/") ?? []).filter(Boolean);
  let place = start;
  for (const segment of segments) {
    if (segment.endsWith("?")) throw new Error(`the path of ${id} has an optional part, which is not expected`);
    if (segment === "*") place.isOpen = true;
    else place = membershipAfter(place, segment);
  }
  place.ends.push(id);
}

function membershipAfter(place: Place, segment: string): Place {
  if (segment.startsWith(":")) {
    place.any ??= newPlace(`${place.pattern}/${segment}`);
    return place.any;
  }
  const text = segment.toLowerCase();
  const next = place.fixed.get(text) ?? newPlace(`${place.pattern}/${text}`);
  place.fixed.set(text, next);
  return next;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
