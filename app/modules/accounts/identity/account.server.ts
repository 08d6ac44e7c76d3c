import {
  apiTokens,
  type Condition,
  columnsOf,
  emailChanges,
  organizationUsers,
  passkeys,
  providerPeople,
  recoveryCodes,
  rowIn,
  type Statement,
  sessions,
  tokens,
  twoSteps,
  users,
} from "@db/database";
import { and, eq, gt, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import { normalizeEmail } from "~/kernel/email";
import type { OrganizationRole, UserStatus } from "~/kernel/enums";
import { type Person, PLATFORM_ORGANIZATION_ID, type ReadServices, type Services } from "~/services-and-actor";

/** The account with this email address, or with this username if there is no `@`. */
export async function findAccount(services: ReadServices, login: string): Promise<Account | undefined> {
  const name = normalizeEmail(login);
  return findWhere(services, eq(name.includes("@") ? users.email : users.username, name));
}

export async function findAccountById(services: ReadServices, userId: string): Promise<Account | undefined> {
  return findWhere(services, eq(users.id, userId));
}

async function findWhere({ db }: ReadServices, which: SQL) {
  const [row] = await db
    .select({
      ...columnsOf(users, "id", "email", "firstName", "password", "status", "role", "organizationId"),
      ...columnsOf(twoSteps, "sealedSecret", "lastStep", "countsFrom"),
      // When passkeys were offered to the person, or when they added the first; null: not yet.
      passkeyOfferedAt: users.passkeyOfferedAt,
    })
    .from(users)
    .leftJoin(twoSteps, and(eq(twoSteps.userId, users.id), isNotNull(twoSteps.enabledAt)))
    .where(which);
  if (!row) return undefined;
  const { sealedSecret, lastStep, countsFrom, ...account } = row;
  // Null while two-step sign-in is off.
  const twoStep = sealedSecret === null ? null : { sealedSecret, lastStep, countsFrom: countsFrom ?? 0 };
  return { ...account, twoStep };
}

export type Account = NonNullable<Awaited<ReturnType<typeof findWhere>>>;

export type Membership = { role: OrganizationRole; status: UserStatus };

/** A person's role and status in an organisation; undefined when they are not a member. */
export async function findMembership(services: ReadServices, organizationId: string, userId: string) {
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

/** The condition that the account still has the password that was compared, and is not inactive. */
export function accountIsUnchanged(
  { db }: ReadServices,
  account: Pick<Account, "id" | "password">,
): Condition<"account_changed"> {
  const found = rowIn(db, users).where(
    and(eq(users.id, account.id), eq(users.password, account.password), ne(users.status, "inactive")),
  );
  return { name: "account_changed", found };
}

/** A person acting on their own account, for the audit trail of their organisation, or the platform's. */
export function asAccountActor(person: Pick<Person, "userId" | "organizationId" | "origin">) {
  const { userId, organizationId, origin } = person;
  return { userId, organizationId: organizationId ?? PLATFORM_ORGANIZATION_ID, origin };
}

/** The entry's subject: the person. */
export const aboutUser = (userId: string) => ({ entityType: "user" as const, entityId: userId });

/**
 * Ends every way to act as a person except their password: sessions, passkeys, sign-ins at a provider, API tokens,
 * password reset links, and a pending change of address. For a person who may have lost control of the account.
 * @param keeps established passkeys cannot belong to a thief who has just got in, and access to a mailbox alone does
 * not remove them
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

/** Revokes a person's API tokens: those for one organisation if it is given, otherwise all. */
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

/** Turns two-step sign-in off and deletes all recovery codes. */
export function removeTwoStep({ db }: Services, userId: string): Statement[] {
  return [
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.delete(twoSteps).where(eq(twoSteps.userId, userId)),
  ];
}

/** Withdraws the open invitations that a person sent for an organisation. */
export function revokeInvitationsBy({ db }: Services, userId: string, organizationId: string): Statement {
  const isOpen = sql`${tokens.kind} = 'invitation' AND ${tokens.usedAt} IS NULL`;
  return db
    .delete(tokens)
    .where(and(isOpen, eq(tokens.organizationId, organizationId), eq(tokens.invitedById, userId)));
}

/**
 * The condition that an emailed link is unused and not expired, and that its address still belongs to the person, who
 * is not inactive. `besides`: further conditions on the link or person.
 */
export function linkIsOpen(
  { db, clock }: Services,
  { tokenId, userId, email }: { tokenId: string; userId: string; email: string },
  besides?: SQL,
): Condition<"link_over"> {
  const found = rowIn(db, tokens)
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

/** Ends every session of a person. In the batch, the statement for a new session comes after it. */
export function closeAllSessions(services: ReadServices, userId: string): Statement {
  return services.db.delete(sessions).where(eq(sessions.userId, userId));
}
