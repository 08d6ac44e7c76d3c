type MailMessage = {
  /** One address. */
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Further headers, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>>;
};

/** Sends one email. Throws `UpstreamError`. */
export interface MailTransport {
  /** The same `idempotencyKey` (up to 256 characters) never sends a second email within 24 hours. */
  send(message: MailMessage, idempotencyKey: string): Promise<{ providerMessageId: string }>;
}

/** Sends one text message. Throws `UpstreamError`. */
export interface SmsTransport {
  /** `to` is E.164; `body` at most 1,600 characters. The wire has no idempotency key: see the callers for at-most-once. */
  send(message: { to: string; body: string }): Promise<{ providerMessageId: string }>;
}

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

/** Sends an event to an address that a customer chose. Never throws because of anything the other side does. */
export interface WebhookTransport {
  post(request: { url: string; headers: Readonly<Record<string, string>>; body: string }): Promise<WebhookAnswer>;
}
