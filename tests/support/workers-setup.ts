import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { leaveWhatOthersLeft } from "./left-by-others";
import { checkQueriesAfterEachFile } from "./query-watch";

const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] };

/** This runs before every file; the files share one process and one database. */
const shared = globalThis as { schemaIsThere?: boolean };
if (!shared.schemaIsThere) {
  await applyD1Migrations(DB, TEST_MIGRATIONS);
  // Looked at just now, whatever the clock of a test says: only the tests of restores count beats.
  await DB.exec(`UPDATE database_state SET beatAt = ${Number.MAX_SAFE_INTEGER}`);
  lookForCallersLess();
  dropRequestLines();
}
shared.schemaIsThere = true;
await leaveWhatOthersLeft();
checkQueriesAfterEachFile(DB);

/**
 * The pool looks up who sets a timer, for every timer, although only those without a delay matter to it. Each statement
 * to the database sets one with a delay: the look-ups took a tenth of all the time.
 */
function lookForCallersLess(): void {
  const looking = globalThis.setTimeout;
  const { setTimeout: plain } = Object.getPrototypeOf(globalThis) as typeof globalThis;
  globalThis.setTimeout = ((...args: Parameters<typeof setTimeout>) =>
    args[1] ? plain.apply(globalThis, args) : looking(...args)) as typeof setTimeout;
}

/** Each request to the built Worker leaves a line: thousands, which nobody reads here. A test that does listens itself. */
function dropRequestLines(): void {
  const printed = console.info;
  console.info = (...said: unknown[]) => {
    if (!String(said[0]).includes('"event":"request"')) printed(...said);
  };
}
