import { apiTokens, sessions } from "@db/database";
import { eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { API_TOKEN_PREFIX, API_TOKEN_TOUCH_MS } from "~/modules/accounts/identity/api-token";
import { findPersonByApiToken, findPersonBySession, sessionTouchMs } from "~/modules/accounts/identity/person.server";
import type { Person, Services } from "~/services-and-actor";
import { bearerOf, findTokenHash, type RequestScope } from "./context.server";
import { sessionCookie } from "./cookies.server";
import { rememberReader } from "./read-ahead.server";

const invalid = () => new AppError("INVALID_TOKEN", "This API token is not known, was revoked, or has expired.");

/**
 * The person of an API token, if it may make this call. Scopes are enforced only here.
 * @throws AppError 401 INVALID_TOKEN, 403 SESSION_REQUIRED, SCOPE_MISSING
 */
async function requireBearer(scope: RequestScope & { request: Request }, token: string): Promise<Person> {
  const { services, origin, needs } = scope;
  const { db, clock, secrets } = services;
  if (!token.startsWith(API_TOKEN_PREFIX)) throw invalid();
  const tokenHash = await secrets.hashToken(token);
  const holder = await findPersonByApiToken(services, tokenHash, origin);
  if (!holder) throw invalid();

  if (needs === undefined) {
    throw new AppError("SESSION_REQUIRED", "An API token cannot make this call. Sign in to make it.");
  }
  if (needs !== "any" && !holder.scopes.includes(needs)) {
    throw new AppError("SCOPE_MISSING", `This API token lacks the scope ${needs}.`);
  }
  const { organizationId } = holder.person;
  if (organizationId !== null) rememberReader(services, tokenHash, { ...holder.person, organizationId });
  const now = clock.now();
  if (now - (holder.lastUsedAt ?? 0) > API_TOKEN_TOUCH_MS) {
    await db.update(apiTokens).set({ lastUsedAt: now }).where(eq(apiTokens.id, holder.tokenId));
  }
  return holder.person;
}

type Cookies = Pick<Services, "config">;

const cookieOf = ({ config }: Cookies) => sessionCookie(config.appOrigin, config.cookieSecrets);

/** The `Set-Cookie` that starts a session in the browser; `token` is the secret whose hash is the session's id. */
export function startSession(services: Cookies, token: string): Promise<string> {
  return cookieOf(services).serialize(token);
}

/** The `Set-Cookie` that ends it. */
export function endSession(services: Cookies): Promise<string> {
  return cookieOf(services).serialize("", { maxAge: 0 });
}

/**
 * Keyed by the request's origin object, because each loader of a page gets its own `Request`. An action may change what
 * is known, so the loaders of its response look again.
 */
const known = new WeakMap<RequestScope["origin"], Partial<Record<"reading" | "changing", Promise<Person | null>>>>();

/**
 * The signed-in person, or null. Read once per request; role, status and organisation come from the database, never
 * from the cookie.
 * @throws AppError 401, 403 for an API token that may not make this call
 */
export function findPerson(scope: RequestScope & { request: Request }): Promise<Person | null> {
  const phase = scope.request.method === "GET" || scope.request.method === "HEAD" ? "reading" : "changing";
  const before = known.get(scope.origin);
  const found = before?.[phase] ?? readPerson(scope);
  known.set(scope.origin, { ...before, [phase]: found });
  return found;
}

async function readPerson(scope: RequestScope & { request: Request }): Promise<Person | null> {
  const { services, origin, request } = scope;
  const bearer = bearerOf(request);
  if (bearer !== undefined) return requireBearer(scope, bearer);
  const { db, clock } = services;
  const tokenHash = await findTokenHash(scope);
  if (tokenHash === undefined) return null;
  const found = await findPersonBySession(services, tokenHash, origin);
  if (!found) return null;
  const { organizationId } = found.person;
  if (organizationId !== null) rememberReader(services, tokenHash, { ...found.person, organizationId });
  const now = clock.now();
  if (now - found.lastSeenAt > sessionTouchMs(found.person)) {
    await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, found.person.sessionId));
  }
  return found.person;
}
