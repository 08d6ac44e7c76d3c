import type { Statement } from "@db/database";
import * as schema from "@db/database";
import { rowIn } from "@db/database";
import { and, eq, getTableName, inArray, is, isNotNull, isNull, lte, ne, notExists, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "~/kernel/dates";
import { CLOSED_KEPT_YEARS } from "~/kernel/retention";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { PLATFORM_ORGANIZATION_ID, type Services, systemActor } from "~/services-and-actor";
import type { OwnedTable } from "./walks";

const { apiTokens, bankChecks, bankQuestions, decisions, organizations, organizationUsers, payees } = schema;
const { paymentFileClearings, paymentRecords, paymentTransitions, promotionDue, sessions, users, verifications } =
  schema;

/** How many rows one statement deletes, and how many statements one night runs; the next continues. */
const CHUNK = 500;
const MAX_STATEMENTS = 400;
/** A few at once, because for each deleted clearing the database looks for its lines among all lines. */
const CLEARINGS = 10;

/** Leap years throughout, so that nothing is deleted a day too early. */
const KEPT_MS = CLOSED_KEPT_YEARS * 366 * DAY_MS;

type Parent = { table: OwnedTable; key: SQLiteColumn; by: SQLiteColumn };

/** Tables without an organisation index: their rows are found through the rows that they belong to. */
const FOUND_BY: ReadonlyMap<SQLiteTable, Parent> = new Map<SQLiteTable, Parent>([
  [apiTokens, { table: organizationUsers, key: organizationUsers.userId, by: apiTokens.userId }],
  [bankQuestions, { table: verifications, key: verifications.id, by: bankQuestions.verificationId }],
  [bankChecks, { table: verifications, key: verifications.id, by: bankChecks.verificationId }],
  [decisions, { table: verifications, key: verifications.id, by: decisions.verificationId }],
  [paymentTransitions, { table: paymentRecords, key: paymentRecords.id, by: paymentTransitions.paymentId }],
  [promotionDue, { table: payees, key: payees.id, by: promotionDue.payeeId }],
]);

/** Tables whose rows are deleted long before this, and why. */
const GONE_BEFORE: Readonly<Record<string, string>> = {
  outbox: "housekeeping removes finished work after 30 days",
  sentMessages: "housekeeping removes what a provider said after 90 days",
  tokens: "housekeeping removes links 30 days after they run out",
};

const isOwned = (table: unknown): table is OwnedTable => is(table, SQLiteTable) && "organizationId" in table;

/** Tables about the organisation's people, which `removePeople` deletes. */
const PEOPLE: readonly string[] = ["organizationUsers", "users"];

/** Counts that triggers update when rows are deleted, so they come last. */
const LAST: readonly string[] = ["counters", "payeeWordParts"];

/** Every table with an organisation's rows, in an order in which no remaining row refers to a deleted one. */
function tablesInOrder(): OwnedTable[] {
  const left = new Map(
    Object.entries(schema).flatMap(([name, table]) =>
      isOwned(table) && !PEOPLE.includes(name) && !(name in GONE_BEFORE)
        ? [[getTableName(table), { name, table }]]
        : [],
    ),
  );
  const ordered: OwnedTable[] = [];
  while (left.size > 0) {
    const needed = new Set([...left.values()].flatMap(({ table }) => referredTo(table)));
    const free = [...left].filter(([key, { name }]) => !needed.has(key) && !LAST.includes(name));
    for (const [key, { table }] of free.length > 0 ? free : [...left]) {
      ordered.push(table);
      left.delete(key);
    }
  }
  return ordered;
}

const referredTo = (table: OwnedTable): string[] =>
  getTableConfig(table)
    .foreignKeys.map((key) => getTableName(key.reference().foreignTable))
    .filter((name) => name !== getTableName(table));

/**
 * Deletes the data of organisations that closed `CLOSED_KEPT_YEARS` ago: their rows, and people who belong to no other
 * organisation. The database itself refuses an earlier deletion. A run that ends early continues the next night.
 * @returns how many rows were deleted
 */
export async function removeClosedOrganizations(services: Services): Promise<number> {
  const { db, clock } = services;
  const before = clock.now() - KEPT_MS;
  const over = await db
    .select({ id: organizations.id, startedAt: organizations.removalStartedAt, closedAt: organizations.closedAt })
    .from(organizations)
    .where(
      and(isNotNull(organizations.closesAt), lte(organizations.closesAt, before), lte(organizations.closedAt, before)),
    )
    .limit(1);
  const [sample] = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(isNotNull(organizations.sampleFor), isNotNull(organizations.removalStartedAt)))
    .limit(1);
  let removed = sample ? await removeRows(services, sample.id) : 0;
  for (const { id, startedAt, closedAt } of over) {
    if (startedAt === null) await startRemoval(services, id, closedAt ?? 0);
    const [own] = await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.sampleFor, id));
    if (own) removed += await removeRows(services, own.id);
    removed += await removeRows(services, id);
  }
  return removed;
}

async function startRemoval(services: Services, organizationId: string, closedAt: number): Promise<void> {
  const { db, clock, ids } = services;
  const notStarted = and(eq(organizations.id, organizationId), isNull(organizations.removalStartedAt));
  await runCommand(services, systemActor(PLATFORM_ORGANIZATION_ID, ids.next()), {
    conditions: [{ name: "started", found: rowIn(db, organizations).where(notStarted) }],
    statements: [
      db.update(organizations).set({ removalStartedAt: clock.now() }).where(notStarted),
      ...leaveSample(services, organizationId),
    ],
    audit: [{ action: "organization.removed", entityId: organizationId, details: { closedAt } }],
  });
}

/** Deletes the sample data together with its organisation, and sends its people home. */
function leaveSample({ db, clock }: Services, homeId: string): Statement[] {
  const sample = db.select({ id: organizations.id }).from(organizations).where(eq(organizations.sampleFor, homeId));
  return [
    db.update(users).set({ organizationId: homeId }).where(inArray(users.organizationId, sample)),
    db
      .delete(organizationUsers)
      .where(and(inArray(organizationUsers.organizationId, sample), eq(organizationUsers.status, "active"))),
    db.update(organizations).set({ removalStartedAt: clock.now() }).where(eq(organizations.sampleFor, homeId)),
  ];
}

/** Deletes the rows of an organisation being removed, and wipes the accounts of people who belong to no other. */
export async function removeRows(services: Services, organizationId: string): Promise<number> {
  let removed = 0;
  let statements = 0;
  for (const table of tablesInOrder()) {
    for (let full = true; full; ) {
      if (statements++ >= MAX_STATEMENTS) return removed;
      const chunk = table === paymentFileClearings ? CLEARINGS : CHUNK;
      const rows = await removeChunk(services, table, { organizationId, chunk });
      removed += rows;
      full = rows === chunk;
    }
  }
  for (let people = 1; people > 0; ) {
    if (statements >= MAX_STATEMENTS) return removed;
    people = await removePeople(services, organizationId);
    removed += people;
    statements += people * (OF_A_PERSON.length + 3);
  }
  // Sessions of people who are in another organisation by now.
  await services.db.delete(sessions).where(eq(sessions.providerOrganizationId, organizationId));
  await services.db.delete(organizations).where(eq(organizations.id, organizationId));
  return removed + 1;
}

type Chunk = { organizationId: string; chunk: number };

async function removeChunk({ db }: Services, table: OwnedTable, some: Chunk): Promise<number> {
  const rows = await db
    .delete(table)
    .where(and(isOf(table, some.organizationId), sql`(${keyOf(table)}) IN (${someKeys(table, some)})`))
    .returning({ one: sql<number>`1` });
  return rows.length;
}

const isOf = (table: OwnedTable, organizationId: string) => eq(table.organizationId, organizationId);

function someKeys(table: OwnedTable, { organizationId, chunk }: Chunk): SQL {
  const parent = FOUND_BY.get(table);
  if (!parent) return sql`SELECT ${keyOf(table)} FROM ${table} WHERE ${isOf(table, organizationId)} LIMIT ${chunk}`;
  return sql`SELECT ${keyOf(table)} FROM ${parent.table} CROSS JOIN ${table} ON ${parent.by} = ${parent.key}
    WHERE ${isOf(parent.table, organizationId)} AND ${isOf(table, organizationId)} LIMIT ${chunk}`;
}

function keyOf(table: SQLiteTable): SQL {
  const { columns, primaryKeys } = getTableConfig(table);
  return sql.join(primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary), sql`, `);
}

const PEOPLE_AT_ONCE = 20;

/** Tables with a person's own data, which is deleted with them. Changes of address expire long before this. */
const OF_A_PERSON = [
  schema.sessions,
  schema.tokens,
  schema.twoSteps,
  schema.recoveryCodes,
  schema.passkeys,
  schema.knownDevices,
  schema.alertContacts,
] as const;

/** Deletes some members; their membership goes last. @returns how many */
async function removePeople(services: Services, organizationId: string): Promise<number> {
  const { db } = services;
  const mine = eq(organizationUsers.organizationId, organizationId);
  const people = await db
    .select({ userId: organizationUsers.userId })
    .from(organizationUsers)
    .where(mine)
    .limit(PEOPLE_AT_ONCE);
  for (const { userId } of people) {
    await wipePerson(services, organizationId, userId);
    await db.delete(organizationUsers).where(and(mine, eq(organizationUsers.userId, userId)));
  }
  return people.length;
}

/**
 * Wipes the account of a person who belongs to no other organisation. The empty row stays, because finding out whether
 * any record refers to its id would require reading everything.
 */
async function wipePerson({ db }: Services, organizationId: string, userId: string): Promise<void> {
  const others = and(eq(organizationUsers.userId, userId), ne(organizationUsers.organizationId, organizationId));
  const isAlone = and(
    notExists(rowIn(db, organizationUsers).where(others)),
    sql`(SELECT ${users.role} FROM ${users} WHERE ${users.id} = ${userId}) <> 'super_admin'`,
  );
  for (const table of OF_A_PERSON) await db.delete(table).where(and(eq(table.userId, userId), isAlone));
  const wiped = { username: userId, email: userId, password: "", firstName: "", lastName: "", emailVerifiedAt: null };
  const person = eq(users.id, userId);
  await db
    .update(users)
    .set({ ...wiped, lastLoginAt: null, status: "inactive" })
    .where(and(person, isAlone));
  await db
    .update(users)
    .set({ organizationId: null })
    .where(and(person, eq(users.organizationId, organizationId)));
}
