/** A path of this site that is safe to redirect to: one leading slash, no host, no backslash, no control characters; else undefined. */
export function safeRedirectPath(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 2_000) return undefined;
  // A browser reads "//host" and "/\host" as another site, and drops tabs and line breaks before it looks.
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value) ? value : undefined;
}
