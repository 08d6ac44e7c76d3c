import { rowIn } from "@db/database";
import { and, eq, gt, gte, sql } from "drizzle-orm";
import { type Db, prepared, rateCounters } from "./database";

/** The statement that adds `amount` to each key's count in its current fixed window, for a batch. */
export function addHits(db: Db, keys: readonly string[], windowMs: number, now: number, amount = 1) {
  return db
    .insert(rateCounters)
    .values(keys.map((key) => ({ key, count: amount, windowEndsAt: now + windowMs })))
    .onConflictDoUpdate({
      target: rateCounters.key,
      set: {
        count: sql`CASE WHEN ${rateCounters.windowEndsAt} <= ${now} THEN ${amount} ELSE ${rateCounters.count} + ${amount} END`,
        windowEndsAt: sql`CASE WHEN ${rateCounters.windowEndsAt} <= ${now} THEN excluded."windowEndsAt" ELSE ${rateCounters.windowEndsAt} END`,
      },
    })
    .returning({ key: rateCounters.key, count: rateCounters.count, windowEndsAt: rateCounters.windowEndsAt });
}

/**
 * Adds `amount` to a key's count in its current fixed window.
 * @param now epoch milliseconds
 * @returns the count in the window including these, and when the window ends
 */
export async function countHit(
  db: Db,
  key: string,
  windowMs: number,
  now: number,
  amount = 1,
): Promise<{ count: number; windowEndsAt: number }> {
  const none = { count: amount, windowEndsAt: now + windowMs };
  const [{ count, windowEndsAt } = none] = await addHits(db, [key], windowMs, now, amount);
  return { count, windowEndsAt };
}

/** The same for two keys, in one statement. */
export async function countBoth(
  db: Db,
  keys: readonly [string, string],
  windowMs: number,
  now: number,
  amount: number,
) {
  const rows = await addHits(db, keys, windowMs, now, amount);
  const hitsOf = (key: string) =>
    rows.find((row) => row.key === key) ?? { count: amount, windowEndsAt: now + windowMs };
  return [hitsOf(keys[0]), hitsOf(keys[1])] as const;
}

/**
 * Adds to a key's count unless that exceeds the limit; concurrent calls cannot exceed it together.
 * @param windowEndsAt when the count is reset, epoch milliseconds
 * @returns whether it was added
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

/** For a precondition: returns a row unless the key has a count in a window that is still open. */
export function hasNoHits(db: Db, key: string, now: number) {
  const open = rowIn(db, rateCounters).where(and(eq(rateCounters.key, key), gt(rateCounters.windowEndsAt, now)));
  return sql`SELECT 1 WHERE NOT EXISTS ${open}`;
}

/** Reads a key's count in its current window, without adding to it. */
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

/** Subtracts a count added in advance for something that did not happen, in the window `countHit` returned. */
export async function removeHits(db: Db, key: string, windowEndsAt: number, amount = 1): Promise<void> {
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
