/** Runs a statement with its values, and answers rows as lists; integers are bigint. */
export type Ask = (sql: string, args?: readonly unknown[]) => Promise<unknown[][]>;

/** A line of a backup: a row, or the header of the next table. */
export type Line = unknown[] | Record<string, unknown>;

export function backupLines(ask: Ask, about: { takenAt: number; source: string }): AsyncGenerator<Line>;

export function restoreStatements(
  lines: AsyncIterable<unknown>,
  options?: {
    tail?: readonly string[];
    onEnd?: (end: { takenAt: number; counts: Record<string, number> }) => void;
  },
): AsyncGenerator<string>;
