import { auditLogs, type Condition, columnsOf, type Db, rowIn, trailCursors } from "@db/database";
import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { MINUTE_MS } from "~/kernel/dates";
import type { AuditAction } from "~/modules/core/audit/audit";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { ReadServices, WriteServices } from "~/services-and-actor";

/** One audit entry, as the trail's readers see it. */
export type TrailEntry = Omit<typeof auditLogs.$inferSelect, "ipAddress" | "userAgent" | "requestId" | "emailSalt">;

/** The processes that read the whole audit trail, each with its own cursor in `trail_cursors`. */
export type TrailReaderName = "alerts" | "outside" | "reports" | "webhooks";

/** How many entries are read at once, and out of how many: a large import writes thousands that concern no reader. */
const PAGE_SIZE = 100;
const WINDOW = 5_000;

/** A reader's position; 0 for one that never ran. */
export async function readCursor({ db }: ReadServices, name: TrailReaderName): Promise<number> {
  const [cursor] = await db
    .select({ position: trailCursors.position })
    .from(trailCursors)
    .where(eq(trailCursors.name, name));
  return cursor?.position ?? 0;
}

/** A reader's position, if the trail has entries after it. */
async function findUnread(services: ReadServices, name: TrailReaderName): Promise<number | undefined> {
  const [position, [trail]] = await Promise.all([
    readCursor(services, name),
    services.db.select({ end: sql<number | null>`max(${auditLogs.position})` }).from(auditLogs),
  ]);
  return (trail?.end ?? 0) > position ? position : undefined;
}

/** The condition that the reader is still at this position, for every batch that advances it. */
export function cursorStandsAt({ db }: ReadServices, name: TrailReaderName, position: number) {
  return rowIn(db, trailCursors).where(and(eq(trailCursors.name, name), eq(trailCursors.position, position)));
}

/** The next entries of the trail, at most `size`: where they end, and whether there may be more. */
export async function findWindow({ db }: ReadServices, position: number, size: number) {
  const [window] = await db.all<{ end: number | null; rows: number }>(
    sql`SELECT max("position") AS "end", count(*) AS "rows" FROM (SELECT "position" FROM ${auditLogs}
      WHERE "position" > ${position} ORDER BY "position" LIMIT ${size}) AS walk`,
  );
  return { end: window?.end ?? position, hasMore: window?.rows === size };
}

/** The entries with these actions between two positions (the second inclusive), in the order written. */
function selectEntries(
  { db }: ReadServices,
  { after, end, actions, limit }: { after: number; end: number; actions: readonly AuditAction[]; limit: number },
) {
  return db
    .select({
      ...columnsOf(auditLogs, "position", "id", "organizationId", "userId", "action"),
      ...columnsOf(auditLogs, "entityType", "entityId", "details", "createdAt"),
    })
    .from(auditLogs)
    .where(
      and(
        gt(auditLogs.position, after),
        lte(auditLogs.position, end),
        sql`${auditLogs.action} IN (SELECT value FROM json_each(${JSON.stringify(actions)}))`,
      ),
    )
    .orderBy(asc(auditLogs.position))
    .limit(limit);
}

/** The next entries with these actions after a position, and how far the trail was searched. */
export async function readNewEntries(
  services: ReadServices,
  { position, actions }: { position: number; actions: readonly AuditAction[] },
): Promise<{ entries: TrailEntry[]; readTo: number; hasMore: boolean }> {
  const { end, hasMore } = await findWindow(services, position, WINDOW);
  const entries = await selectEntries(services, { after: position, end, actions, limit: PAGE_SIZE });
  const isFull = entries.length === PAGE_SIZE;
  return { entries, readTo: isFull ? (entries.at(-1)?.position ?? end) : end, hasMore: isFull || hasMore };
}

interface ReadPage extends Pick<Parameters<typeof runStep>[1], "statements" | "jobs"> {
  /** Further conditions besides the cursor; if one fails, the page is read again. */
  conditions?: readonly Condition[];
  /** The last position that was read. */
  readTo: number;
  hasMore: boolean;
  /** What the page adds to the run's result. */
  done: number;
}

interface TrailReader {
  name: TrailReaderName;
  maxPages: number;
  /** Reads the trail after a position, and returns what to write for it. */
  readPage(position: number): Promise<ReadPage>;
}

/** This Worker's running reads, by database and reader, and whether more entries were written meanwhile. */
const underWay = new WeakMap<Db, Map<TrailReaderName, { since: number; isAskedAgain: boolean }>>();
/** A run that was stopped with its request reports nothing more; after this long, another one may start. */
const MOST_MS = MINUTE_MS / 2;
/** Entries written during a run are read together after this delay: a run for each would cost too much. */
const TOGETHER_MS = 250;

/**
 * Continues reading the audit trail. A page's statements and the cursor are one batch, so every action counts once, in
 * order, whatever interrupts the run, and if two runs start at once, one does the work. There is no lease, which would
 * cost two more rows for each action: a Worker knows its own runs, and the cursor's condition refuses other Workers'.
 * @returns the sum of the pages' counts
 */
export async function readTrailOn(services: WriteServices, reader: TrailReader): Promise<number> {
  const { db, clock } = services;
  const runs = underWay.get(db) ?? new Map();
  underWay.set(db, runs);
  const before = runs.get(reader.name);
  const now = clock.now();
  if (before && now - before.since < MOST_MS) {
    before.isAskedAgain = true;
    return 0;
  }
  const run = { since: now, isAskedAgain: false };
  runs.set(reader.name, run);
  try {
    let sum = await readPages(services, reader);
    while (run.isAskedAgain && clock.now() - now < MOST_MS) {
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
      run.isAskedAgain = false;
      sum += await readPages(services, reader);
    }
    return sum;
  } finally {
    if (runs.get(reader.name) === run) runs.delete(reader.name);
  }
}

async function readPages(services: WriteServices, { name, maxPages, readPage }: TrailReader): Promise<number> {
  const { db } = services;
  let sum = 0;
  for (let count = 0; count < maxPages; count++) {
    const position = await findUnread(services, name);
    if (position === undefined) break;
    const { readTo, hasMore, done, conditions = [], statements = [], jobs } = await readPage(position);
    if (readTo === position) break;
    const moveOn = db.update(trailCursors).set({ position: readTo }).where(eq(trailCursors.name, name));
    const { ok } = await runStep(services, {
      conditions: [{ name: "read_already", found: cursorStandsAt(services, name, position) }, ...conditions],
      statements: [moveOn, ...statements],
      jobs,
    });
    if (ok) sum += done;
    // Refused: another run has advanced the cursor, perhaps not as far as the newest entry.
    if (ok && !hasMore) break;
  }
  return sum;
}
