import { columnsOf, organizations, organizationUsers, rowIn, sessions, users } from "@db/database";
import { type KeySetPage, keySetPage } from "@db/key-set-page";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { AppError, notFound } from "~/kernel/app-error";
import type { UserStatus } from "~/kernel/enums";
import type { Administrator } from "~/modules/accounts/members/members";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { PLATFORM_ORGANIZATION_ID, type ReadServices, type WriteServices } from "~/services-and-actor";
import { type ListedPerson, type PeopleQuery, wordsOf } from "./admin-lists";

const PEOPLE_PAGE_SIZE = 50;

/** How far one search walks an organisation's list, and how many people one word may match. */
const MAX_WALK = 2_000;
const MAX_FOUND = 200;

/** One page of an organisation's people, newest first. */
export async function listMembers({ db }: ReadServices, organizationId: string, query: PeopleQuery = {}) {
  const words = wordsOf(query.q);
  const page = pageAfter(query.after);
  const mine = sql`${organizationUsers.organizationId} = ${organizationId}`;
  const walk = sql`SELECT ${organizationUsers.userId} AS "userId" FROM ${organizationUsers}
    WHERE ${and(
      mine,
      query.status && sql`${organizationUsers.status} = ${query.status}`,
      page.beyond(organizationUsers.userId),
    )} ORDER BY ${page.order(organizationUsers.userId)}`;
  const rows = await db.all<{ userId: string }>(
    words.length === 0
      ? sql`${walk} LIMIT ${page.limit}`
      : sql`SELECT walk."userId" FROM (${walk} LIMIT ${MAX_WALK}) AS walk JOIN ${users} ON ${users.id} = walk."userId"
          WHERE ${and(...words.map(beginsWith))} ORDER BY ${page.order(sql`walk."userId"`)} LIMIT ${page.limit}`,
  );
  const { ids, next } = idsOf(page.cut(rows, ({ userId }) => userId));
  const people = await db
    .select({ ...columns, role: organizationUsers.role, status: organizationUsers.status })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .innerJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .where(and(eq(organizationUsers.organizationId, organizationId), isAmong(sql`${organizationUsers.userId}`, ids)));
  return { people: inOrder(people, ids), next };
}

/** One page of all people, newest first, each with their current organisation: for super admins. */
export async function listPeople({ db }: ReadServices, query: PeopleQuery = {}) {
  const words = wordsOf(query.q);
  const page = pageAfter(query.after);
  const beyond = page.beyond(users.id);
  const hasStatus = query.status && sql`${users.status} = ${query.status}`;
  const [first] = words;
  const where = and(hasStatus, beyond) ?? sql`${users.id} > ''`;
  const rows = await db.all<{ userId: string }>(
    first === undefined
      ? sql`SELECT ${users.id} AS "userId" FROM ${users} WHERE ${where} ORDER BY ${page.order(users.id)} LIMIT ${page.limit}`
      : sql`SELECT ${users.id} AS "userId" FROM ${users} WHERE ${and(
          sql`${users.id} IN (${found(first)})`,
          hasStatus,
          beyond,
          ...words.map(beginsWith),
        )} ORDER BY ${page.order(users.id)} LIMIT ${page.limit}`,
  );
  const { ids, next } = idsOf(page.cut(rows, ({ userId }) => userId));
  const people = await db
    .select({ ...columns, organizationId: users.organizationId, role: users.role, status: users.status })
    .from(users)
    .leftJoin(organizations, eq(organizations.id, users.organizationId))
    .where(isAmong(sql`${users.id}`, ids));
  return { people: inOrder(people, ids), next };
}

const columns = {
  userId: users.id,
  ...columnsOf(users, "firstName", "lastName", "email", "emailVerifiedAt"),
  organizationId: organizations.id,
  organizationName: organizations.name,
  ...columnsOf(users, "lastLoginAt", "createdAt"),
};

/** The searched columns, each with an index. Addresses are stored in lower case. */
const SEARCHED = [sql`lower("firstName")`, sql`lower("lastName")`, sql`"email"`];
const END = "\u{10ffff}";

const inRange = (column: SQL, word: string) => sql`(${column} >= ${word} AND ${column} < ${word + END})`;

/** The condition that the first name, last name or address begins with the word. */
const beginsWith = (word: string): SQL => {
  const [firstName, lastName, email] = SEARCHED.map((column) => inRange(column, word));
  return sql`(${firstName} OR ${lastName} OR ${email})`;
};

/** People with a name or address that begins with the word: a limited number of each, however many there are. */
function found(word: string): SQL {
  const each = SEARCHED.map(
    (column) =>
      sql`SELECT walk."id" FROM (SELECT "id" FROM ${users} WHERE ${inRange(column, word)} LIMIT ${MAX_FOUND}) AS walk`,
  );
  return sql.join(each, sql` UNION `);
}

const isAmong = (column: SQL, ids: readonly string[]) =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

const pageAfter = (after: string | undefined) => keySetPage({ after }, { size: PEOPLE_PAGE_SIZE });

const idsOf = ({ rows, next }: KeySetPage<{ userId: string }, string>) => ({
  ids: rows.map(({ userId }) => userId),
  next,
});

function inOrder(
  rows: readonly (Omit<ListedPerson, "emailVerified"> & { emailVerifiedAt: number | null })[],
  ids: readonly string[],
): ListedPerson[] {
  const byId = new Map(rows.map((row) => [row.userId, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { emailVerifiedAt, ...person } = row;
    return [{ ...person, emailVerified: emailVerifiedAt !== null }];
  });
}

/** Counting stops here, so that a page never reads a whole organisation. */
const MAX_COUNTED = 1_000;

/** How many people of an organisation have each of these statuses; `MAX_COUNTED` means "or more". */
export async function countMembers({ db }: ReadServices, organizationId: string): Promise<Record<UserStatus, number>> {
  const count = (status: UserStatus) =>
    sql`(SELECT count(*) FROM (SELECT 1 FROM ${organizationUsers} WHERE ${organizationUsers.organizationId} = ${organizationId}
      AND ${organizationUsers.status} = ${status} LIMIT ${MAX_COUNTED}) AS walk)`;
  const [row] = await db.all<Record<UserStatus, number>>(
    sql`SELECT ${count("active")} AS "active", ${count("pending")} AS "pending",
      ${count("inactive")} AS "inactive", ${count("rejected")} AS "rejected"`,
  );
  return row ?? { active: 0, pending: 0, inactive: 0, rejected: 0 };
}

/**
 * Ends or restores the account of a person without an organisation, as a super admin. Members are changed in their
 * organisation, with `changeMember`.
 * @throws AppError 404, 409 OWN_ACCOUNT, MEMBER_CHANGED
 */
export async function changeAccount(
  services: WriteServices,
  administrator: Administrator,
  { userId, active }: { userId: string; active: boolean },
): Promise<{ name: string }> {
  const { db, clock } = services;
  const here = and(eq(users.id, userId), isNull(users.organizationId));
  const [found] = await db
    .select({ firstName: users.firstName, lastName: users.lastName, status: users.status })
    .from(users)
    .where(here);
  if (!found) throw notFound();
  if (userId === administrator.userId) throw new AppError("OWN_ACCOUNT", "You cannot end your own access.");
  const to = active ? ("active" as const) : ("inactive" as const);
  if (found.status === to) throw changed();
  const asRead = rowIn(db, users).where(and(here, eq(users.status, found.status)));
  const result = await runCommand(
    services,
    { ...administrator, organizationId: PLATFORM_ORGANIZATION_ID },
    {
      conditions: [{ name: "account_changed", found: asRead }],
      statements: [
        db.update(users).set({ status: to, updatedAt: clock.now() }).where(here),
        ...(active ? [] : [db.delete(sessions).where(eq(sessions.userId, userId))]),
      ],
      audit: [
        {
          action: active ? "member.reactivated" : "member.deactivated",
          entityType: "user",
          entityId: userId,
          details: { status: { from: found.status, to } },
        },
      ],
      answer: { name: [found.firstName, found.lastName].filter(Boolean).join(" ") },
    },
  );
  if (!result.ok) throw changed();
  return result.answer;
}

const changed = () =>
  new AppError("MEMBER_CHANGED", "Nothing was changed: someone else changed this account a moment ago.");
