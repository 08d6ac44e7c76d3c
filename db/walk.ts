import { eq } from "drizzle-orm";
import type { Db } from "./client";
import { walkCursors } from "./schema";

/** Where a walk over many rows stands: the key to go on after, empty at the beginning, and when it began. */
export type Walk = { name: string; key: string; startedAt: number };

/**
 * A schedule's walk that takes several runs: where to go on, or the beginning of the next walk.
 *
 * @param now epoch milliseconds
 * @param everyMs a walk begins no sooner than so long after the one before began
 * @returns undefined while there is nothing to do
 */
export async function findWalk(db: Db, name: string, now: number, everyMs: number): Promise<Walk | undefined> {
  const [last] = await db.select().from(walkCursors).where(eq(walkCursors.name, name));
  if (last && last.finishedAt === null) return { name, key: last.key, startedAt: last.startedAt };
  if (last && now - last.startedAt < everyMs) return undefined;
  return { name, key: "", startedAt: now };
}

/** Keeps how far a walk has come. @param finishedAt null while there is more */
export async function saveWalk(db: Db, { name, ...reached }: Walk, finishedAt: number | null): Promise<void> {
  const row = { ...reached, finishedAt };
  await db
    .insert(walkCursors)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: walkCursors.name, set: row });
}
