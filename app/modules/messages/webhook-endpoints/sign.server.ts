const SECRET_BYTES = 32;
const PREFIX = "whsec_";

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** A new secret: "whsec_" and 32 random bytes in base64. Source: Standard Webhooks, section "Secret Key". */
export const newSecret = (): string => PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

async function signatureOf(secret: string, signed: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.slice(PREFIX.length)), (letter) => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, signed)))}`;
}

/**
 * The headers of a delivery by Standard Webhooks (standardwebhooks.com): HMAC-SHA-256 of `id.timestamp.body` under every
 * secret that lives, so that a receiver can change over in its own time.
 */
export async function signedHeaders(
  secrets: readonly string[],
  { eventId, body, nowMs }: { eventId: string; body: string; nowMs: number },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signed = new TextEncoder().encode(`${eventId}.${timestamp}.${body}`);
  const signatures = await Promise.all(secrets.map((secret) => signatureOf(secret, signed)));
  return {
    "content-type": "application/json",
    "user-agent": "PayeeProof-Webhooks/1",
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
