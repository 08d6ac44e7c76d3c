/** What the operator is told. */
export type OperatorMessage = {
  /** The same for every try to tell it. */
  id: string;
  state: "started" | "ended";
  /** What was looked at: `mail`, `schedule 7 * * * *`. */
  watched: string;
  detail: string;
  /** Epoch milliseconds. */
  startedAt: number;
  endedAt: number | null;
};

/** Reaches the person who runs the service, by ways that use neither the outbox nor the mail provider. Throws `UpstreamError`. */
export interface Operator {
  /** Says that all is well, to whoever raises the alarm when this is not said any more. */
  beat(): Promise<void>;
  /** @returns false where nobody is to be told */
  tell(message: OperatorMessage): Promise<boolean>;
}
