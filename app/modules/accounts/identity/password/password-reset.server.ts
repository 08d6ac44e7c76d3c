import { tokens, users } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Services } from "~/services";
import { type ResetState, resetState } from "./password-reset";

/** A link to set a new password, and whose it is. */
export type PasswordReset = {
  state: ResetState;
  tokenId: string;
  userId: string;
  email: string;
  firstName: string;
  organizationId: string | null;
};

/** What is behind a reset link; undefined for a token that was never ours, or no longer this person's. */
export async function findPasswordReset(
  services: Pick<Services, "db" | "clock" | "secrets">,
  token: string,
): Promise<PasswordReset | undefined> {
  const { db, clock, secrets } = services;
  const [row] = await db
    .select({
      tokenId: tokens.id,
      usedAt: tokens.usedAt,
      expiresAt: tokens.expiresAt,
      sentTo: tokens.email,
      userId: users.id,
      email: users.email,
      firstName: users.firstName,
      status: users.status,
      organizationId: users.organizationId,
    })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(and(eq(tokens.tokenHash, await secrets.hashToken(token)), eq(tokens.kind, "password_reset")));
  if (!row) return undefined;
  const { usedAt, expiresAt, sentTo, status, ...reset } = row;
  const state = resetState({ usedAt, expiresAt, email: sentTo }, { email: row.email, status }, clock.now());
  return state && { ...reset, state };
}
