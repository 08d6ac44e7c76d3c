import {
  auditLogs,
  auditSeals,
  columnsOf,
  organizationUsers,
  paymentRecords,
  users,
  verifications,
} from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, asc, desc, eq, gt, gte, isNotNull, lt, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { endOfDay, MINUTE_MS, startOfDay } from "~/kernel/dates";
import { displayName } from "~/kernel/text";
import type { AuditPage } from "~/modules/records/audit-trail/audit.json";
import type { AuditFilter } from "~/modules/records/audit-trail/audit-filter";
import type { ReadServices } from "~/services-and-actor";
import { AUDIT_AREAS } from "./areas";

/** The columns that an entry's export and seal are computed from. */
export const auditColumns = {
  ...columnsOf(auditLogs, "id", "userId", "organizationId", "action", "entityType", "entityId"),
  ...columnsOf(auditLogs, "details", "ipAddress", "userAgent", "requestId", "createdAt"),
};

/** The same, with a column that only administrators receive. */
export const sealedColumns = { ...auditColumns, emailSalt: auditLogs.emailSalt };

export const AUDIT_PAGE_SIZE = 50;
/** How many entries one page searches: with a filter that few match, the page ends there and the next one continues. */
const WALK = 1_000;

type Asked = {
  filter?: AuditFilter;
  /** Id of the entry after which the page starts. */
  cursor?: string;
  limit?: number;
  /** How many entries are searched, when the filter has more than a subject and days. */
  walk?: number;
};

/**
 * One page of an organisation's audit trail, newest first: what the export and the seals cover, and newer entries. The
 * number of rows read is bounded, however few match the filter.
 */
export async function listAuditEntries(
  services: ReadServices,
  actor: { organizationId: string; timeZone: string },
  { cursor, filter = {}, limit = AUDIT_PAGE_SIZE, walk: most = WALK }: Asked = {},
): Promise<AuditPage> {
  const { organizationId } = actor;
  const [after, span] = await Promise.all([
    cursor === undefined ? undefined : findPosition(services, organizationId, cursor),
    findSpan(services, organizationId, filter, actor.timeZone),
  ]);
  if (cursor !== undefined && after === undefined) return { entries: [], nextCursor: null, isPartial: false };
  const { main, rest } = splitFilter(organizationId, filter);
  const page = keySetPage({ after }, { size: limit });
  const walk = walkOf(services, { organizationId, main, span, page, size: rest ? most : page.limit });
  const [found, [end]] = await Promise.all([
    services.db
      .select({ position: walk.position })
      .from(walk)
      .where(rest?.(walk))
      .orderBy(page.order(walk.position))
      .limit(page.limit),
    services.db.select({ last: sql<number | null>`min(${walk.position})`, looked: sql<number>`count(*)` }).from(walk),
  ]);
  const stoppedAt = rest !== undefined && end?.looked === most ? (end.last ?? undefined) : undefined;
  const { rows, next } = page.cut(found, ({ position }) => position, stoppedAt);
  const [entries, nextCursor] = await Promise.all([
    readEntries(
      services,
      organizationId,
      rows.map(({ position }) => position),
    ),
    findId(services, organizationId, next),
  ]);
  return { entries, nextCursor, isPartial: next !== undefined && rows.length < limit };
}
type Fits = (walk: ReturnType<typeof walkOf>) => SQL | undefined;

/**
 * Splits a filter into the part that an index serves, and the conditions compared row by row. There is no index for
 * people and actions, because it would cost a write for every entry of every organisation.
 */
function splitFilter(organizationId: string, { thing, payee, ...acts }: AuditFilter): { main?: SQL; rest?: Fits } {
  const rest = fits(acts);
  if (payee) return { main: isAboutPayee(organizationId, payee), rest };
  if (thing) return { main: and(eq(auditLogs.entityType, thing.type), eq(auditLogs.entityId, thing.id)), rest };
  return { rest };
}

/** How many of a payee's newest verifications and payments are searched, so that the number of rows read is bounded. */
export const PAYEE_VERIFICATIONS = 200;
export const PAYEE_PAYMENTS = 500;

/** The entries about a payee, its verifications and its payments. */
function isAboutPayee(organizationId: string, payeeId: string): SQL {
  const of = (table: SQLWrapper, type: string, most: number) =>
    sql`SELECT ${type}, "id" FROM (SELECT "id" FROM ${table} WHERE "organizationId" = ${organizationId} AND "payeeId" = ${payeeId}
      ORDER BY "id" DESC LIMIT ${most}) AS walk`;
  return sql`${auditLogs.position} IN (SELECT about."position" FROM (
      SELECT 'payee' AS "type", ${payeeId} AS "id"
      UNION ALL ${of(verifications, "verification", PAYEE_VERIFICATIONS)}
      UNION ALL ${of(paymentRecords, "payment", PAYEE_PAYMENTS)}
    ) AS given CROSS JOIN ${auditLogs} AS about ON about."organizationId" = ${organizationId}
      AND about."entityType" = given."type" AND about."entityId" = given."id")`;
}

function fits({ person, area, action }: Pick<AuditFilter, "person" | "area" | "action">): Fits | undefined {
  if (!person && !area && !action) return undefined;
  const nouns = area && !action ? JSON.stringify(AUDIT_AREAS[area].nouns) : undefined;
  return (walk) =>
    and(
      person ? eq(walk.userId, person) : undefined,
      action && eq(walk.action, action),
      nouns
        ? sql`substr(${walk.action}, 1, instr(${walk.action}, '.') - 1) IN (SELECT value FROM json_each(${nouns}))`
        : undefined,
    );
}

type Walking = {
  organizationId: string;
  main?: SQL;
  span: TrailSpan;
  page: Pick<ReturnType<typeof keySetPage<number>>, "beyond" | "order">;
  size: number;
};

/** The newest entries in the span that match the indexed part of the filter, up to the limit. */
function walkOf({ db }: ReadServices, { organizationId, main, span, page, size }: Walking) {
  return db
    .select({ position: auditLogs.position, userId: auditLogs.userId, action: auditLogs.action })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        main,
        page.beyond(auditLogs.position),
        span.first === undefined ? undefined : gte(auditLogs.position, span.first),
        span.end === undefined ? undefined : lt(auditLogs.position, span.end),
        span.since === undefined ? undefined : gte(auditLogs.createdAt, span.since),
        span.until === undefined ? undefined : lt(auditLogs.createdAt, span.until),
      ),
    )
    .orderBy(page.order(auditLogs.position))
    .limit(size)
    .as("walk");
}

const lastSealed = sql`(SELECT coalesce(max("position"), 0) FROM ${auditSeals})`;

/**
 * The entries at these positions, newest first. An unsealed entry that the sealer has already passed was inserted by an
 * intruder, and is not shown.
 */
async function readEntries({ db }: ReadServices, organizationId: string, positions: readonly number[]) {
  if (positions.length === 0) return [];
  const rows = await db
    .select({
      ...auditColumns,
      user: { firstName: users.firstName, lastName: users.lastName, email: users.email },
      seal: { seq: auditSeals.seq, prevHash: auditSeals.prevHash, hash: auditSeals.hash },
    })
    .from(auditLogs)
    .leftJoin(users, eq(users.id, auditLogs.userId))
    .leftJoin(auditSeals, eq(auditSeals.position, auditLogs.position))
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        sql`${auditLogs.position} IN (SELECT value FROM json_each(${JSON.stringify(positions)}))`,
        or(isNotNull(auditSeals.position), gt(auditLogs.position, lastSealed)),
      ),
    )
    .orderBy(desc(auditLogs.position));
  return rows.map(({ user, ...entry }) => ({
    ...entry,
    user: user && { name: displayName(user), email: user.email },
  }));
}

/** The address contains an entry's id rather than its position, which would reveal how much all organisations do. */
async function findPosition({ db }: ReadServices, organizationId: string, id: string) {
  const [row] = await db
    .select({ position: auditLogs.position })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.id, id)));
  return row?.position;
}

async function findId({ db }: ReadServices, organizationId: string, position: number | undefined) {
  if (position === undefined) return null;
  const [row] = await db
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.position, position)));
  return row?.id ?? null;
}

/** More people than a selection list can hold. */
export const MAX_AUDITED_PEOPLE = 140;

/** The people of an organisation, to filter the trail by one of them. */
export async function listAuditedPeople({ db }: ReadServices, actor: { organizationId: string }) {
  const rows = await db
    .select({ userId: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(eq(organizationUsers.organizationId, actor.organizationId))
    .orderBy(asc(organizationUsers.userId))
    .limit(MAX_AUDITED_PEOPLE);
  return rows.map(({ userId, ...name }) => ({ userId, name: displayName(name) }));
}

/**
 * Entries are in commit order, which is their time order apart from the delay between a command's reading the clock and
 * its commit. Date look-ups allow for this delay, and each entry's own time decides.
 */
const SPARE_MS = 15 * MINUTE_MS;

/** Where the days of a filter begin and end: in time, and as positions in the trail. Undefined when unbounded. */
type TrailSpan = { since?: number; until?: number; first?: number; end?: number };

/** The part of the trail with the filter's days: two look-ups of about forty rows each, at any size. */
export async function findSpan(
  services: ReadServices,
  organizationId: string,
  { from, to }: AuditFilter,
  timeZone: string,
): Promise<TrailSpan> {
  const since = from === undefined ? undefined : startOfDay(from, timeZone);
  const until = to === undefined ? undefined : endOfDay(to, timeZone);
  const [first, end] = await Promise.all([
    since === undefined ? undefined : findPositionAt(services, organizationId, since - SPARE_MS),
    until === undefined ? undefined : findPositionAt(services, organizationId, until + SPARE_MS),
  ]);
  return { since, until, first, end };
}

/**
 * The position of an organisation's first entry at or after this time, found by binary search: there is no index by
 * time, because it would cost a write for every entry.
 */
async function findPositionAt({ db }: ReadServices, organizationId: string, ms: number): Promise<number> {
  const middle = sql`(low + high) / 2`;
  const isBefore = sql`(SELECT "createdAt" FROM ${auditLogs} WHERE "organizationId" = ${organizationId}
    AND "position" >= ${middle} ORDER BY "position" LIMIT 1) < ${ms}`;
  const [found] = await db.all<{ position: number }>(sql`
    WITH RECURSIVE walk (low, high) AS (
      SELECT 1, (SELECT coalesce(max("position"), 0) + 1 FROM ${auditLogs} WHERE "organizationId" = ${organizationId})
      UNION ALL
      SELECT iif(${isBefore}, ${middle} + 1, low), iif(${isBefore}, high, ${middle}) FROM walk WHERE low < high
    )
    SELECT low AS "position" FROM walk WHERE low >= high`);
  return found?.position ?? 0;
}
