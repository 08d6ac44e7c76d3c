import { asc, eq, gt } from "drizzle-orm";
import { type Db, organizations, walkCursors } from "./database";

/** The position of a walk over many rows: the key to continue after, empty at the beginning, and when it began. */
export type Walk = { name: string; key: string; startedAt: number };

/**
 * A schedule's walk that takes several runs: where to continue, or the beginning of the next walk.
 *
 * @param now epoch milliseconds
 * @param everyMs the minimum time between the beginnings of two walks
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

/** How many organisations are handled together. */
const PAGE_SIZE = 50;

/**
 * Continues a walk over all organisations, one page at a time, until `budget` is used up; the next run continues after
 * them.
 * @param visit does the work for a page of ids, and returns its cost in the budget's unit, at least one for each
 */
export async function walkOrganizations(
  db: Db,
  walk: Walk,
  { now, budget }: { now: number; budget: number },
  visit: (organizationIds: string[]) => Promise<number>,
): Promise<void> {
  let key = walk.key;
  for (let left = budget; left > 0; ) {
    const page = await db
      .select({ id: organizations.id })
      .from(organizations)
      .where(gt(organizations.id, key))
      .orderBy(asc(organizations.id))
      .limit(PAGE_SIZE);
    const ids = page.map(({ id }) => id);
    left -= await visit(ids);
    key = ids.at(-1) ?? key;
    if (ids.length < PAGE_SIZE) return saveWalk(db, { ...walk, key }, now);
  }
  await saveWalk(db, { ...walk, key }, null);
}
