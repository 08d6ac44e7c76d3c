import {
  alerts,
  counters,
  emailChanges,
  idempotencyKeys,
  knownDevices,
  lostEntries,
  lostMessages,
  lostPayments,
  outbox,
  outsideMessages,
  payees,
  paymentRecords,
  providerUsers,
  rateCounters,
  sentMessages,
  sessions,
  tokens,
  usedPasskeyChallenges,
  verifications,
  walkCursors,
  webhookDeliveries,
  webhookEvents,
} from "@db/database";
import { findWalk, saveWalk, walkOrganizations } from "@db/walk";
import { and, eq, getTableName, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "~/kernel/dates";
import { type CounterName, MATCH_TYPES, PAYMENT_FIGURES, PAYMENT_STATUSES, paymentCounter } from "~/kernel/enums";
import { LINKS_KEPT_DAYS } from "~/kernel/retention";
import type { ReadServices, Services, TimedServices } from "~/services-and-actor";

/** How long expired rows are kept. Keys and events stay well beyond the sender's last retry. */
const TOKENS_KEPT_MS = LINKS_KEPT_DAYS * DAY_MS;
/** A device that was not used for this long counts as new. */
const DEVICES_KEPT_MS = 365 * DAY_MS;
const KEYS_KEPT_MS = 7 * DAY_MS;
const JOBS_KEPT_MS = 30 * DAY_MS;
/** How long a given-up job keeps its payload, so that it can be run again. */
export const GIVEN_UP_KEPT_MS = 7 * DAY_MS;
/** Providers report delivery within days. */
const SENT_KEPT_MS = 90 * DAY_MS;
/** Webhook deliveries: long enough to inspect them and send them again. */
const DELIVERIES_KEPT_MS = 60 * DAY_MS;
const EVENTS_KEPT_MS = 90 * DAY_MS;
/** The audit trail keeps what happened; an alert only announced it. */
const ALERTS_KEPT_MS = 365 * DAY_MS;

/** How long we keep when a message was sent: people report a message within weeks. */
const MESSAGES_KEPT_MS = 365 * DAY_MS;

/** What a restore erased is kept longer than we look for repeated payments, and than people ask about it. */
const LOST_KEPT_MS = 365 * DAY_MS;

const CHUNK = 1000;
/** The most that one run removes from each table; the next night continues. */
const MAX_CHUNKS = 50;

/**
 * Deletes expired rows. Uses small statements, so that people's requests run in between; running it twice, or twice at
 * once, deletes nothing more.
 *
 * @returns how many rows of each table were deleted
 */
export async function removeExpiredRows(services: TimedServices) {
  const now = services.clock.now();
  return {
    sessions: await removeWhere(services, sessions, lte(sessions.expiresAt, now)),
    tokens: await removeWhere(services, tokens, lte(tokens.expiresAt, now - TOKENS_KEPT_MS)),
    emailChanges: await removeWhere(services, emailChanges, lte(emailChanges.expiresAt, now - TOKENS_KEPT_MS)),
    knownDevices: await removeWhere(services, knownDevices, lte(knownDevices.lastSeenAt, now - DEVICES_KEPT_MS)),
    usedPasskeyChallenges: await removeWhere(
      services,
      usedPasskeyChallenges,
      lte(usedPasskeyChallenges.expiresAt, now),
    ),
    rateCounters: await removeAlong(services, rateCounters, lte(rateCounters.windowEndsAt, now)),
    idempotencyKeys: await removeAlong(services, idempotencyKeys, lte(idempotencyKeys.createdAt, now - KEYS_KEPT_MS)),
    outbox: await removeAlong(services, outbox, lte(outbox.finishedAt, now - JOBS_KEPT_MS)),
    givenUpContents: await wipeGivenUp(services, now - GIVEN_UP_KEPT_MS),
    alerts: await removeAlong(services, alerts, lte(alerts.createdAt, now - ALERTS_KEPT_MS)),
    outsideMessages: await removeAlong(
      services,
      outsideMessages,
      lte(outsideMessages.createdAt, now - MESSAGES_KEPT_MS),
    ),
    providerUsers: await removeAlong(services, providerUsers, lte(providerUsers.goneAt, now - EVENTS_KEPT_MS)),
    sentMessages: await removeAlong(services, sentMessages, lte(sentMessages.sentAt, now - SENT_KEPT_MS)),
    webhookDeliveries: await removeAlong(
      services,
      webhookDeliveries,
      lte(webhookDeliveries.createdAt, now - DELIVERIES_KEPT_MS),
    ),
    lostEntries: await removeAlong(services, lostEntries, lte(lostEntries.createdAt, now - LOST_KEPT_MS)),
    lostPayments: await removeAlong(services, lostPayments, lte(lostPayments.createdAt, now - LOST_KEPT_MS)),
    lostMessages: await removeAlong(services, lostMessages, lte(lostMessages.sentAt, now - LOST_KEPT_MS)),
    webhookEvents: await removeAlong(services, webhookEvents, lte(webhookEvents.receivedAt, now - EVENTS_KEPT_MS)),
  };
}

/** Wipes the payload; the record that the job was given up stays. */
async function wipeGivenUp({ db }: TimedServices, before: number): Promise<number> {
  const rows = await db
    .update(outbox)
    .set({ sealedPayload: null })
    .where(
      sql`${outbox.status} = 'failed' AND ${outbox.finishedAt} <= ${before} AND ${outbox.sealedPayload} IS NOT NULL`,
    )
    .returning({ one: sql<number>`1` });
  return rows.length;
}

async function removeWhere({ db }: TimedServices, table: SQLiteTable, isOver: SQL): Promise<number> {
  const key = sql.join(keyOf(table), sql`, `);
  let removed = 0;
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) {
    const rows = await db
      .delete(table)
      .where(sql`(${key}) IN (SELECT ${key} FROM ${table} WHERE ${isOver} LIMIT ${CHUNK})`)
      .returning({ one: sql<number>`1` });
    removed += rows.length;
    if (rows.length < CHUNK) break;
  }
  return removed;
}

/** How many rows one run looks at in a table without an index by time; the next night continues. */
const LOOKED_AT = 100 * CHUNK;

/** The same for tables without an index by time, which would cost a write a row: reads them in key order. */
async function removeAlong({ db, clock }: TimedServices, table: SQLiteTable, isOver: SQL): Promise<number> {
  const columns = keyOf(table);
  const key = sql`(${sql.join(columns, sql`, `)})`;
  const [last] = await db
    .select()
    .from(walkCursors)
    .where(eq(walkCursors.name, walkName(table)));
  let from: string[] = last && last.key !== "" ? JSON.parse(last.key) : columns.map(() => "");
  let removed = 0;
  for (let looked = 0; from.length > 0 && looked < LOOKED_AT; looked += CHUNK) {
    const beyond = sql`${key} > (${listOf(from)})`;
    const [to] = await db.all<Record<string, string>>(
      sql`SELECT ${sql.join(columns, sql`, `)} FROM ${table} WHERE ${beyond} ORDER BY ${sql.join(columns, sql`, `)} LIMIT 1 OFFSET ${CHUNK - 1}`,
    );
    const end = to ? columns.map(({ name }) => to[name] ?? "") : [];
    const within = to ? sql`AND ${key} <= (${listOf(end)})` : sql``;
    const rows = await db
      .delete(table)
      .where(sql`${beyond} ${within} AND ${isOver}`)
      .returning({ one: sql<number>`1` });
    removed += rows.length;
    from = end;
  }
  const startedAt = clock.now();
  const reached = { name: walkName(table), key: from.length > 0 ? JSON.stringify(from) : "", startedAt };
  await saveWalk(db, reached, from.length > 0 ? null : startedAt);
  return removed;
}

const listOf = (values: readonly string[]) =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );

const walkName = (table: SQLiteTable) => `housekeeping:${getTableName(table)}`;

/** The columns of a table's primary key; WITHOUT ROWID tables have no other key. */
function keyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
}

/** About how many rows one night counts; the next goes on. Every count is verified once a week or less often. */
const NIGHT_ROWS = 250_000;
const EVERY_MS = 7 * DAY_MS;

const isOrganizations = (column: SQL) => sql`${column} = json_each.value`;

const FIGURES = { payments: sql`count(*)`, cents: sql`coalesce(sum(${paymentRecords.amount}), 0)` };

/** True if a name was compared: by us, with a score, or by the bank, which may reject it without revealing its own. */
export const isCompared = sql<number>`(${verifications.nameMatchScore} IS NOT NULL OR ${verifications.matchType} <> 'none'
  OR ${verifications.outcome} IS 'no_match')`;

/** How each count is computed again, along an index of the organisation's rows. */
const COUNTED: readonly (readonly [CounterName, SQL])[] = [
  ["payees", sql`SELECT count(*) FROM ${payees} WHERE ${isOrganizations(sql`${payees.organizationId}`)}`],
  [
    "archivedPayees",
    sql`SELECT count(*) FROM ${payees}
      WHERE ${isOrganizations(sql`${payees.organizationId}`)} AND ${payees.archivedAt} IS NOT NULL`,
  ],
  [
    "whitelistedPayees",
    sql`SELECT count(*) FROM ${payees}
      WHERE ${isOrganizations(sql`${payees.organizationId}`)} AND ${payees.whitelisted} = 1`,
  ],
  [
    "pendingVerifications",
    sql`SELECT count(*) FROM ${verifications}
      WHERE ${isOrganizations(sql`${verifications.organizationId}`)} AND ${verifications.status} = 'pending'`,
  ],
  ...MATCH_TYPES.map(
    (match) =>
      [
        `pending:${match}`,
        sql`SELECT count(*) FROM ${verifications}
          WHERE ${isOrganizations(sql`${verifications.organizationId}`)} AND ${verifications.status} = 'pending'
            AND ${verifications.matchType} = ${match} AND ${isCompared}`,
      ] as const,
  ),
  ...PAYMENT_STATUSES.flatMap((status) =>
    PAYMENT_FIGURES.map(
      (figure) =>
        [
          paymentCounter(figure, status),
          sql`SELECT ${FIGURES[figure]} FROM ${paymentRecords}
            WHERE ${isOrganizations(sql`${paymentRecords.organizationId}`)} AND ${paymentRecords.status} = ${status}`,
        ] as const,
    ),
  ),
];

/**
 * Recounts the rows of some organisations, continuing where the night before stopped, and corrects counts that the
 * triggers got wrong, which should never happen: each correction is logged as a warning. Counting and correcting are
 * one statement, so no change can fall in between.
 *
 * @returns how many counts were corrected
 */
export async function reconcileCounters(services: Pick<Services, "db" | "log" | "clock">): Promise<number> {
  const { db, log, clock } = services;
  const walk = await findWalk(db, "counters", clock.now(), EVERY_MS);
  if (!walk) return 0;
  let corrected = 0;
  await walkOrganizations(db, walk, { now: clock.now(), budget: NIGHT_ROWS }, async (organizationIds) => {
    const ids = JSON.stringify(organizationIds);
    for (const counted of COUNTED) {
      const wrong = await correct(services, counted, ids);
      if (wrong.length > 0) log.warn("counters.corrected", { name: counted[0], organizations: wrong });
      corrected += wrong.length;
    }
    corrected += await correctWaiting(services, ids);
    return organizationIds.length + (await sumOfCounts(services, ids));
  });
  return corrected;
}

/** Corrects the waiting amount of payees, kept with each and its open verification. @returns how many were wrong */
async function correctWaiting({ db, log }: Pick<Services, "db" | "log">, organizationIds: string): Promise<number> {
  const sum = sql`(SELECT coalesce(sum(${paymentRecords.amount}), 0) FROM ${paymentRecords}
    WHERE ${paymentRecords.organizationId} = ${payees.organizationId} AND ${paymentRecords.payeeId} = ${payees.id}
      AND ${paymentRecords.status} IN ('held', 'verification_requested'))`;
  const ofPayee = sql`(SELECT ${payees.waitingCents} FROM ${payees}
    WHERE ${payees.organizationId} = ${verifications.organizationId} AND ${payees.id} = ${verifications.payeeId})`;
  const isOf = (column: SQLWrapper) => sql`${column} IN (SELECT value FROM json_each(${organizationIds}))`;
  const ofPayees = await db
    .update(payees)
    .set({ waitingCents: sum })
    .where(and(isOf(payees.organizationId), sql`${payees.waitingCents} <> ${sum}`))
    .returning({ organizationId: payees.organizationId });
  const ofReviews = await db
    .update(verifications)
    .set({ waitingCents: ofPayee })
    .where(
      and(
        isOf(verifications.organizationId),
        sql`${verifications.status} = 'pending' AND ${verifications.waitingCents} <> ${ofPayee}`,
      ),
    )
    .returning({ organizationId: verifications.organizationId });
  const wrong = [...ofPayees, ...ofReviews];
  const organizations = [...new Set(wrong.map(({ organizationId }) => organizationId))];
  if (wrong.length > 0) log.warn("counters.corrected", { name: "waitingCents", organizations });
  return wrong.length;
}

/** An estimate of the rows that counting reads, leaving out sums of money. */
async function sumOfCounts({ db }: ReadServices, organizationIds: string): Promise<number> {
  const [row] = await db
    .select({ rows: sql<number>`coalesce(sum(${counters.value}), 0)` })
    .from(counters)
    .where(
      sql`${counters.organizationId} IN (SELECT value FROM json_each(${organizationIds})) 
        AND ${counters.name} <> 'heldCents' AND ${counters.name} NOT GLOB 'cents:*'`,
    );
  return row?.rows ?? 0;
}

async function correct({ db }: ReadServices, [name, counted]: (typeof COUNTED)[number], organizationIds: string) {
  const rows = await db.all<{ organizationId: string }>(
    sql`INSERT INTO ${counters} ("organizationId", "name", "value")
        SELECT json_each.value, ${name}, (${counted}) AS "counted" FROM json_each(${organizationIds})
        WHERE "counted" > 0 OR EXISTS (
          SELECT 1 FROM ${counters} AS kept WHERE kept."organizationId" = json_each.value AND kept."name" = ${name})
        ON CONFLICT ("organizationId", "name") DO UPDATE SET "value" = excluded."value"
          WHERE ${counters.value} <> excluded."value"
        RETURNING "organizationId"`,
  );
  return rows.map((row) => row.organizationId);
}
