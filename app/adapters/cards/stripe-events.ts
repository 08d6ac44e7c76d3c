import Stripe from "stripe";
import * as z from "zod";
import { type CardEvent, CardEventRejected } from "~/ports/cards";

/** How old, or how far ahead, a delivery may be (docs.stripe.com/webhooks#replay-attacks). */
const TOLERANCE_SECONDS = 300;

const objectSchema = z.object({
  object: z.string().nullish(),
  id: z.string().nullish(),
  customer: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish(),
});

const eventSchema = z.object({
  id: z.string().min(1).max(200),
  type: z.string().min(1).max(200),
  data: z.object({ object: objectSchema }),
});

/**
 * Checks a delivery with the SDK's own signature check, under any of several secrets (we rotate). The SDK takes a
 * signature from the future; we do not.
 *
 * @throws CardEventRejected
 */
export async function readStripeEvent(
  stripe: Stripe,
  input: { secrets: readonly string[]; rawBody: string; signature: string | null; nowMs: number },
): Promise<CardEvent> {
  const { secrets, rawBody, signature, nowMs } = input;
  if (!signature || isFromTheFuture(signature, nowMs)) throw new CardEventRejected("bad_signature");
  const crypto = Stripe.createSubtleCryptoProvider();
  for (const secret of secrets) {
    try {
      const event = await stripe.webhooks.constructEventAsync(
        rawBody,
        signature,
        secret,
        TOLERANCE_SECONDS,
        crypto,
        nowMs,
      );
      return toCardEvent(event);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      throw error instanceof CardEventRejected ? error : new CardEventRejected("malformed");
    }
  }
  throw new CardEventRejected("bad_signature");
}

function isFromTheFuture(signature: string, nowMs: number): boolean {
  const timestamp = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]);
  return !(timestamp <= Math.floor(nowMs / 1000) + TOLERANCE_SECONDS);
}

function toCardEvent(event: unknown): CardEvent {
  const parsed = eventSchema.safeParse(event);
  if (!parsed.success) throw new CardEventRejected("malformed");
  const { id, type, data } = parsed.data;
  const { object, customer, id: objectId } = data.object;
  return { id, type, customerId: customer ?? (object === "customer" ? objectId : undefined) ?? null };
}
