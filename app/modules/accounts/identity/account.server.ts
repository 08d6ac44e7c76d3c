import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import {
  apiTokens,
  emailChanges,
  organizationUsers,
  passkeys,
  providerPeople,
  recoveryCodes,
  sessions,
  tokens,
  twoSteps,
  users,
} from "@db/schema";
import { and, eq, gt, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Origin, Person } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/actor";
import { normalizeEmail } from "~/kernel/email";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import type { ReadServices, Services } from "~/services";
import type { TwoStep } from "./proof.server";

export type Account = {
  id: string;
  email: string;
  firstName: string;
  /** The stored hash. */
  password: string;
  status: UserStatus;
  role: UserRole;
  organizationId: string | null;
  /** Null while it is off. */
  twoStep: (TwoStep & { countsFrom: number }) | null;
  /** When passkeys were offered to them, or when they had the first; null: not yet. */
  passkeyOfferedAt: number | null;
};

/** The account behind an email address, or a username where there is no `@`. */
export async function findAccount(services: ReadServices, login: string): Promise<Account | undefined> {
  const name = normalizeEmail(login);
  return findWhere(services, eq(name.includes("@") ? users.email : users.username, name));
}

export async function findAccountById(services: ReadServices, userId: string): Promise<Account | undefined> {
  return findWhere(services, eq(users.id, userId));
}

async function findWhere({ db }: ReadServices, which: SQL): Promise<Account | undefined> {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      password: users.password,
      status: users.status,
      role: users.role,
      organizationId: users.organizationId,
      sealedSecret: twoSteps.sealedSecret,
      lastStep: twoSteps.lastStep,
      countsFrom: twoSteps.countsFrom,
      passkeyOfferedAt: users.passkeyOfferedAt,
    })
    .from(users)
    .leftJoin(twoSteps, and(eq(twoSteps.userId, users.id), isNotNull(twoSteps.enabledAt)))
    .where(which);
  if (!row) return undefined;
  const { sealedSecret, lastStep, countsFrom, ...account } = row;
  const twoStep = sealedSecret === null ? null : { sealedSecret, lastStep, countsFrom: countsFrom ?? 0 };
  return { ...account, twoStep };
}

export type Membership = { role: OrganizationRole; status: UserStatus };

/** What a person is in an organisation; undefined when they do not belong to it, or not any more. */
export async function findMembership(
  services: ReadServices,
  organizationId: string,
  userId: string,
): Promise<Membership | undefined> {
  const [row] = await services.db
    .select({ role: organizationUsers.role, status: organizationUsers.status })
    .from(organizationUsers)
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.userId, userId),
        ne(organizationUsers.status, "inactive"),
      ),
    );
  return row;
}

/** The account still has the password that was compared, and is not inactive. */
export function accountIsUnchanged(
  { db }: ReadServices,
  account: Pick<Account, "id" | "password">,
): Condition<"account_changed"> {
  const found = db
    .select({ one: sql`1` })
    .from(users)
    .where(and(eq(users.id, account.id), eq(users.password, account.password), ne(users.status, "inactive")));
  return { name: "account_changed", found };
}

/** A person acting on their own account, for the trail: of their organisation, or the platform's while they have none. */
export function asAccountActor(person: Pick<Person, "userId" | "organizationId" | "origin">): {
  userId: string;
  organizationId: string;
  origin: Origin;
} {
  const { userId, organizationId, origin } = person;
  return { userId, organizationId: organizationId ?? PLATFORM_ORGANIZATION_ID, origin };
}

/** The entry's subject: the person themself. */
export const aboutUser = (userId: string) => ({ entityType: "user" as const, entityId: userId });

/**
 * Ends every way to act as a person except their password: sessions, passkeys, sign-ins at a provider, API tokens, links to
 * reset the password, and a change of address that waits for a mailbox. For a person who may have lost control of the account.
 * @param keeps passkeys that count are no thief's who was just let in, and a mailbox alone does not accept them away
 */
export function endAllAccess(services: Services, userId: string, keeps?: "passkeys_that_count"): Statement[] {
  const { db, clock } = services;
  const isNew = keeps ? gt(passkeys.countsFrom, clock.now()) : undefined;
  return [
    closeAllSessions(services, userId),
    voidResetLinks(services, userId),
    revokeApiTokens(services, userId),
    db.delete(passkeys).where(and(eq(passkeys.userId, userId), isNew)),
    db
      .update(providerPeople)
      .set({ issuer: null, subject: null, isMadeHere: false })
      .where(eq(providerPeople.userId, userId)),
    db
      .update(emailChanges)
      .set({ endedAt: clock.now() })
      .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.endedAt))),
  ];
}

/** Revokes a person's API tokens: of one organisation where it is given, else all of them. */
export function revokeApiTokens({ db, clock }: Services, userId: string, organizationId?: string): Statement {
  const isOfIt = organizationId === undefined ? undefined : eq(apiTokens.organizationId, organizationId);
  return db
    .update(apiTokens)
    .set({ revokedAt: clock.now() })
    .where(and(eq(apiTokens.userId, userId), isOfIt, isNull(apiTokens.revokedAt)));
}

/** Every unused link to reset a person's password stops working. */
export function voidResetLinks({ db, clock }: Services, userId: string): Statement {
  return db
    .update(tokens)
    .set({ usedAt: clock.now() })
    .where(and(eq(tokens.userId, userId), eq(tokens.kind, "password_reset"), isNull(tokens.usedAt)));
}

/** Two-step sign-in is off, and no recovery code is left. */
export function removeTwoStep({ db }: Services, userId: string): Statement[] {
  return [
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.delete(twoSteps).where(eq(twoSteps.userId, userId)),
  ];
}

/** Takes back the open invitations that a person sent for an organisation. */
export function revokeInvitationsBy({ db }: Services, userId: string, organizationId: string): Statement {
  const isOpen = sql`${tokens.kind} = 'invitation' AND ${tokens.usedAt} IS NULL`;
  return db
    .delete(tokens)
    .where(and(isOpen, eq(tokens.organizationId, organizationId), eq(tokens.invitedById, userId)));
}

type MailedLink = { tokenId: string; userId: string; email: string };

/**
 * A mailed link is unused and in time, and the address it was sent to is still the person's, who is not shut out.
 * `besides`: what else must be true of the link or the person.
 */
export function linkIsOpen(
  { db, clock }: Services,
  { tokenId, userId, email }: MailedLink,
  besides?: SQL,
): Condition<"link_over"> {
  const found = db
    .select({ one: sql`1` })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(
      and(
        eq(tokens.id, tokenId),
        isNull(tokens.usedAt),
        gt(tokens.expiresAt, clock.now()),
        eq(users.id, userId),
        eq(users.email, email),
        ne(users.status, "inactive"),
        besides,
      ),
    );
  return { name: "link_over", found };
}

/** Ends every session of a person. The statement of a new one goes after it in the batch. */
export function closeAllSessions(services: ReadServices, userId: string): Statement {
  return services.db.delete(sessions).where(eq(sessions.userId, userId));
}
