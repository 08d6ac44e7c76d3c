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
