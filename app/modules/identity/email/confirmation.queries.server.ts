import { organizationDomains, organizations, organizationUsers, tokens, users } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { emailDomain } from "~/kernel/email";
import type { Services } from "~/services";
import { type ConfirmationState, confirmationState, mayBecomeActive, mayClaimDomain } from "./confirmation";

/** A confirmation link, and what using it would do. */
export type Confirmation = {
  state: Exclude<ConfirmationState, "unknown">;
  tokenId: string;
  userId: string;
  email: string;
  firstName: string;
  domain: string;
  organizationId: string | null;
  organizationName: string | null;
  createdOrganizationId: string | null;
  claims: boolean;
  activates: boolean;
};

/** What is behind a confirmation link; undefined for a token that was never ours, or no longer this person's. */
export async function findConfirmation(
  services: Pick<Services, "db" | "clock" | "secrets">,
  token: string,
): Promise<Confirmation | undefined> {
  const { db, clock, secrets } = services;
  const [row] = await db
    .select({
      tokenId: tokens.id,
      usedAt: tokens.usedAt,
      expiresAt: tokens.expiresAt,
      sentTo: tokens.email,
      createdOrganizationId: tokens.organizationId,
      userId: users.id,
      email: users.email,
      firstName: users.firstName,
      status: users.status,
      organizationId: users.organizationId,
      organizationName: organizations.name,
      roleInCreated: organizationUsers.role,
    })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .leftJoin(organizations, eq(organizations.id, users.organizationId))
    .leftJoin(
      organizationUsers,
      and(eq(organizationUsers.organizationId, tokens.organizationId), eq(organizationUsers.userId, users.id)),
    )
    .where(and(eq(tokens.tokenHash, await secrets.hashToken(token)), eq(tokens.kind, "email_confirmation")));
  if (!row) return undefined;
  const { usedAt, expiresAt, sentTo, status, roleInCreated, ...rest } = row;
  const state = confirmationState({ usedAt, expiresAt, email: sentTo }, { email: row.email, status }, clock.now());
  if (state === "unknown") return undefined;

  const domain = emailDomain(row.email);
  const claimedBy = await db
    .select({ organizationId: organizationDomains.organizationId, autoApprove: organizationDomains.autoApprove })
    .from(organizationDomains)
    .where(eq(organizationDomains.domain, domain));
  const own = claimedBy.find((claim) => claim.organizationId === row.organizationId);
  return {
    ...rest,
    state,
    domain,
    claims: mayClaimDomain({ domain, isCreator: roleInCreated === "admin", isClaimed: claimedBy.length > 0 }),
    activates: mayBecomeActive({ status, domain, autoApprove: own?.autoApprove ?? false }),
  };
}
