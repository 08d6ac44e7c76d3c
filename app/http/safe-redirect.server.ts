/**
 * A path on this site that is safe to redirect to: one leading slash, no host, no backslash, no control characters;
 * otherwise undefined.
 */
export function safeRedirectPath(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 2_000) return undefined;
  // Browsers read "//host" and "/\host" as another site, and drop tabs and line breaks first.
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value) ? value : undefined;
}
