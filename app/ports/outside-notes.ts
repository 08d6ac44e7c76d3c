/**
 * Short texts stored outside the database, so that they survive a restore of the database to an earlier moment. A text
 * is readable within about a minute of being written. Every call may throw.
 */
export interface OutsideNotes {
  /** Null: nothing is stored under this key. */
  read(key: string): Promise<string | null>;
  /** @param keptSeconds how long it is stored; indefinitely if omitted */
  write(key: string, text: string, keptSeconds?: number): Promise<void>;
  /** Keys with a prefix, in order. @param cursor from the answer with the previous page */
  list(prefix: string, cursor?: string): Promise<{ keys: string[]; cursor?: string }>;
}
