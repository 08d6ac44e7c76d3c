const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * True for a UUID in canonical form: lower-case hexadecimal, grouped 8-4-4-4-12, of any version. Keeps invalid keys
 * from reaching the database. Source: RFC 9562, section 4.
 */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** Ids begin with their time (UUID version 7), 48 bits of milliseconds, so a range of dates is a range of ids. */
export function firstIdOf(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
