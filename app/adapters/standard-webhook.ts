/** A webhook that failed verification. Nothing in it may be stored. */
export class WebhookRejected extends Error {
  override readonly name = "WebhookRejected";

  constructor(readonly reason: "missing_headers" | "bad_signature" | "too_old" | "malformed") {
    super(`webhook rejected: ${reason}`);
  }
}

export type SignedDelivery = {
  secrets: readonly string[];
  headers: Headers;
  /** The body as received, before any parsing. */
  rawBody: string | Uint8Array;
  nowMs: number;
  toleranceSeconds?: number;
};

const DEFAULT_TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = "whsec_";
const SIGNATURE_VERSION = "v1,";
/** Senders that use Svix's own names, which came first, sign in the same way. */
const PREFIXES = ["webhook", "svix"] as const;

/**
 * Checks a delivery by Standard Webhooks (standardwebhooks.com): HMAC-SHA-256 of `id.timestamp.body`, keyed with the
 * base64 after "whsec_". Any of several signatures (the sender rotates) under any of several secrets (we rotate) will do.
 * The package of that name is not used here because it reads the system clock.
 *
 * `too_old` also means too far in the future.
 * @returns the delivery's id, the same on every retry, and its body as JSON
 * @throws WebhookRejected
 */
export async function readStandardWebhook(delivery: SignedDelivery): Promise<{ webhookId: string; payload: unknown }> {
  const { headers, rawBody, secrets, nowMs } = delivery;
  const prefix = PREFIXES.find((each) => headers.has(`${each}-id`)) ?? "webhook";
  const webhookId = headers.get(`${prefix}-id`);
  const timestamp = headers.get(`${prefix}-timestamp`);
  const signatures = headers.get(`${prefix}-signature`);
  if (!webhookId || !timestamp || !signatures) throw new WebhookRejected("missing_headers");
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRejected("malformed");

  const body = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody;
  const signed = concat(new TextEncoder().encode(`${webhookId}.${timestamp}.`), body);
  if (!(await isSigned(secrets, signatures.split(" "), signed))) throw new WebhookRejected("bad_signature");

  const toleranceMs = (delivery.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS) * 1000;
  if (Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs) throw new WebhookRejected("too_old");
  return { webhookId, payload: parsePayload(body) };
}

async function isSigned(secrets: readonly string[], signatures: string[], signed: Uint8Array<ArrayBuffer>) {
  for (const secret of secrets) {
    const key = await importKey(secret);
    for (const signature of signatures) {
      const bytes = signature.startsWith(SIGNATURE_VERSION) && fromBase64(signature.slice(SIGNATURE_VERSION.length));
      // `verify` compares in constant time.
      if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return true;
    }
  }
  return false;
}

async function importKey(secret: string): Promise<CryptoKey> {
  const key = fromBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (!key?.length) throw new Error("A webhook secret is not base64");
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function parsePayload(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new WebhookRejected("malformed");
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
