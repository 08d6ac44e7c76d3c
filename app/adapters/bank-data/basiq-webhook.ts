import * as z from "zod";
import { readStandardWebhook, WebhookRejected } from "../standard-webhook";

export { WebhookRejected };

export type BasiqWebhook = {
  /** Unique per message and the same on every retry: what to deduplicate by. */
  webhookId: string;
  eventId: string;
  /** E.g. "connection.created". */
  eventTypeId: string;
};

const payloadSchema = z.object({ eventId: z.string().min(1).max(200), eventTypeId: z.string().min(1).max(200) });

/** A delivery of the bank-data provider, signed by Standard Webhooks. Throws `WebhookRejected`. */
export async function verifyBasiqWebhook(input: {
  secret: string | readonly string[];
  headers: Headers;
  /** The body as received, before any parsing. */
  rawBody: string | Uint8Array;
  nowMs: number;
  toleranceSeconds?: number;
}): Promise<BasiqWebhook> {
  const { secret, ...delivery } = input;
  const secrets = typeof secret === "string" ? [secret] : secret;
  const { webhookId, payload } = await readStandardWebhook({ ...delivery, secrets });
  const event = payloadSchema.safeParse(payload);
  if (!event.success) throw new WebhookRejected("malformed");
  const { eventId, eventTypeId } = event.data;
  return { webhookId, eventId, eventTypeId };
}
