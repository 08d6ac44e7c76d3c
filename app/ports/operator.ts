/** A notification to the operator. */
export type OperatorMessage = {
  /** The same for every attempt. */
  id: string;
  state: "started" | "ended";
  /** What was checked, e.g. `mail` or `schedule 7 * * * *`. */
  watched: string;
  detail: string;
  /** Epoch milliseconds. */
  startedAt: number;
  endedAt: number | null;
};

/** Reaches the operator without using the outbox or the mail provider. Throws `UpstreamError`. */
export interface Operator {
  /** Sends the heartbeat to the monitor that alerts when heartbeats stop. */
  beat(): Promise<void>;
  /** @returns false if no operator address is configured */
  tell(message: OperatorMessage): Promise<boolean>;
}

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
