import type { Db, Statement } from "./database";
import { isConnectionError, isConstraintError } from "./errors";

const TRIES = 3;

/**
 * Writes everything a command decided in one atomic batch.
 *
 * If the connection is lost, the same batch is tried again. Every batch contains a row with its own id, so if the first
 * try did commit, the second violates a constraint, and `isOurs` finds the row. Other errors are rethrown unchanged.
 *
 * @param isOurs whether the row that only this call could have written exists
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
