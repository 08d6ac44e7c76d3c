const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * True for a UUID in canonical form: lower-case hexadecimal, grouped 8-4-4-4-12, of any version. Keeps invalid keys
 * from reaching the database. Source: RFC 9562, section 4.
 */
export function isId(text: string): boolean {
  return UUID.test(text);
}
