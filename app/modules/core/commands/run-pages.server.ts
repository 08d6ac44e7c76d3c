import { releaseLease, takeLease } from "@db/lease";
import { MINUTE_MS } from "~/kernel/dates";
import type { WriteServices } from "~/services";

interface Run {
  lease: string;
  /** What one run does at most; the next goes on from there. */
  maxPages: number;
  /** How long another run stays away from a run that died, in milliseconds. */
  leaseMs?: number;
}

/**
 * Work that goes on in pages, each a batch of its own: of two runs at once one does the work, and a run that dies loses
 * nothing that it has written.
 * @returns the sum of what the pages say they did
 */
export async function runPages(
  { db, clock, ids }: WriteServices,
  { lease: name, maxPages, leaseMs = MINUTE_MS }: Run,
  nextPage: () => Promise<{ done: number; hasMore: boolean }>,
): Promise<number> {
  const holder = ids.next();
  if (!(await takeLease(db, { name, holder, now: clock.now(), ttlMs: leaseMs }))) return 0;
  let sum = 0;
  try {
    for (let count = 0; count < maxPages; count++) {
      const { done, hasMore } = await nextPage();
      sum += done;
      if (!hasMore) break;
    }
  } finally {
    await releaseLease(db, name, holder);
  }
  return sum;
}
