import type { RequestScope } from "./context.server";
import { readCookie, sessionCookie } from "./cookies.server";

type Scope = Pick<RequestScope, "services" | "origin"> & { request: Request };

/** By the request's origin object: each loader of a page is given a `Request` of its own. */
const found = new WeakMap<RequestScope["origin"], Promise<string | undefined>>();

/** The hash of the token in the request's session cookie; undefined where there is none that we signed. */
export function findTokenHash(scope: Scope): Promise<string | undefined> {
  const before = found.get(scope.origin) ?? readTokenHash(scope);
  found.set(scope.origin, before);
  return before;
}

async function readTokenHash({ services, request }: Scope): Promise<string | undefined> {
  const { config, secrets } = services;
  const token = await readCookie<string>(sessionCookie(config.appOrigin, config.cookieSecrets), request);
  return typeof token === "string" && token !== "" ? secrets.hashToken(token) : undefined;
}
