import type { Statement } from "@db/client";
import { apiTokens, emailChanges, recoveryCodes, tokens, twoSteps } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Services } from "~/services";
import { closeAllSessions } from "./sessions/session.server";

type Needs = Pick<Services, "db" | "clock">;

/**
 * Ends every way to act as a person except their password: sessions, API tokens, links to reset the password, and a
 * change of address that waits for a mailbox. For a person who may have lost control of the account.
 */
export function endAllAccess(services: Needs, userId: string): Statement[] {
  const { db, clock } = services;
  return [
    closeAllSessions(services, userId),
    voidResetLinks(services, userId),
    revokeApiTokens(services, userId),
    db
      .update(emailChanges)
      .set({ endedAt: clock.now() })
      .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.endedAt))),
  ];
}

/** Revokes a person's API tokens: of one organisation where it is given, else all of them. */
export function revokeApiTokens({ db, clock }: Needs, userId: string, organizationId?: string): Statement {
  const isOfIt = organizationId === undefined ? undefined : eq(apiTokens.organizationId, organizationId);
  return db
    .update(apiTokens)
    .set({ revokedAt: clock.now() })
    .where(and(eq(apiTokens.userId, userId), isOfIt, isNull(apiTokens.revokedAt)));
}

/** Every unused link to reset a person's password stops working. */
export function voidResetLinks({ db, clock }: Needs, userId: string): Statement {
  return db
    .update(tokens)
    .set({ usedAt: clock.now() })
    .where(and(eq(tokens.userId, userId), eq(tokens.kind, "password_reset"), isNull(tokens.usedAt)));
}

/** Two-step sign-in is off, and no recovery code is left. */
export function removeTwoStep({ db }: Needs, userId: string): Statement[] {
  return [
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.delete(twoSteps).where(eq(twoSteps.userId, userId)),
  ];
}

/** Takes back the open invitations that a person sent for an organisation. */
export function revokeInvitationsBy({ db }: Needs, userId: string, organizationId: string): Statement {
  const isOpen = sql`${tokens.kind} = 'invitation' AND ${tokens.usedAt} IS NULL`;
  return db
    .delete(tokens)
    .where(and(isOpen, eq(tokens.organizationId, organizationId), eq(tokens.invitedById, userId)));
}
