/** Sends one text message. Throws `UpstreamError`. */
export interface SmsTransport {
  /** `to` is E.164; `body` at most 1,600 characters. The wire has no idempotency key: see the callers for at-most-once. */
  send(message: { to: string; body: string }): Promise<{ providerMessageId: string }>;
}
