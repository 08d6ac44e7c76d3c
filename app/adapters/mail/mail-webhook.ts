import * as z from "zod";
import type { EmailReport } from "~/modules/messages/notifications/delivery-reports.server";
import { readStandardWebhook, type SignedDelivery, WebhookRejected } from "../standard-webhook";

export { WebhookRejected };

const MAX = 500;
const text = z.string().min(1).max(MAX);

const eventSchema = z.object({
  type: text,
  data: z.object({
    email_id: text,
    to: z.preprocess((to) => (typeof to === "string" ? [to] : to), z.array(text).min(1).max(50)),
    bounce: z.object({ type: z.string().max(MAX).nullish(), message: z.string().nullish() }).nullish(),
    failed: z.object({ reason: z.string().nullish() }).nullish(),
    suppressed: z.object({ reason: z.string().nullish(), message: z.string().nullish() }).nullish(),
  }),
});

const MAX_DETAIL = 200;

/**
 * Reads a delivery report in the format of Resend (resend.com/docs/webhooks/emails), signed by Standard Webhooks.
 * Undefined for other events, e.g. that an email was opened.
 *
 * A bounce is permanent unless the provider calls it transient or undetermined.
 * @throws WebhookRejected
 */
export async function readMailWebhook(delivery: SignedDelivery): Promise<EmailReport | undefined> {
  const { payload } = await readStandardWebhook(delivery);
  const type = z.object({ type: z.string() }).safeParse(payload).data?.type;
  if (type === undefined) throw new WebhookRejected("malformed");
  if (!/^email\.(delivered|bounced|complained|failed|suppressed)$/.test(type)) return undefined;
  const event = eventSchema.safeParse(payload);
  if (!event.success) throw new WebhookRejected("malformed");
  const { email_id: messageId, to, bounce, failed, suppressed } = event.data.data;
  const [address = ""] = to;
  const detail = (bounce?.message ?? suppressed?.message ?? failed?.reason)?.slice(0, MAX_DETAIL) ?? null;
  return { messageId, to: address, outcome: outcomeOf(type, bounce?.type, suppressed?.reason), detail };
}

type Word = string | null | undefined;

/** A suppressed email was for an address that bounced for good or complained, so the provider sent nothing. */
function outcomeOf(type: string, bounceType: Word, suppressedFor: Word): EmailReport["outcome"] {
  if (type === "email.delivered") return "delivered";
  if (type === "email.complained") return "complained";
  if (type === "email.suppressed") return suppressedFor === "previous_complaint" ? "complained" : "bounced";
  const isForGood = type === "email.bounced" && !/^(transient|undetermined)$/i.test(bounceType ?? "");
  return isForGood ? "bounced" : "failed";
}
