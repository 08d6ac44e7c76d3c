import { trailCursors } from "@db/schema";
import { eq } from "drizzle-orm";
import { runStep } from "~/modules/commands/run-command.server";
import { runPages } from "~/modules/commands/run-pages.server";
import type { WriteServices } from "~/services";
import { cursorStandsAt, hasNewEntries, readCursor, type TrailReaderName } from "./trail-reading.queries.server";

type Step = Parameters<typeof runStep>[1];

interface ReadPage extends Pick<Step, "statements" | "jobs"> {
  /** The last position that was looked at. */
  readTo: number;
  hasMore: boolean;
  /** What the page counts for in the run's answer. */
  done: number;
}

interface TrailReader {
  name: TrailReaderName;
  maxPages: number;
  /** Looks at the trail behind a position, and says what is to be written for it. */
  readPage(position: number): Promise<ReadPage>;
}

/**
 * Reads on in the audit trail. What a page says and the cursor are one batch, so every act counts once, in the order in
 * which it happened, whatever ended the run. Of two runs at once one does the work.
 * @returns the sum of what the pages count
 */
export async function readTrailOn(services: WriteServices, { name, maxPages, readPage }: TrailReader): Promise<number> {
  const { db } = services;
  // Most acts are told of by the act before them: a lease, which is written, is taken only where there is something new.
  if (!(await hasNewEntries(services, name))) return 0;
  return runPages(services, { lease: name, maxPages }, async () => {
    const position = await readCursor(services, name);
    const { readTo, hasMore, done, statements = [], jobs } = await readPage(position);
    if (readTo === position) return { done: 0, hasMore: false };
    const moveOn = db.update(trailCursors).set({ position: readTo }).where(eq(trailCursors.name, name));
    const { ok } = await runStep(services, {
      conditions: [{ name: "read_already", found: cursorStandsAt(services, name, position) }],
      statements: [moveOn, ...statements],
      jobs,
    });
    return { done: ok ? done : 0, hasMore };
  });
}
