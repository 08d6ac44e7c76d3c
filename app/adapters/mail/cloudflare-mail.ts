import * as z from "zod";
import { UpstreamError, type UpstreamErrorKind } from "~/kernel/app-error";
import type { MailTransport } from "~/ports/messages";
import { DEFAULT_TIMEOUT_MS } from "../http-client";

/** The part of a `send_email` binding that is used: its object form. */
export interface SendEmailBinding {
  send(message: {
    from: string;
    to: string;
    subject: string;
    html: string;
    text: string;
    replyTo?: string;
    headers?: Readonly<Record<string, string>>;
  }): Promise<{ messageId: string }>;
}

const sentSchema = z.object({ messageId: z.string().min(1) });

/** Error codes that a retry can solve, once an operator has fixed the sender; every other code is about the message. */
const RETRYABLE_CODES: Record<string, UpstreamErrorKind> = {
  E_RATE_LIMIT_EXCEEDED: "rate_limited",
  E_DAILY_LIMIT_EXCEEDED: "rate_limited",
  E_DELIVERY_FAILED: "unavailable",
  E_INTERNAL_SERVER_ERROR: "unavailable",
  E_SENDER_NOT_VERIFIED: "unavailable",
  E_SENDER_DOMAIN_NOT_AVAILABLE: "unavailable",
};

/**
 * Email through Cloudflare Email Service (developers.cloudflare.com/email-service).
 *
 * The binding knows no idempotency key: a send whose answer was lost goes out twice when repeated. Where that matters,
 * use the HTTP transport.
 */
export function createCloudflareMail(options: {
  binding: SendEmailBinding;
  /** An address of a domain onboarded in Email Service. */
  from: string;
  replyTo?: string;
  timeoutMs?: number;
}): MailTransport {
  const { binding, from, replyTo, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return {
    async send(message) {
      const sent = await withinTime(binding.send({ from, replyTo, ...message }), timeoutMs).catch((error: unknown) => {
        throw toUpstreamError(error);
      });
      const checked = sentSchema.safeParse(sent);
      if (!checked.success) throw new UpstreamError("mail", "malformed", "the answer lacks messageId");
      return { providerMessageId: checked.data.messageId };
    },
  };
}

async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UpstreamError("mail", "timeout", `no answer in ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function toUpstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (!code) return new UpstreamError("mail", "unreachable", "the binding failed", { cause: error });
  return new UpstreamError("mail", RETRYABLE_CODES[code] ?? "rejected", code, { code, cause: error });
}
