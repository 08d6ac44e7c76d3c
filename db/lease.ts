import { and, eq, lte, sql } from "drizzle-orm";
import type { Db } from "./client";
import { leases } from "./schema";

/**
 * Takes a named lease by compare-and-set: of several at once exactly one has it, until it is released or expires.
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
 * The next turn of a queue in which turns are `everyMs` apart, however many wait in whatever process: a row that holds when the
 * following turn begins.
 * @param withinMs who would wait longer gets none
 * @returns when it begins, epoch milliseconds
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
