import { and, eq, lte, sql } from "drizzle-orm";
import { type Db, leases } from "./database";

/**
 * Takes a named lease by compare-and-set: one holder has it at a time, until it is released or expires.
 * @param holder an id that no other holder uses
 * @param now epoch milliseconds
 */
export async function takeLease(
  db: Db,
  { name, holder, now, ttlMs }: { name: string; holder: string; now: number; ttlMs: number },
): Promise<boolean> {
  const until = now + ttlMs;
  const taken = await db
    .insert(leases)
    .values({ name, holder, until })
    .onConflictDoUpdate({ target: leases.name, set: { holder, until }, setWhere: lte(leases.until, now) })
    .returning({ holder: leases.holder });
  return taken.length > 0;
}

export async function releaseLease(db: Db, name: string, holder: string): Promise<void> {
  await db.delete(leases).where(and(eq(leases.name, name), eq(leases.holder, holder)));
}

/**
 * Reserves the next turn in a queue whose turns are `everyMs` apart, across all processes. The row stores when the
 * following turn begins.
 * @param withinMs the longest wait; beyond it, no turn is given
 * @returns when the turn begins, epoch milliseconds
 */
export async function takeTurn(
  db: Db,
  { name, everyMs, withinMs, now }: { name: string; everyMs: number; withinMs: number; now: number },
): Promise<number | undefined> {
  const [taken] = await db
    .insert(leases)
    .values({ name, holder: "turns", until: now + everyMs })
    .onConflictDoUpdate({
      target: leases.name,
      set: { until: sql`max(${leases.until}, ${now}) + ${everyMs}` },
      setWhere: lte(leases.until, now + withinMs),
    })
    .returning({ until: leases.until });
  return taken && taken.until - everyMs;
}
