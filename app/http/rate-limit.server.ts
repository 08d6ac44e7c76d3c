import { countHit } from "@db/rate-counter";
import { AppError } from "~/kernel/app-error";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { subscriberOf } from "~/kernel/ip-address";
import type { RequestScope } from "./context.server";

/** Limits per address. `RATE_LIMIT_SCALE` multiplies them on a developer's machine; limits per account it does not. */
export const ADDRESS_LIMITS = {
  "sign-in": { limit: 20, windowMs: MINUTE_MS },
  "passkey-options": { limit: 60, windowMs: MINUTE_MS },
  registration: { limit: 10, windowMs: HOUR_MS },
  "password-reset": { limit: 10, windowMs: HOUR_MS },
  contact: { limit: 5, windowMs: HOUR_MS },
  "organization-lookup": { limit: 60, windowMs: MINUTE_MS },
  certificate: { limit: 30, windowMs: MINUTE_MS },
  "verify-link": { limit: 60, windowMs: MINUTE_MS },
  "name-match": { limit: 120, windowMs: MINUTE_MS },
} as const;

/**
 * Counts this request against the limit of its address: of the /64 network for IPv6. Without an address (a developer's
 * machine) all requests share one.
 * @throws AppError 429 RATE_LIMITED with Retry-After
 */
export async function limitByAddress(scope: RequestScope, name: keyof typeof ADDRESS_LIMITS): Promise<void> {
  const { db, clock, config } = scope.services;
  const { limit, windowMs } = ADDRESS_LIMITS[name];
  const now = clock.now();
  const { ipAddress } = scope.origin;
  const subscriber = ipAddress === null ? "local" : subscriberOf(ipAddress);
  const { count, windowEndsAt } = await countHit(db, `${name}:${subscriber}`, windowMs, now);
  if (count > limit * config.rateLimitScale) {
    const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
    throw new AppError("RATE_LIMITED", 429, "Too many tries from your address. Please wait a moment and try again.", {
      retryAfterSeconds,
    });
  }
}
