import { lostEntries, lostMessages, lostPayments, restores, type Statement } from "@db/database";
import { FRESH_MS } from "@db/database-gate";
import { and, eq, isNull, sql } from "drizzle-orm";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { runStatement } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services } from "~/services-and-actor";
import { readNotedBeat, readState } from "./database-state.server";
import { hourOf, type NotedEntry, notedPage, trailNotes } from "./outside-trail.server";
import { sentNotes } from "./sent-messages.server";

/** Notes become readable within about a minute, so wait for those written just before the restore. */
const SETTLED_MS = 2 * MINUTE_MS;
/** How many hours of notes one run reads; the next continues. The platform can restore at most 720 hours back. */
const HOURS_PER_RUN = 100;
const ROWS_PER_STATEMENT = 1_000;

type Reading = Pick<Services, "db" | "clock" | "notes">;

/** The restore because of which the app is on hold. */
export async function findHeldRestore(services: ReadServices) {
  const { restoreId } = await readState(services);
  if (restoreId === null) return undefined;
  const [restore] = await services.db.select().from(restores).where(eq(restores.id, restoreId));
  return restore;
}

export type Restore = NonNullable<Awaited<ReturnType<typeof findHeldRestore>>>;

/**
 * While the app is on hold: reads the notes from the lost period, hour by hour, and stores what the database does not
 * have. Running it twice stores nothing twice.
 * @returns whether everything has been read
 */
export async function readLostTime(services: Reading): Promise<boolean> {
  const held = await findHeldRestore(services);
  if (!held || held.readAt !== null) return held !== undefined;
  const { db, clock } = services;
  const now = clock.now();
  const lostUntil = held.lostUntil ?? (await findLostUntil(services, held));
  const last = hourOf(Math.max(held.noticedAt, lostUntil));
  let hour = Date.parse(`${held.readTo || hourOf(held.lostFrom)}:00:00Z`);
  for (let count = 0; count < HOURS_PER_RUN && hourOf(hour) <= last; count++, hour += HOUR_MS) {
    await readHour(services, held, hourOf(hour));
  }
  const isAtEnd = hourOf(hour) > last && now - held.noticedAt >= SETTLED_MS;
  const readTo = hourOf(Math.min(hour, Date.parse(`${last}:00:00Z`)));
  const reached = db
    .update(restores)
    .set({ lostUntil, readTo, readAt: isAtEnd ? now : null })
    .where(and(eq(restores.id, held.id), isNull(restores.releasedAt)));
  await runStatement(services, reached);
  return isAtEnd;
}

/** For a loaded copy: the original was in use as long as beats were noted; none after the copy: nothing is lost. */
async function findLostUntil(services: Reading, { lostFrom, noticedAt }: Restore): Promise<number> {
  const [{ beat }, noted] = await Promise.all([readState(services), readNotedBeat(services)]);
  if (!noted || noted.beat <= beat) return lostFrom;
  return Math.max(lostFrom, Math.min(noticedAt, noted.at + FRESH_MS));
}

async function readHour(services: Reading, restore: Restore, hour: string): Promise<void> {
  for (const key of await listKeys(services, trailNotes(hour))) {
    const text = await services.notes.read(key);
    if (text !== null) await keepLost(services, restore, notedPage.parse(JSON.parse(text)));
  }
  const sent = (await listKeys(services, sentNotes(hour))).flatMap((key) => {
    const [at = "", digest] = (key.split("/")[2] ?? "").split(".");
    return digest && Number(at) >= restore.lostFrom ? [[digest, Number(at)]] : [];
  });
  for (let from = 0; from < sent.length; from += ROWS_PER_STATEMENT) {
    const part = JSON.stringify(sent.slice(from, from + ROWS_PER_STATEMENT));
    const rows = services.db
      .insert(lostMessages)
      .select(
        sql`SELECT value ->> 0, ${restore.id}, value ->> 1 FROM json_each(${part}) WHERE true ON CONFLICT DO NOTHING`,
      );
    await runStatement(services, rows);
  }
}

async function listKeys({ notes }: Reading, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await notes.list(prefix, cursor);
    keys.push(...page.keys);
    cursor = page.cursor;
    if (cursor === undefined) return keys;
  }
}

async function keepLost({ db }: Reading, restore: Restore, entries: readonly NotedEntry[]): Promise<void> {
  const ids = JSON.stringify(entries.map(({ id }) => id));
  const missing = await db.all<{ id: string }>(
    sql`SELECT noted.value AS "id" FROM json_each(${ids}) AS noted
      WHERE NOT EXISTS (SELECT 1 FROM "audit_logs" WHERE "id" = noted.value)`,
  );
  const lost = new Set(missing.map(({ id }) => id));
  const rows = entries.filter(({ id }) => lost.has(id));
  if (rows.length === 0) return;
  const given = JSON.stringify(rows.map(({ payments: _, ...entry }) => entry));
  const statements: Statement[] = [
    db.insert(lostEntries).select(
      sql`SELECT value ->> 'organizationId', value ->> 'id', ${restore.id}, value ->> 'action', value ->> 'entityType',
        value ->> 'entityId', value ->> 'createdAt' FROM json_each(${given}) WHERE true ON CONFLICT DO NOTHING`,
    ),
  ];
  const payments = rows.flatMap(({ organizationId, createdAt, payments = [] }) =>
    payments.map(([id, fingerprint, amount]) => [organizationId, fingerprint, amount, id, createdAt]),
  );
  for (let from = 0; from < payments.length; from += ROWS_PER_STATEMENT) {
    const part = JSON.stringify(payments.slice(from, from + ROWS_PER_STATEMENT));
    statements.push(
      db.insert(lostPayments).select(
        sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, ${restore.id}, value ->> 4
          FROM json_each(${part}) WHERE true ON CONFLICT DO NOTHING`,
      ),
    );
  }
  // Each statement can safely be repeated, because everything may be read again.
  for (const statement of statements) await runStatement({ db }, statement);
}
