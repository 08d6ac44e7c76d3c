import * as z from "zod";
import type { SmsTransport } from "~/ports/messages";
import { createHttpClient, type Reached } from "../http-client";

/** No sender, one that cannot send or whose queue is full, a service without one (twilio.com/docs/api/errors). */
const ABOUT_SENDER: ReadonlySet<string> = new Set(["21603", "21606", "21611", "21659", "21660", "21703", "21704"]);

const queuedSchema = z.object({ sid: z.string().min(1) });
const errorSchema = z.object({ code: z.union([z.number(), z.string()]).nullish(), message: z.string().nullish() });

/** Text messages in the shape of Twilio's Messages resource (twilio.com/docs/messaging/api/message-resource). */
export function createTwilioSms(
  options: Reached & {
    /** Without a trailing slash, e.g. "https://api.twilio.com". */
    baseUrl: string;
    accountSid: string;
    authToken: string;
    /** Exactly one of the two: an E.164 number or alphanumeric sender, or a messaging service ("MG..."). */
    sender: { from: string } | { messagingServiceSid: string };
    /** Where the provider posts delivery reports; without it there are none. */
    reportsUrl?: string;
  },
): SmsTransport {
  const client = createHttpClient({
    party: "sms",
    fetch: options.fetch,
    clock: options.clock,
    timeoutMs: options.timeoutMs,
    describeError: (body) => {
      const error = errorSchema.safeParse(body).data;
      return { code: error?.code?.toString(), detail: error?.message ?? undefined };
    },
    // About our account or sender, which an operator can fix, so the message is not dropped.
    classify: ({ status, code }) =>
      [402, 403, 404].includes(status) || ABOUT_SENDER.has(code ?? "") ? "unavailable" : undefined,
  });
  const sender: Record<string, string> =
    "from" in options.sender
      ? { From: options.sender.from }
      : { MessagingServiceSid: options.sender.messagingServiceSid };
  const reports: Record<string, string> = options.reportsUrl ? { StatusCallback: options.reportsUrl } : {};
  return {
    async send({ to, body }) {
      const queued = await client.callJson(
        {
          method: "POST",
          url: `${options.baseUrl}/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}/Messages.json`,
          headers: {
            authorization: `Basic ${btoa(`${options.accountSid}:${options.authToken}`)}`,
            "content-type": "application/x-www-form-urlencoded",
          },
          body: new URLSearchParams({ To: to, ...sender, Body: body, ...reports }).toString(),
        },
        queuedSchema,
      );
      return { providerMessageId: queued.sid };
    },
  };
}
