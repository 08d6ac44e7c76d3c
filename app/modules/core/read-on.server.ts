import type { Db } from "@db/client";
import { trailCursors } from "@db/schema";
import { eq } from "drizzle-orm";
import { MINUTE_MS } from "~/kernel/dates";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import { cursorStandsAt, hasNewEntries, readCursor, type TrailReaderName } from "./trail-reading.server";

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

/** Runs of this Worker that are under way, by database and reader, and whether more was written while they ran. */
const underWay = new WeakMap<Db, Map<TrailReaderName, { since: number; isAskedAgain: boolean }>>();
/** A run that was ended with its request says nothing more: after so long another one begins. */
const MOST_MS = MINUTE_MS / 2;

/**
 * Reads on in the audit trail. What a page says and the cursor are one batch, so every act counts once, in the order in
 * which it happened, whatever ended the run, and of two runs at once one does the work. A lease would be two rows more
 * for each act: a Worker knows of its own runs, and the cursor's condition refuses those of others.
 * @returns the sum of what the pages count
 */
export async function readTrailOn(services: WriteServices, reader: TrailReader): Promise<number> {
  const { db, clock } = services;
  const runs = underWay.get(db) ?? new Map();
  underWay.set(db, runs);
  const before = runs.get(reader.name);
  const now = clock.now();
  if (before && now - before.since < MOST_MS) {
    before.isAskedAgain = true;
    return 0;
  }
  const run = { since: now, isAskedAgain: false };
  runs.set(reader.name, run);
  try {
    let sum = await readPages(services, reader);
    while (run.isAskedAgain && clock.now() - now < MOST_MS) {
      run.isAskedAgain = false;
      sum += await readPages(services, reader);
    }
    return sum;
  } finally {
    if (runs.get(reader.name) === run) runs.delete(reader.name);
  }
}

async function readPages(services: WriteServices, { name, maxPages, readPage }: TrailReader): Promise<number> {
  const { db } = services;
  if (!(await hasNewEntries(services, name))) return 0;
  let sum = 0;
  for (let count = 0; count < maxPages; count++) {
    const position = await readCursor(services, name);
    const { readTo, hasMore, done, statements = [], jobs } = await readPage(position);
    if (readTo === position) break;
    const moveOn = db.update(trailCursors).set({ position: readTo }).where(eq(trailCursors.name, name));
    const { ok } = await runStep(services, {
      conditions: [{ name: "read_already", found: cursorStandsAt(services, name, position) }],
      statements: [moveOn, ...statements],
      jobs,
    });
    if (ok) sum += done;
    // Refused: another run has moved on, perhaps not as far as what is written by now.
    if (ok && !hasMore) break;
  }
  return sum;
}
