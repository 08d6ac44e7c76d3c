import * as z from "zod";
import type { MailTransport } from "~/ports/messages";
import { createHttpClient, type Reached } from "../http-client";

const sentSchema = z.object({ id: z.string().min(1) });
const errorSchema = z.object({ name: z.string().nullish(), message: z.string().nullish() });

/**
 * 403 is about our key or domain, and so is a rejected sender: an operator can fix both. A 409 may only mean that the
 * first request with this key is still running, or that our sender changed between two attempts, which the provider
 * accepts once the key has expired. None is a reason to drop the email (resend.com/docs/api-reference/errors).
 */
const NOT_THE_EMAIL: ReadonlySet<string> = new Set([
  "concurrent_idempotent_requests",
  "invalid_idempotent_request",
  "invalid_from_address",
]);

/**
 * Email through Resend's HTTP API (resend.com/docs/api-reference/emails/send-email), which other providers offer too.
 *
 * The key is sent as `Idempotency-Key`: the provider answers a repeat within 24 hours without sending again.
 */
export function createHttpMail(
  options: Reached & {
    /** Without a trailing slash, e.g. "https://api.resend.com". */
    baseUrl: string;
    apiKey: string;
    /** An address, or "Name <address>". */
    from: string;
    replyTo?: string;
  },
): MailTransport {
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
