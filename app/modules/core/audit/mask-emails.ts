import type { Person } from "~/kernel/actor";

/** Email addresses in the details of audit entries, as people other than administrators see them. Pure. */

/** Administrators see the email addresses in audit details; everybody else sees them masked. */
export function seesEmails({ organizationRole }: Pick<Person, "organizationRole">): boolean {
  return organizationRole === "admin";
}

/** The same details with each address as its first letter and its domain; the same object when there is none. */
export function maskEmails<Details>(details: Details): Details {
  const masked = maskValue(details);
  return JSON.stringify(masked) === JSON.stringify(details) ? details : (masked as Details);
}

function maskValue(value: unknown): unknown {
  if (typeof value === "string") return value.split(/(\s)/).map(maskWord).join("");
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskValue(member)]));
}

function maskWord(word: string): string {
  const at = word.lastIndexOf("@");
  if (at < 1) return word;
  const [first = ""] = word;
  return `${first}•••${word.slice(at)}`;
}
