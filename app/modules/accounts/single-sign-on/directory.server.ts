import { columnsOf, organizationUsers, providerPeople, scimTokens, users } from "@db/database";
import { and, count, eq, isNull, type SQL, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { emailDomain, isEmail, normalizeEmail } from "~/kernel/email";
import { displayName } from "~/kernel/text";
import { aboutUser, findAccount } from "~/modules/accounts/identity/account.server";
import { withFreeUsername } from "~/modules/accounts/identity/register.server";
import { changeMember } from "~/modules/accounts/members/members.server";
import { isActiveOrganization } from "~/modules/accounts/organizations/organization.server";
import { runCommand, runStatement } from "~/modules/core/commands/run-command.server";
import type { Origin, ReadServices, Services } from "~/services-and-actor";
import { makeAccount, namesFrom } from "./newcomer.server";
import { hasNamedEmergencySignIn, hasSoleClaim } from "./provider-rule.server";
import { type ScimChange, ScimError, type ScimFilter, type ScimPerson } from "./scim";
import { findDirectory, findSettings } from "./settings.server";

/** What an organisation's directory reads about its people and may change: whether they are active, and their names. */

/** A directory, identified by its token. */
export type Directory = { organizationId: string; origin: Origin };

/** How old `lastUsedAt` may become before a call updates it. */
const TOUCH_MS = 5 * MINUTE_MS;

/** The directory that this token belongs to. @throws ScimError 401, 403 */
export async function requireDirectory(services: Services, origin: Origin, token: string): Promise<Directory> {
  const found = await findDirectory(services, token);
  if (!found) throw new ScimError(401, "This token is not known, was revoked, or has expired.");
  const { tokenId, organizationId, lastUsedAt } = found;
  if (!(await isActiveOrganization(services, organizationId)))
    throw new ScimError(403, "The organisation is suspended.");
  const now = services.clock.now();
  if (now - (lastUsedAt ?? 0) > TOUCH_MS) {
    const mine = and(eq(scimTokens.organizationId, organizationId), eq(scimTokens.id, tokenId));
    await runStatement(services, services.db.update(scimTokens).set({ lastUsedAt: now }).where(mine));
  }
  return { organizationId, origin };
}

const acting = ({ organizationId, origin }: Directory) => ({ userId: null, organizationId, origin });

/** People of the organisation whom its directory has not removed. */
function peopleOf({ db }: ReadServices, organizationId: string, which?: SQL) {
  return db
    .select({
      userId: users.id,
      ...columnsOf(users, "email", "firstName", "lastName"),
      ...columnsOf(organizationUsers, "status", "role"),
      ...columnsOf(providerPeople, "externalId", "refusedAt"),
      /** Somebody other than the person who typed the address has confirmed it. */
      isProven: sql<number>`(${users.emailVerifiedAt} IS NOT NULL OR ${providerPeople.isMadeHere} = 1 OR ${providerPeople.lastSignInAt} IS NOT NULL)`,
      createdAt: organizationUsers.createdAt,
      changedAt: organizationUsers.updatedAt,
      renamedAt: users.updatedAt,
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .leftJoin(
      providerPeople,
      and(
        eq(providerPeople.organizationId, organizationUsers.organizationId),
        eq(providerPeople.userId, organizationUsers.userId),
      ),
    )
    .where(and(eq(organizationUsers.organizationId, organizationId), isNull(providerPeople.removedAt), which));
}

type Row = Awaited<ReturnType<typeof peopleOf>>[number];

const toPerson = ({ changedAt, renamedAt, status, role: _r, refusedAt: _a, isProven: _p, ...row }: Row) => ({
  ...row,
  isActive: status === "active",
  updatedAt: Math.max(changedAt, renamedAt),
});

/** One page of the people, longest-standing members first. */
export async function listPeople(
  services: ReadServices,
  { organizationId }: Directory,
  asked: { filter?: ScimFilter; startIndex: number; count: number },
): Promise<{ people: ScimPerson[]; total: number }> {
  const { filter, startIndex, count: size } = asked;
  if (filter) {
    const found = await findBy(services, organizationId, filter);
    return { people: found && startIndex === 1 && size > 0 ? [toPerson(found)] : [], total: found ? 1 : 0 };
  }
  const [rows, [counted]] = await Promise.all([
    peopleOf(services, organizationId)
      .orderBy(organizationUsers.userId)
      .limit(size)
      .offset(startIndex - 1),
    services.db
      .select({ total: count() })
      .from(organizationUsers)
      .leftJoin(
        providerPeople,
        and(
          eq(providerPeople.organizationId, organizationUsers.organizationId),
          eq(providerPeople.userId, organizationUsers.userId),
        ),
      )
      .where(and(eq(organizationUsers.organizationId, organizationId), isNull(providerPeople.removedAt))),
  ]);
  return { people: rows.map(toPerson), total: counted?.total ?? 0 };
}

async function findBy(services: ReadServices, organizationId: string, { by, value }: ScimFilter) {
  const which = {
    userName: eq(users.email, normalizeEmail(value)),
    externalId: and(eq(providerPeople.organizationId, organizationId), eq(providerPeople.externalId, value)),
    id: eq(users.id, value),
  };
  const [row] = await peopleOf(services, organizationId, which[by]).limit(1);
  return row;
}

/** @throws ScimError 404 */
async function getRow(services: ReadServices, { organizationId }: Directory, userId: string): Promise<Row> {
  const row = await findBy(services, organizationId, { by: "id", value: userId });
  if (!row) throw new ScimError(404, "There is no such person.");
  return row;
}

/** One person of the organisation. @throws ScimError 404 */
export const getPerson = async (services: ReadServices, directory: Directory, userId: string): Promise<ScimPerson> =>
  toPerson(await getRow(services, directory, userId));

/**
 * Adds a person. A new address at a domain that only this organisation has gets an account, with the role that its
 * administrator chose; somebody whom the directory removed before comes back. An existing independent account is never
 * added without its owner.
 * @throws ScimError 400, 409 uniqueness
 */
export async function addPerson(services: Services, directory: Directory, given: ScimChange & { userName: string }) {
  const { organizationId } = directory;
  const email = normalizeEmail(given.userName);
  if (!isEmail(email)) throw new ScimError(400, "userName must be an email address.", "invalidValue");
  const account = await findAccount(services, email);
  if (account) return bringBack(services, directory, account.id, given);
  if (!(await hasSoleClaim(services, organizationId, email))) {
    throw new ScimError(400, `${emailDomain(email)} is not a domain of this organisation alone.`, "invalidValue");
  }
  const settings = await findSettings(services, organizationId);
  if (!settings) throw new ScimError(400, "The organisation has set up no provider, so nobody could sign in.");
  const userId = services.ids.next();
  const names = namesFrom({ firstName: given.firstName ?? "", lastName: given.lastName ?? "" }, email);
  const { condition, partsFor } = await makeAccount(services, {
    userId,
    organizationId,
    email,
    role: settings.newcomerRole,
    by: "directory",
    ...names,
    known: { externalId: given.externalId },
  });
  await withFreeUsername(services, email, async (username) => {
    const { ok } = await runCommand(services, acting(directory), {
      conditions: [condition],
      uniques: { email_taken: "users.email" },
      parts: partsFor(username),
    });
    if (!ok) throw taken();
  });
  if (given.isActive === false) await setActive(services, directory, await getRow(services, directory, userId), false);
  return getPerson(services, directory, userId);
}

const taken = () =>
  new ScimError(
    409,
    "There is an account with this address. If its person does not belong to the organisation, they can join by signing in with the company once.",
    "uniqueness",
  );

/** Restores a person whom the directory removed and adds again. @throws ScimError 409 for any other account */
async function bringBack(services: Services, directory: Directory, userId: string, given: ScimChange) {
  const { db } = services;
  const { organizationId } = directory;
  const mine = and(eq(providerPeople.organizationId, organizationId), eq(providerPeople.userId, userId));
  const [known] = await db.select({ removedAt: providerPeople.removedAt }).from(providerPeople).where(mine);
  if (!known || known.removedAt === null) throw taken();
  await runStatement(services, db.update(providerPeople).set({ removedAt: null }).where(mine));
  return changePerson(services, directory, userId, { isActive: true, ...given });
}

/**
 * Makes the changes that a directory may make: whether a person is active, and their name. The address belongs to the
 * person.
 * @throws ScimError 400 mutability, 403 for a person who must not be locked out, 404
 */
export async function changePerson(services: Services, directory: Directory, userId: string, change: ScimChange) {
  const row = await getRow(services, directory, userId);
  const { userName, externalId, isActive } = change;
  if (userName !== undefined && normalizeEmail(userName) !== row.email) {
    throw new ScimError(400, "userName cannot be changed: people change their own address.", "mutability");
  }
  if (externalId !== undefined && externalId !== row.externalId)
    await setExternalId(services, directory, userId, externalId);
  await rename(services, directory, row, change);
  if (isActive !== undefined) await setActive(services, directory, row, isActive);
  return getPerson(services, directory, userId);
}

/** Stores the directory's own id for a person, which nobody here sees and which decides nothing. */
async function setExternalId(services: Services, { organizationId }: Directory, userId: string, externalId: string) {
  const { db, clock, ids } = services;
  const row = { id: ids.next(), organizationId, userId, externalId: externalId || null, createdAt: clock.now() };
  await runStatement(
    services,
    db
      .insert(providerPeople)
      .values(row)
      .onConflictDoUpdate({
        target: [providerPeople.organizationId, providerPeople.userId],
        set: { externalId: row.externalId },
      }),
  );
}

/** Renames people in the organisation's own domains; ignores names that our emails could not contain. */
async function rename(services: Services, directory: Directory, row: Row, change: ScimChange): Promise<void> {
  const { userId, email } = row;
  const sent = { firstName: change.firstName ?? row.firstName, lastName: change.lastName ?? row.lastName };
  const isSame = sent.firstName === row.firstName && sent.lastName === row.lastName;
  if (isSame || !(await hasSoleClaim(services, directory.organizationId, email))) return;
  const names = namesFrom(sent, email);
  if (names.firstName !== sent.firstName || names.lastName !== sent.lastName) return;
  await runCommand(services, acting(directory), {
    statements: [
      services.db
        .update(users)
        .set({ ...names, updatedAt: services.clock.now() })
        .where(eq(users.id, userId)),
    ],
    audit: [
      {
        action: "user.names_changed",
        ...aboutUser(userId),
        details: {
          firstName: { from: row.firstName, to: names.firstName },
          lastName: { from: row.lastName, to: names.lastName },
        },
      },
    ],
  });
}

async function setActive(services: Services, directory: Directory, row: Row, isActive: boolean): Promise<void> {
  const { organizationId, origin } = directory;
  const { userId, status, email } = row;
  // A rejected person stays rejected: they have no access, and reactivating them here would bypass the administrator.
  if (isActive ? status === "active" : status === "inactive" || status === "rejected") return;
  if (isActive && status === "rejected") throw new ScimError(403, "An administrator did not approve this person.");
  if (isActive && !row.isProven) throw new ScimError(409, `The person has not confirmed ${email} yet.`);
  if (!isActive) await requireNotNamed(services, directory, row);
  const act = isActive ? (status === "inactive" ? "reactivate" : "approve") : "deactivate";
  try {
    await changeMember(services, { userId: null, origin }, { organizationId, userId, change: { act } });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "LAST_ADMIN") throw await refuse(services, directory, row, "last_admin");
    throw new ScimError(error.status === 404 ? 404 : 409, error.message);
  }
}

/** Two administrators may sign in without the provider: whoever controls the directory must not remove them. */
async function requireNotNamed(services: Services, directory: Directory, row: Row): Promise<void> {
  if (await hasNamedEmergencySignIn(services, directory.organizationId, row.userId))
    throw await refuse(services, directory, row, "way_in");
}

/** How often administrators are told about a refused removal of the same person. */
const TOLD_EVERY_MS = DAY_MS;

/** Tells the administrators once a day, because directories keep trying. @returns what to throw */
async function refuse(services: Services, directory: Directory, row: Row, why: "way_in" | "last_admin") {
  const { db, clock, ids } = services;
  const { organizationId } = directory;
  const { userId, email, refusedAt } = row;
  const now = clock.now();
  if (refusedAt === null || refusedAt + TOLD_EVERY_MS <= now) {
    await runCommand(services, acting(directory), {
      statements: [
        db
          .insert(providerPeople)
          .values({ id: ids.next(), organizationId, userId, createdAt: now, refusedAt: now })
          .onConflictDoUpdate({
            target: [providerPeople.organizationId, providerPeople.userId],
            set: { refusedAt: now },
          }),
      ],
      audit: [
        { action: "member.directory_refused", ...aboutUser(userId), details: { person: displayName(row), email, why } },
      ],
    });
  }
  return new ScimError(
    403,
    why === "way_in"
      ? "This administrator may sign in without the provider. Another administrator has to end their access in PayeeProof."
      : "This is the last active administrator. Their access was not ended.",
  );
}

/**
 * Removes a person whom the directory no longer lists. Their access ends, and nothing of theirs is deleted; the
 * directory does not see them until it adds them again.
 * @throws ScimError 403 for a person who must not be locked out, 404
 */
export async function removePerson(services: Services, directory: Directory, userId: string): Promise<void> {
  const { db, clock, ids } = services;
  const { organizationId } = directory;
  const row = await getRow(services, directory, userId);
  await setActive(services, directory, row, false);
  const removedAt = clock.now();
  await runCommand(services, acting(directory), {
    statements: [
      db
        .insert(providerPeople)
        .values({ id: ids.next(), organizationId, userId, createdAt: removedAt, removedAt })
        .onConflictDoUpdate({ target: [providerPeople.organizationId, providerPeople.userId], set: { removedAt } }),
    ],
    audit: [
      {
        action: "member.directory_removed",
        ...aboutUser(userId),
        details: { person: displayName(row), email: row.email },
      },
    ],
  });
}
