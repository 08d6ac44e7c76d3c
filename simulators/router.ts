import type { SimulatedCall } from "./party";

type Params = Record<string, string>;
type Handler = (call: SimulatedCall, params: Params) => Response | Promise<Response>;

export type Route = { method: string; segments: string[]; handle: Handler };

/** `:name` stands for one segment: `route("GET", "/users/:userId/accounts", ...)`. */
export function route(method: string, pattern: string, handle: Handler): Route {
  return { method, segments: pattern.split("/"), handle };
}

/** The first route that fits, called; undefined when none does. */
export async function dispatch(routes: readonly Route[], call: SimulatedCall): Promise<Response | undefined> {
  const segments = call.path.split("/");
  for (const candidate of routes) {
    const params = candidate.method === call.request.method ? match(candidate.segments, segments) : undefined;
    if (params) return candidate.handle(call, params);
  }
  return undefined;
}

function match(pattern: string[], segments: string[]): Params | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Params = {};
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i] ?? "";
    if (part.startsWith(":") && segment !== "") params[part.slice(1)] = decodeURIComponent(segment);
    else if (part !== segment) return undefined;
  }
  return params;
}
