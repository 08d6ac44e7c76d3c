import type { SmsReport } from "~/modules/messages/notifications/delivery-reports.server";

/** A report that failed verification. */
export class SmsReportRejected extends Error {
  override readonly name = "SmsReportRejected";
}

type Posted = {
  /** Any of these may have signed it; the first is current. */
  authTokens: readonly string[];
  signature: string | null;
  /** The whole address that the provider posts to, as it was given with the message. */
  url: string;
  form: URLSearchParams;
};

/**
 * Reads a delivery report of a text message in Twilio's format. Undefined for an intermediate status.
 *
 * The signature is the base64 of HMAC-SHA1, keyed with the account's token, of the address followed by every field's
 * name and value, sorted by name (twilio.com/docs/usage/security).
 * @throws SmsReportRejected for an invalid signature, or a report without a message
 */
export async function readSmsReport({ authTokens, signature, url, form }: Posted): Promise<SmsReport | undefined> {
  const fields = [...form].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const signed = new TextEncoder().encode(url + fields.map(([name, value]) => name + value).join(""));
  if (!(await isSigned(authTokens, signature ?? "", signed))) throw new SmsReportRejected("bad_signature");
  const messageId = form.get("MessageSid") ?? "";
  const status = form.get("MessageStatus") ?? "";
  if (!/^[\w-]{1,100}$/.test(messageId)) throw new SmsReportRejected("malformed");
  if (status === "delivered") return { messageId, isDelivered: true, code: null };
  if (status !== "undelivered" && status !== "failed") return undefined;
  const code = form.get("ErrorCode") ?? "";
  return { messageId, isDelivered: false, code: /^\d{1,10}$/.test(code) ? code : null };
}

async function isSigned(tokens: readonly string[], signature: string, signed: Uint8Array<ArrayBuffer>) {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.from(atob(signature), (letter) => letter.charCodeAt(0));
  } catch {
    return false;
  }
  for (const token of tokens) {
    const raw = new TextEncoder().encode(token);
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-1" }, false, ["verify"]);
    // `verify` compares in constant time.
    if (await crypto.subtle.verify("HMAC", key, bytes, signed)) return true;
  }
  return false;
}
