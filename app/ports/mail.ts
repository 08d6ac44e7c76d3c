type MailMessage = {
  /** One address. */
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Further headers, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>>;
};

/** Sends one mail. Throws `UpstreamError`. */
export interface MailTransport {
  /** The same `idempotencyKey` (up to 256 characters) never sends a second mail within 24 hours. */
  send(message: MailMessage, idempotencyKey: string): Promise<{ providerMessageId: string }>;
}
