import { emailDomain, isEmail, normalizeEmail } from "~/kernel/email";
import type { MailAuthentication } from "~/kernel/enums";

/** The header of an email as a server received it. Pure. */

/** In the order of the message, folded lines joined. Names in lower case. */
export type MailHeader = { name: string; value: string };

/** No honest header is longer; what is beyond counts as the body. */
const MAX_HEAD = 256 * 1024;
const LF = 10;
const CR = 13;

/** Where the header ends: at the first empty line. */
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

/** Every value of a header, in order. */
export const valuesOf = (headers: readonly MailHeader[], name: string): string[] =>
  headers.flatMap((header) => (header.name === name ? [header.value] : []));

/** Without quoted texts and comments, which a sender fills as they like. */
function withoutWords(value: string): string {
  let text = value.replace(/"(?:[^"\\]|\\.)*"/g, " ");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/\([^()]*\)/g, " ");
  }
  return text;
}

/** The one address that the message says it is from. Null: none, several, or one that mail programs read in several ways. */
export function senderOf(headers: readonly MailHeader[]): string | null {
  const [from, ...more] = valuesOf(headers, "from");
  if (from === undefined || more.length > 0) return null;
  const text = withoutWords(from).trim();
  const [, bracketed] = /^[^<>,;@]*<([^<>]*)>$/.exec(text) ?? [];
  const address = normalizeEmail(bracketed ?? text);
  return isEmail(address) ? address : null;
}

/** The name under which the platform writes its own results. Source: headers of Cloudflare Email Routing. */
const PLATFORM = "mx.cloudflare.net";
const RESULTS = new Set(["authentication-results", "arc-authentication-results"]);

type DmarcResult = { result: string; domain: string };

/** The result of DMARC in a header that the platform's name stands in. @see RFC 8601 */
function dmarcOf(value: string): DmarcResult | undefined {
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
 * Whether the sender's domain stands by the message, by what the platform found. It writes its header above everything that
 * came with the message, so the uppermost counts. Anybody can write such a header into a message of their own: one that
 * says something else, or that stands below another server's, takes the trust away and never gives it.
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
 * A program wrote it: an answer of somebody who is away, a report that a message could not be delivered, a list. None of
 * them is answered, so that two programs never write to each other. Sources: RFC 3834, RFC 5321 section 4.5.5.
 * @param envelope the sender of the envelope; empty: it is a report
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
