import * as z from "zod";

/** The subject of an event, without data: changes are fetched separately. */
export type XeroEvent = { ledgerId: string; isOfInterest: boolean };

/** The categories that we read; a change of a payment arrives as a change of its bill. */
const READ_CATEGORIES = new Set(["CONTACT", "INVOICE"]);

const eventsSchema = z.object({
  events: z.array(z.object({ tenantId: z.string(), eventCategory: z.string() })).max(10_000),
});

/**
 * Checks `x-xero-signature`: base64 HMAC-SHA-256 of the raw body under the webhook's key (xero-webhooks.yaml). Xero's
 * intent-to-receive check is an ordinary call, with valid and invalid signatures.
 * @returns undefined if the signature is invalid or the body is not a list of events
 */
export async function readXeroEvents(
  keys: readonly string[],
  { rawBody, signature }: { rawBody: string; signature: string | null },
): Promise<XeroEvent[] | undefined> {
  const given = decode(signature ?? "");
  if (!given || !(await isSigned(keys, rawBody, given))) return undefined;
  const body = eventsSchema.safeParse(parseJson(rawBody)).data;
  return body?.events.map(({ tenantId, eventCategory }) => ({
    ledgerId: tenantId,
    isOfInterest: READ_CATEGORIES.has(eventCategory),
  }));
}

async function isSigned(keys: readonly string[], body: string, given: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const bytes = new TextEncoder();
  for (const key of keys) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const verifier = await crypto.subtle.importKey("raw", bytes.encode(key), algorithm, false, ["verify"]);
    if (await crypto.subtle.verify("HMAC", verifier, given, bytes.encode(body))) return true;
  }
  return false;
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
