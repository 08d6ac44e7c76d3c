import { columnsOf, organizationDomains, organizations, organizationUsers, rowIn, tokens, users } from "@db/database";
import { countHit } from "@db/rate-counter";
import { and, desc, eq, ne } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { DAY_MS, HOUR_MS } from "~/kernel/dates";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { UserStatus } from "~/kernel/enums";
import { linkPaths } from "~/kernel/paths/links";
import { displayName } from "~/kernel/text";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import {
  type Person,
  PLATFORM_ORGANIZATION_ID,
  type ReadServices,
  type Services,
  type WriteServices,
} from "~/services-and-actor";
import { aboutUser, asAccountActor } from "./account.server";

const CONFIRMATION_TTL_MS = DAY_MS;

/**
 * How the person with the link proves that the account is theirs too: by being signed in to it, by its password, or by
 * a new password that ends all earlier access. The link alone proves only the mailbox.
 */
export type AccountProof =
  | { by: "session"; userId: string }
  | { by: "password"; password: string }
  | { by: "new_password"; password: string };

type Link = { usedAt: number | null; expiresAt: number; email: string };
type Addressed = { email: string; emailVerifiedAt: number | null; status: UserStatus };

/** A link works once, until it expires, only for its own address, and only while that is unconfirmed. */
export function confirmationState(link: Link, person: Addressed, now: number) {
  if (person.email !== link.email || person.status === "inactive") return "unknown";
  if (link.usedAt !== null || person.emailVerifiedAt !== null) return "used";
  return link.expiresAt <= now ? "expired" : "open";
}

type Claim = {
  domain: string;
  /** The person created the organisation, and is still its admin. */
  isCreator: boolean;
  /** This or another organisation has already claimed the domain. */
  isClaimed: boolean;
};

/** True if confirming an address gives its domain to the organisation that the person created. */
export function mayClaimDomain({ domain, isCreator, isClaimed }: Claim): boolean {
  return isCreator && !isClaimed && !isFreeMailDomain(domain);
}

/** True if confirming an address makes a waiting person a member: their organisation trusts the domain. */
export function mayBecomeActive(person: { status: UserStatus; domain: string; autoApprove: boolean }): boolean {
  return person.status === "pending" && person.autoApprove && !isFreeMailDomain(person.domain);
}

/** The confirmation for a link's token; undefined for an unknown token, or one that is no longer this person's. */
export async function findConfirmation(services: Services, token: string) {
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

/** A confirmation link, who registered the address, and the effects of using it. */
export type Confirmation = NonNullable<Awaited<ReturnType<typeof findConfirmation>>>;

async function findLink({ db, secrets }: Services, token: string) {
  const [row] = await db
    .select({
      tokenId: tokens.id,
      ...columnsOf(tokens, "usedAt", "expiresAt"),
      sentTo: tokens.email,
      createdOrganizationId: tokens.organizationId,
      userId: users.id,
      ...columnsOf(users, "email", "emailVerifiedAt", "firstName", "lastName"),
      registeredAt: users.createdAt,
      ...columnsOf(users, "status", "organizationId"),
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

/** True if anybody else belongs to an organisation. */
export async function findOtherMembers({ db }: ReadServices, organizationId: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: organizationUsers.id })
    .from(organizationUsers)
    .where(and(eq(organizationUsers.organizationId, organizationId), ne(organizationUsers.userId, userId)))
    .limit(1);
  return rows.length > 0;
}

/** A confirmation link that still works. @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED, 410 LINK_EXPIRED */
export async function getOpenConfirmation(services: Services, token: string): Promise<Confirmation> {
  const confirmation = await getUnusedConfirmation(services, token);
  if (confirmation.state === "expired") {
    throw new AppError("LINK_EXPIRED", "This link has expired. It worked for 24 hours.");
  }
  return confirmation;
}

/** As `getOpenConfirmation`, but the link may have expired. @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED */
export async function getUnusedConfirmation(services: Services, token: string): Promise<Confirmation> {
  const confirmation = await findConfirmation(services, token);
  if (!confirmation) {
    throw new AppError("NOT_FOUND", "We do not recognise this link. Please use the link in the newest email.");
  }
  if (confirmation.state === "used") {
    throw new AppError("ALREADY_CONFIRMED", "This address has already been confirmed.");
  }
  return confirmation;
}

type Addressee = {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  organizationName: string | null;
  /** The organisation that this person created, which gets the domain when the address is confirmed. */
  createdOrganizationId: string | null;
};

export async function queueConfirmation(services: WriteServices, addressee: Addressee): Promise<CommandPart> {
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

/** How many confirmation emails a person may request per hour. */
const MAX_CONFIRMATION_EMAILS = 3;

/**
 * Sends a new link in place of an expired one, to the same address. The person with the old link has access to that
 * mailbox, so no further proof is required. Deletes the old link, so that each leads to at most one email.
 * @throws AppError 404 NOT_FOUND, 409 ALREADY_CONFIRMED, 409 LINK_STILL_WORKS
 */
export async function renewConfirmation(services: Services, token: string): Promise<void> {
  const { db } = services;
  const old = await getUnusedConfirmation(services, token);
  if (old.state === "open") throw new AppError("LINK_STILL_WORKS", "This link still works.");
  const mine = eq(tokens.id, old.tokenId);
  const organizationId = old.organizationId ?? PLATFORM_ORGANIZATION_ID;
  const origin = { ipAddress: null, userAgent: null, requestId: old.tokenId };
  const email = await queueConfirmation(services, old);
  // A refusal means that the button was pressed twice and the other request sent the email.
  await runCommand(
    services,
    { userId: null, organizationId, origin },
    {
      conditions: [{ name: "link_gone", found: rowIn(db, tokens).where(mine) }],
      statements: [db.delete(tokens).where(mine)],
      audit: [{ action: "user.confirmation_resent", ...aboutUser(old.userId) }],
      parts: [email],
    },
  );
}

/** Sends a signed-in person another confirmation link. @throws AppError 409 ALREADY_CONFIRMED, 429 RATE_LIMITED */
export async function resendConfirmation(services: WriteServices, person: Person): Promise<void> {
  const { db } = services;
  const { userId, emailVerified } = person;
  if (emailVerified) throw new AppError("ALREADY_CONFIRMED", "This address has already been confirmed.");
  await limitEmails(services, userId);
  const [earlier] = await db
    .select({ createdOrganizationId: tokens.organizationId })
    .from(tokens)
    .where(and(eq(tokens.userId, userId), eq(tokens.kind, "email_confirmation")))
    .orderBy(desc(tokens.id))
    .limit(1);
  const createdOrganizationId = earlier?.createdOrganizationId ?? null;
  const email = await queueConfirmation(services, { ...person, createdOrganizationId });
  await runCommand(services, asAccountActor(person), {
    audit: [{ action: "user.confirmation_resent", ...aboutUser(userId) }],
    parts: [email],
  });
}

async function limitEmails({ db, clock }: WriteServices, userId: string): Promise<void> {
  const now = clock.now();
  const { count, windowEndsAt } = await countHit(db, `confirmation-mails:${userId}`, HOUR_MS, now);
  if (count <= MAX_CONFIRMATION_EMAILS) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
  const sentence = "We have already sent you several links. Look for them in your mailbox, or try again in an hour.";
  throw new AppError("RATE_LIMITED", sentence, { retryAfterSeconds });
}
