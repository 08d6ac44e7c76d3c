import type { Db, Statement } from "./client";
import { isConnectionError, isConstraintError } from "./errors";

const TRIES = 3;

/**
 * One atomic write of everything a command decided.
 *
 * When the connection is lost the same batch is tried again: every batch carries a row with an id of its own, so if the
 * first try did commit, the second fails on a constraint and `isOurs` finds that row. Any other error is thrown as it is.
 *
 * @param isOurs whether the row that only this call could have written is there
 */
export async function commit(db: Db, statements: readonly Statement[], isOurs: () => Promise<boolean>): Promise<void> {
  const [first, ...rest] = statements;
  if (!first) return;
  for (let attempt = 1; ; attempt++) {
    try {
      await db.batch([first, ...rest]);
      return;
    } catch (error) {
      if (isConnectionError(error) && attempt < TRIES) continue;
      if (attempt > 1 && isConstraintError(error) && (await isOurs())) return;
      throw error;
    }
  }
}
