/** Joins class names, leaving out whatever a condition turned off. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
