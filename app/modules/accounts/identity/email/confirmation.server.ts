import { organizationDomains, organizations, organizationUsers, tokens, users } from "@db/schema";
import { and, eq, ne } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { emailDomain } from "~/kernel/email";
import { linkPaths } from "~/kernel/paths/links";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, ReadServices, Services } from "~/services";
import { CONFIRMATION_TTL_MS } from "../registration/registration";
import { type ConfirmationState, confirmationState, mayBecomeActive, mayClaimDomain } from "./confirmation";

/** A confirmation link, who registered the address, and what using the link would do. */
export type Confirmation = {
  state: Exclude<ConfirmationState, "unknown">;
  tokenId: string;
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  /** The name that was typed into the registration form. */
  registeredBy: string;
  registeredAt: number;
  domain: string;
  organizationId: string | null;
  organizationName: string | null;
  createdOrganizationId: string | null;
  /** The organisation that the person created has other members by now. */
  hasOtherMembers: boolean;
  claims: boolean;
  activates: boolean;
};

type Reading = Pick<Services, "db" | "clock" | "secrets">;

/** What is behind a confirmation link; undefined for a token that was never ours, or no longer this person's. */
export async function findConfirmation(services: Reading, token: string): Promise<Confirmation | undefined> {
  const row = await findLink(services, token);
  if (!row) return undefined;
  const { usedAt, expiresAt, sentTo, status, roleInCreated, emailVerifiedAt, ...rest } = row;
  const { email, organizationId, createdOrganizationId } = rest;
  const link = { usedAt, expiresAt, email: sentTo };
  const state = confirmationState(link, { email, emailVerifiedAt, status }, services.clock.now());
  if (state === "unknown") return undefined;

  const domain = emailDomain(email);
  const { db } = services;
  const [claimedBy, hasOtherMembers] = await Promise.all([
    db
      .select({ organizationId: organizationDomains.organizationId, autoApprove: organizationDomains.autoApprove })
      .from(organizationDomains)
      .where(eq(organizationDomains.domain, domain)),
    createdOrganizationId === null ? false : findOtherMembers(services, createdOrganizationId, rest.userId),
  ]);
  const own = claimedBy.find((claim) => claim.organizationId === organizationId);
  return {
    ...rest,
    registeredBy: displayName(rest),
    state,
    domain,
    hasOtherMembers,
    claims: mayClaimDomain({ domain, isCreator: roleInCreated === "admin", isClaimed: claimedBy.length > 0 }),
    activates: mayBecomeActive({ status, domain, autoApprove: own?.autoApprove ?? false }),
  };
}

async function findLink({ db, secrets }: Reading, token: string) {
  const [row] = await db
    .select({
      tokenId: tokens.id,
      usedAt: tokens.usedAt,
      expiresAt: tokens.expiresAt,
      sentTo: tokens.email,
      createdOrganizationId: tokens.organizationId,
      userId: users.id,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      firstName: users.firstName,
      lastName: users.lastName,
      registeredAt: users.createdAt,
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
  return row;
}

/** Whether anyone but this person belongs to an organisation. */
export async function findOtherMembers({ db }: ReadServices, organizationId: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: organizationUsers.id })
    .from(organizationUsers)
    .where(and(eq(organizationUsers.organizationId, organizationId), ne(organizationUsers.userId, userId)))
    .limit(1);
  return rows.length > 0;
}

/**
 * A confirmation link that can still be used.
 * @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED, 410 LINK_EXPIRED
 */
export async function getOpenConfirmation(services: Reading, token: string): Promise<Confirmation> {
  const confirmation = await getUnusedConfirmation(services, token);
  if (confirmation.state === "expired") {
    throw new AppError("LINK_EXPIRED", 410, "This link has expired. It worked for 24 hours.");
  }
  return confirmation;
}

/** The same, expired or not. @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED */
export async function getUnusedConfirmation(services: Reading, token: string): Promise<Confirmation> {
  const confirmation = await findConfirmation(services, token);
  if (!confirmation) {
    throw new AppError("NOT_FOUND", 404, "This link is not known. Please use the link in the newest email.");
  }
  if (confirmation.state === "used") {
    throw new AppError("ALREADY_CONFIRMED", 409, "This address has already been confirmed.");
  }
  return confirmation;
}

type Addressee = {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  organizationName: string | null;
  /** The organisation this person created, which confirming the address gives its domain to. */
  createdOrganizationId: string | null;
};

/** A fresh confirmation link and the email that brings it. */
export async function queueConfirmation(services: NotifyServices, addressee: Addressee): Promise<CommandPart> {
  const { db, clock, ids, secrets, config } = services;
  const { userId, email, firstName, organizationName, createdOrganizationId } = addressee;
  const token = ids.secret();
  const now = clock.now();
  const row = db.insert(tokens).values({
    id: ids.next(),
    kind: "email_confirmation",
    tokenHash: await secrets.hashToken(token),
    userId,
    organizationId: createdOrganizationId,
    email,
    createdAt: now,
    expiresAt: now + CONFIRMATION_TTL_MS,
  });
  const jobs = await queueEmail(services, createdOrganizationId, [email], {
    template: "emailConfirmation",
    data: {
      firstName,
      registeredBy: displayName(addressee),
      organizationName,
      link: `${config.appOrigin}${linkPaths.confirmEmail(token)}`,
    },
  });
  return { statements: [row], jobs };
}
