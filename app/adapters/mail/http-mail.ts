import * as z from "zod";
import type { MailTransport } from "~/ports/mail";
import type { Clock } from "~/services";
import { createHttpClient, type Fetch } from "../http-client";

export type HttpMailOptions = {
  /** Without a trailing slash, e.g. "https://api.resend.com". */
  baseUrl: string;
  apiKey: string;
  /** An address, or "Name <address>". */
  from: string;
  replyTo?: string;
  fetch: Fetch;
  clock: Clock;
  timeoutMs?: number;
};

const sentSchema = z.object({ id: z.string().min(1) });
const errorSchema = z.object({ name: z.string().nullish(), message: z.string().nullish() });

/**
 * 403 is about our key or our domain, and so is a sender that is not accepted: an operator can mend them. A 409 may only mean
 * that the first request with this key is still being worked on, or that a sender of ours was changed between two tries, which
 * the provider takes once the key is forgotten. None is a reason to drop the email (resend.com/docs/api-reference/errors).
 */
const NOT_THE_EMAIL: ReadonlySet<string> = new Set([
  "concurrent_idempotent_requests",
  "invalid_idempotent_request",
  "invalid_from_address",
]);

/**
 * Email over HTTP in the shape of Resend (resend.com/docs/api-reference/emails/send-email), which others speak too.
 *
 * The key travels as `Idempotency-Key`: the provider answers a repeat within 24 hours without sending again.
 */
export function createHttpMail(options: HttpMailOptions): MailTransport {
  const client = createHttpClient({
    party: "mail",
    fetch: options.fetch,
    clock: options.clock,
    timeoutMs: options.timeoutMs,
    describeError: (body) => {
      const error = errorSchema.safeParse(body).data;
      return { code: error?.name ?? undefined, detail: error?.message ?? undefined };
    },
    classify: ({ status, code }) => (status === 403 || NOT_THE_EMAIL.has(code ?? "") ? "unavailable" : undefined),
  });
  return {
    async send({ to, subject, html, text, headers }, idempotencyKey) {
      const sent = await client.callJson(
        {
          method: "POST",
          url: `${options.baseUrl}/emails`,
          headers: {
            authorization: `Bearer ${options.apiKey}`,
            "content-type": "application/json",
            "idempotency-key": idempotencyKey,
          },
          body: JSON.stringify({
            from: options.from,
            to: [to],
            subject,
            html,
            text,
            reply_to: options.replyTo,
            headers,
          }),
        },
        sentSchema,
      );
      return { providerMessageId: sent.id };
    },
  };
}
