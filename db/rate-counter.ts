import { and, eq, gt, gte, sql } from "drizzle-orm";
import type { Db } from "./client";
import { prepared } from "./prepared";
import { rateCounters } from "./schema";

/** Counts one more happening under a key, or so many, in fixed windows: as a statement, for a batch. */
export function hit(db: Db, key: string, windowMs: number, now: number, amount = 1) {
  return db
    .insert(rateCounters)
    .values({ key, count: amount, windowEndsAt: now + windowMs })
    .onConflictDoUpdate({
      target: rateCounters.key,
      set: {
        count: sql`CASE WHEN ${rateCounters.windowEndsAt} <= ${now} THEN ${amount} ELSE ${rateCounters.count} + ${amount} END`,
        windowEndsAt: sql`CASE WHEN ${rateCounters.windowEndsAt} <= ${now} THEN excluded."windowEndsAt" ELSE ${rateCounters.windowEndsAt} END`,
      },
    })
    .returning({ count: rateCounters.count, windowEndsAt: rateCounters.windowEndsAt });
}

/**
 * Counts one more happening under a key, or so many at once, in fixed windows.
 * @param now epoch milliseconds
 * @returns how many there were in the window with these, and when the window ends
 */
export async function countHit(
  db: Db,
  key: string,
  windowMs: number,
  now: number,
  amount = 1,
): Promise<{ count: number; windowEndsAt: number }> {
  const [row] = await hit(db, key, windowMs, now, amount);
  return row ?? { count: amount, windowEndsAt: now + windowMs };
}

/**
 * Counts so much more under a key, unless that passes the limit: of several at once none passes it together.
 * @param windowEndsAt when what was counted is forgotten, epoch milliseconds
 * @returns whether it was counted
 */
export async function countUpTo(
  db: Db,
  key: string,
  { amount, limit, windowEndsAt }: { amount: number; limit: number; windowEndsAt: number },
): Promise<boolean> {
  if (amount > limit) return false;
  const counted = await db
    .insert(rateCounters)
    .values({ key, count: amount, windowEndsAt })
    .onConflictDoUpdate({
      target: rateCounters.key,
      set: { count: sql`${rateCounters.count} + ${amount}` },
      setWhere: sql`${rateCounters.count} + ${amount} <= ${limit}`,
    })
    .returning({ count: rateCounters.count });
  return counted.length > 0;
}

/** For a precondition: finds a row unless the key was hit in a window that is still open. */
export function unlessHit(db: Db, key: string, now: number) {
  const open = db
    .select({ one: sql`1` })
    .from(rateCounters)
    .where(and(eq(rateCounters.key, key), gt(rateCounters.windowEndsAt, now)));
  return sql`SELECT 1 WHERE NOT EXISTS ${open}`;
}

/** How often a key was hit in its current window, without counting. */
export async function readHits(db: Db, key: string, now: number): Promise<number> {
  const [row] = await counterOf(db).all({ key });
  return row && row.windowEndsAt > now ? row.count : 0;
}

const counterOf = prepared((db) =>
  db
    .select()
    .from(rateCounters)
    .where(eq(rateCounters.key, sql.placeholder("key")))
    .prepare(),
);

/** Takes counts back, of the window that was answered: what was counted before it was known did not happen. */
export async function takeBackHit(db: Db, key: string, windowEndsAt: number, amount = 1): Promise<void> {
  const counted = and(
    eq(rateCounters.key, key),
    eq(rateCounters.windowEndsAt, windowEndsAt),
    gte(rateCounters.count, amount),
  );
  await db
    .update(rateCounters)
    .set({ count: sql`${rateCounters.count} - ${amount}` })
    .where(counted);
}

export async function clearHits(db: Db, key: string): Promise<void> {
  await db.delete(rateCounters).where(eq(rateCounters.key, key));
}
