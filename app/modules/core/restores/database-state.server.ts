import { commit } from "@db/commit";
import { auditLogs, databaseState, restores, sessions, trailCursors } from "@db/database";
import { FRESH_MS } from "@db/database-gate";
import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import type { ReadServices, Services } from "~/services-and-actor";

/*
 * Detects whether the database was restored to an earlier moment. It counts a beat every half minute, and each beat
 * is also noted outside the database. A restored database has fewer beats than were noted. Its last beat is also
 * old, so the first write triggers this check.
 */

type Watching = Pick<Services, "db" | "clock" | "ids" | "log" | "notes">;

/** `on_hold`: restored, and no operator has released the app. `unknown`: it may be: an old beat, unreadable notes. */
export type DatabaseStanding = "in_use" | "on_hold" | "unknown";

const BEAT = "beat";
const beatSchema = z.object({ beat: z.number().int(), at: z.number() });
export type Beat = z.infer<typeof beatSchema>;

export async function readState({ db }: ReadServices) {
  const [state] = await db.select().from(databaseState).where(eq(databaseState.id, 1));
  if (!state) throw new Error("the database does not say which moment it is at");
  return state;
}

/** The last noted beat; undefined if none was ever noted. */
export async function readNotedBeat({ notes }: Pick<Services, "notes">): Promise<Beat | undefined> {
  const text = await notes.read(BEAT);
  return text === null ? undefined : beatSchema.parse(JSON.parse(text));
}

export const noteBeat = ({ notes }: Pick<Services, "notes">, beat: Beat): Promise<void> =>
  notes.write(BEAT, JSON.stringify(beat));

/**
 * Compares the database with the notes outside it, and counts a beat if they agree. If it was restored, puts the app on
 * hold, once, whichever process notices it.
 */
export async function checkDatabase(services: Watching): Promise<DatabaseStanding> {
  const { clock, log } = services;
  // Read the note before the database: if another process counts and notes a beat in between, the database is ahead,
  // which does not look like a restore.
  const noted = await readNotedBeat(services).catch((error) => {
    log.error("outside_notes.unreadable", { error: String(error) });
    return null;
  });
  const state = await readState(services);
  if (state.restoreId !== null) return "on_hold";
  const now = clock.now();
  // With a short gap since the last beat, a restore can have erased no more than the gap.
  if (noted === null && now - state.beatAt > FRESH_MS) return "unknown";
  if (noted && noted.beat > state.beat) {
    await putOnHold(services, state, noted);
    return "on_hold";
  }
  const next = { beat: state.beat + 1, at: Math.max(now, state.beatAt) };
  const mine = services.db
    .update(databaseState)
    .set({ beat: next.beat, beatAt: next.at })
    .where(and(eq(databaseState.id, 1), eq(databaseState.beat, state.beat), isNull(databaseState.restoreId)));
  await commit(services.db, [mine], async () => true);
  const written = await readState(services);
  if (written.restoreId !== null) return "on_hold";
  await noteBeat(services, { beat: Math.min(written.beat, next.beat), at: next.at }).catch((error) =>
    log.error("outside_notes.not_written", { error: String(error) }),
  );
  return "in_use";
}

/**
 * The database has fewer beats than were noted. Ends all sessions, because some were ended during the lost period.
 * Moves the readers of the trail that notify people to its end, because people may already have been told.
 */
async function putOnHold({ db, clock, ids, log }: Watching, state: { beat: number; beatAt: number }, noted: Beat) {
  const id = ids.next();
  const now = clock.now();
  const isMine = sql`SELECT 1 FROM ${databaseState} WHERE "id" = 1 AND "restoreId" = ${id}`;
  const until = Math.min(now, noted.at + FRESH_MS);
  await commit(
    db,
    [
      db
        .update(databaseState)
        .set({ restoreId: id })
        .where(and(eq(databaseState.id, 1), isNull(databaseState.restoreId))),
      db.insert(restores).select(
        sql`SELECT ${id}, 'in_place', ${now}, ${state.beatAt}, ${until}, coalesce((SELECT max("position") FROM ${auditLogs}), 0),
          '', NULL, NULL, NULL, '', NULL, NULL WHERE EXISTS (${isMine})`,
      ),
      db.delete(sessions).where(sql`${sessions.expiresAt} > 0 AND EXISTS (${isMine})`),
      db
        .update(trailCursors)
        .set({ position: sql`coalesce((SELECT max("position") FROM ${auditLogs}), 0)` })
        .where(and(eq(trailCursors.name, "alerts"), sql`EXISTS (${isMine})`)),
    ],
    async () => true,
  );
  log.error("database.restored", { beat: state.beat, noted: noted.beat, lostFrom: state.beatAt, lostUntil: until });
}

const ON_HOLD =
  "PayeeProof is on hold, because its data was put back to an earlier moment or is being moved. You can read everything; nothing can be changed, sent or authorised until our staff release it.";
const UNKNOWN =
  "We cannot tell at the moment whether our database is the newest one. Nothing was changed; please try again in a few minutes.";
const RETRY_AFTER_SECONDS = 300;

/** For a write that was refused because the database may have been restored. @throws AppError 503 ON_HOLD if it was */
export async function requireInUse(services: Watching): Promise<void> {
  const standing = await checkDatabase(services);
  if (standing === "in_use") return;
  throw new AppError("ON_HOLD", standing === "on_hold" ? ON_HOLD : UNKNOWN, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
