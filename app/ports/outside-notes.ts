/**
 * Short texts that are kept outside the database, so that they are still there after it was put back to an earlier moment.
 * What was written is readable within about a minute. Every call may throw.
 */
export interface OutsideNotes {
  /** Null: nothing was written under this key. */
  read(key: string): Promise<string | null>;
  /** @param keptSeconds how long it is kept; for ever where it is not given */
  write(key: string, text: string, keptSeconds?: number): Promise<void>;
  /** Keys that begin with a prefix, in order. @param cursor what the page before answered */
  list(prefix: string, cursor?: string): Promise<{ keys: string[]; cursor?: string }>;
}
