/** What came of a request to somebody else's system. */
export type WebhookAnswer = {
  /** HTTP status; null where no answer came. */
  status: number | null;
  /** The beginning of the answer; empty where none came. */
  body: string;
  /** Why it does not count, in a sentence; null for an answer of 2xx. */
  problem: string | null;
  durationMs: number;
};

/** Sends an event to an address that a customer chose. Never throws for what the other side does or is. */
export interface WebhookTransport {
  post(request: { url: string; headers: Readonly<Record<string, string>>; body: string }): Promise<WebhookAnswer>;
}
