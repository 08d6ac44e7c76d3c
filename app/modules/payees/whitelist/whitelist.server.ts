import type { Statement } from "@db/client";
import { payees } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Services } from "~/services";

type Acting = { userId: string | null; organizationId: string };

/** Trusts a payee's current details, for the batch that decided so.  */
export function whitelistPayee(
  services: Pick<Services, "db" | "clock">,
  acting: Acting,
  input: { payeeId: string; reason: string; global?: boolean },
): Statement {
  const now = services.clock.now();
  return services.db
    .update(payees)
    .set({
      whitelisted: true,
      whitelistedAt: now,
      whitelistedById: acting.userId,
      whitelistedReason: input.reason,
      takenOffWhitelistAt: null,
      formerTrust: null,
      draftSince: null,
      ...(input.global ? { whitelistGlobal: true } : {}),
      disputedAt: null,
      version: sql`${payees.version} + 1`,
      updatedAt: now,
    })
    .where(and(eq(payees.organizationId, acting.organizationId), eq(payees.id, input.payeeId)));
}

/** What a payee off both whitelists looks like, for a batch that changes more of it at the same time. */
export const OFF_WHITELISTS = {
  whitelisted: false,
  whitelistedAt: null,
  whitelistedById: null,
  whitelistedReason: null,
  whitelistGlobal: false,
} as const;

/**
 * Takes a payee off both whitelists because a person decided so: an earlier verification does not speak for it any more,
 * and what it was trusted with before a change is not offered again.
 */
export function unwhitelistPayee(services: Pick<Services, "db" | "clock">, acting: Acting, payeeId: string): Statement {
  const now = services.clock.now();
  return services.db
    .update(payees)
    .set({
      ...OFF_WHITELISTS,
      takenOffWhitelistAt: now,
      formerTrust: null,
      version: sql`${payees.version} + 1`,
      updatedAt: now,
    })
    .where(and(eq(payees.organizationId, acting.organizationId), eq(payees.id, payeeId)));
}
