/** Classifies failed writes, whichever driver reported them. */

/** The messages of an error and its causes. */
export function textOf(error: unknown): string {
  const parts: string[] = [];
  for (let e = error; e instanceof Error && parts.length < 5; e = e.cause) parts.push(e.message);
  return parts.join(" | ");
}

/** Whether a UNIQUE, CHECK, NOT NULL or FOREIGN KEY constraint rejected the write. */
export function isConstraintError(error: unknown): boolean {
  return /constraint failed|SQLITE_CONSTRAINT/i.test(textOf(error));
}

/** Whether a UNIQUE constraint rejected the write; with `table.column`, that one. */
export function isUniqueError(error: unknown, column?: string): boolean {
  const text = textOf(error);
  return /UNIQUE constraint failed/i.test(text) && (column === undefined || text.includes(column));
}

/** The connection was lost, here or before it: the write may have happened. Try again only with unique ids. */
export function isConnectionError(error: unknown): boolean {
  return /network connection lost|reset because its code was updated|storage caused object to be reset|cannot resolve d1 db due to transient issue|database call timed out|fetch failed|ECONNRE|HTTP status 50[234]/i.test(
    textOf(error),
  );
}

/** A libSQL server is overloaded and ran nothing, so any statement may be tried again. */
function isTurnedAway(error: unknown): boolean {
  return /HTTP status 429/.test(textOf(error));
}

/** Whether the database is too busy; then answer so, and do not retry. */
export function isOverloadError(error: unknown): boolean {
  const isBusy =
    /overloaded|exceeded its (CPU|memory) limit|operation exceeded timeout|SQLITE_BUSY|TRANSACTION_(BUSY|TIMEOUT)/i;
  return isTurnedAway(error) || isBusy.test(textOf(error));
}

/** Whether a statement named a table or column that the database does not have, because its schema is older. */
export function isOlderSchemaError(error: unknown): boolean {
  return /no such (table|column)/i.test(textOf(error));
}
