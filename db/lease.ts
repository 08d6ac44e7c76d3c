import { and, eq, lte } from "drizzle-orm";
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
