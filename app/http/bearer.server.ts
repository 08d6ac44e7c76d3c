import { apiTokens } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { API_TOKEN_PREFIX, API_TOKEN_TOUCH_MS, isApiScope } from "~/modules/accounts/identity/api-tokens/api-token";
import { findPersonByApiToken } from "~/modules/accounts/identity/identity.server";
import { scopeRule } from "./api-scopes.server";
import type { RequestScope } from "./context.server";
import { rememberReader } from "./read-ahead.server";

type Scope = RequestScope & { request: Request };

const invalid = () => new AppError("INVALID_TOKEN", 401, "This API token is not known, was revoked, or has expired.");

/**
 * Whom a token speaks for, if it may make this very call. The one place where scopes are enforced.
 * @throws AppError 401 INVALID_TOKEN, 403 SESSION_REQUIRED, SCOPE_MISSING
 */
export async function requireBearer(scope: Scope, token: string): Promise<Person> {
  const { services, origin, request } = scope;
  const { db, clock, secrets } = services;
  if (!token.startsWith(API_TOKEN_PREFIX)) throw invalid();
  const tokenHash = await secrets.hashToken(token);
  const holder = await findPersonByApiToken(services, tokenHash, origin);
  if (!holder) throw invalid();

  const rule = scopeRule(request.method, new URL(request.url).pathname);
  if (rule === undefined || rule === "session") {
    throw new AppError("SESSION_REQUIRED", 403, "An API token cannot make this call. Sign in to make it.");
  }
  if (isApiScope(rule) && !holder.scopes.includes(rule)) {
    throw new AppError("SCOPE_MISSING", 403, `This API token lacks the scope ${rule}.`);
  }
  const { organizationId } = holder.person;
  if (organizationId !== null) rememberReader(services, tokenHash, { ...holder.person, organizationId });
  const now = clock.now();
  if (now - (holder.lastUsedAt ?? 0) > API_TOKEN_TOUCH_MS) {
    await db.update(apiTokens).set({ lastUsedAt: now }).where(eq(apiTokens.id, holder.tokenId));
  }
  return holder.person;
}
