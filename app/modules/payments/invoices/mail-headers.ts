import { emailDomain, isEmail, normalizeEmail } from "~/kernel/email";
import type { MailAuthentication } from "~/kernel/enums";

/** The header section of an email as a server received it. Pure. */

/** In the order of the message, with folded lines joined. Names are lower case. */
export type MailHeader = { name: string; value: string };

/** No legitimate header section is longer; anything beyond counts as the body. */
const MAX_HEAD = 256 * 1024;
const LF = 10;
const CR = 13;

/** The end of the header section: the first empty line. */
function endOfHead(bytes: Uint8Array): number {
  const limit = Math.min(bytes.length, MAX_HEAD);
  for (let at = 0; at < limit; at++) {
    if (bytes[at] !== LF) continue;
    if (bytes[at + 1] === LF || (bytes[at + 1] === CR && bytes[at + 2] === LF)) return at + 1;
  }
  return limit;
}

export function splitMail(bytes: Uint8Array<ArrayBuffer>): { headers: MailHeader[]; body: Uint8Array<ArrayBuffer> } {
  const end = endOfHead(bytes);
  const lines = new TextDecoder().decode(bytes.subarray(0, end)).split(/\r?\n/);
  const headers: MailHeader[] = [];
  for (const line of lines) {
    const last = headers.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last) last.value += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon > 0)
      headers.push({ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() });
  }
  return { headers, body: bytes.subarray(end) };
}

/** Every value of the header with this name, in order. */
export const valuesOf = (headers: readonly MailHeader[], name: string): string[] =>
  headers.flatMap((header) => (header.name === name ? [header.value] : []));

/** Removes quoted strings and comments, which the sender can fill with anything. */
function withoutWords(value: string): string {
  let text = value.replace(/"(?:[^"\\]|\\.)*"/g, " ");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/\([^()]*\)/g, " ");
  }
  return text;
}

/** The single address in the From header. Null: none, several, or one that mail programs read in different ways. */
export function senderOf(headers: readonly MailHeader[]): string | null {
  const [from, ...more] = valuesOf(headers, "from");
  if (from === undefined || more.length > 0) return null;
  const text = withoutWords(from).trim();
  const [, bracketed] = /^[^<>,;@]*<([^<>]*)>$/.exec(text) ?? [];
  const address = normalizeEmail(bracketed ?? text);
  return isEmail(address) ? address : null;
}

/** The server name under which the platform reports its results. Source: headers of Cloudflare Email Routing. */
const PLATFORM = "mx.cloudflare.net";
const RESULTS = new Set(["authentication-results", "arc-authentication-results"]);

/** The DMARC result in a header that bears the platform's name. @see RFC 8601 */
function dmarcOf(value: string): { result: string; domain: string } | undefined {
  const [first = "", ...rest] = withoutWords(value)
    .replace(/^\s*i\s*=\s*\d+\s*;/i, "")
    .split(";");
  if (first.trim().split(/\s+/)[0]?.toLowerCase() !== PLATFORM) return undefined;
  const dmarc = rest.map((part) => part.trim().toLowerCase()).filter((part) => /^dmarc\s*=/.test(part));
  const [, result = ""] = /^dmarc\s*=\s*([a-z]+)/.exec(dmarc[0] ?? "") ?? [];
  const [, domain = ""] = /\bheader\.from\s*=\s*@?([^\s;]+)/.exec(dmarc[0] ?? "") ?? [];
  return dmarc.length === 1 ? { result, domain } : { result: "", domain: "" };
}

/**
 * Whether the sender's domain authenticates the message, as the platform reported. The platform puts its header above
 * everything that arrived with the message, so only the topmost header counts. Because anybody can put such a header
 * into their own message, one that is malformed, or below another server's header, means "not authenticated".
 */
export function authenticationOf(headers: readonly MailHeader[]): MailAuthentication {
  const sender = senderOf(headers);
  const secondHop = headers
    .map(({ name }, index) => (name === "received" ? index : -1))
    .filter((index) => index >= 0)[1];
  const found = headers.flatMap(({ name, value }, index) => {
    const dmarc = RESULTS.has(name) ? dmarcOf(value) : undefined;
    return dmarc ? [{ ...dmarc, index }] : [];
  });
  const [own] = found;
  if (!own || own.index > (secondHop ?? headers.length)) return "unknown";
  if (own.result === "fail") return "fail";
  const domain = sender === null ? "" : emailDomain(sender);
  const isPassed = domain !== "" && found.every((each) => each.result === "pass" && each.domain === domain);
  return isPassed ? "pass" : "unknown";
}

/**
 * True if a program wrote the message: an out-of-office reply, a delivery report or a mailing list. Such messages are
 * never answered, so that two programs cannot keep replying to each other. Sources: RFC 3834, RFC 5321 section 4.5.5.
 * @param envelope the envelope sender; empty for a delivery report
 */
export function isAutomatic(headers: readonly MailHeader[], envelope: string): boolean {
  const first = (name: string) => valuesOf(headers, name)[0]?.trim().toLowerCase();
  const has = (name: string) => first(name) !== undefined;
  return (
    /^<?\s*>?$/.test(envelope) ||
    /^<?(?:mailer-daemon|postmaster)@/i.test(envelope) ||
    (first("auto-submitted") ?? "no") !== "no" ||
    has("x-autoreply") ||
    has("x-autorespond") ||
    has("list-id") ||
    has("list-unsubscribe") ||
    has("x-loop") ||
    /^(?:bulk|junk|list|auto_reply)\b/.test(first("precedence") ?? "") ||
    /^multipart\/report\b|^message\/delivery-status\b/.test(first("content-type") ?? "") ||
    /^<?\s*>?$/.test(first("return-path") ?? "unknown") ||
    /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply)@/.test(senderOf(headers) ?? "")
  );
}
