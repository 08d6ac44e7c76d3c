const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Milliseconds to wait, from a Retry-After header: whole seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * Undefined when absent or unreadable; never negative, never more than a day.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  if (Number.isNaN(waitMs)) return undefined;
  return Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}
