import { sha256Hex } from "~/kernel/encodings";
import type { Person } from "~/services-and-actor";

/** Masks email addresses in the details of audit entries for people other than administrators. Pure. */

/** Only administrators see the email addresses in audit details; everybody else sees them masked. */
export function seesEmails({ organizationRole }: Pick<Person, "organizationRole">): boolean {
  return organizationRole === "admin";
}

/** The details with each address reduced to its first letter and domain; the same object when there is none. */
export function maskEmails<Details>(details: Details): Details {
  const masked = mapWords(details, maskWord);
  return JSON.stringify(masked) === JSON.stringify(details) ? details : (masked as Details);
}

function mapWords(value: unknown, map: (word: string) => string): unknown {
  if (typeof value === "string") return value.split(/(\s)/).map(map).join("");
  if (Array.isArray(value)) return value.map((member) => mapWords(member, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapWords(member, map)]));
}

function maskWord(word: string): string {
  if (!isAddress(word)) return word;
  const [first = ""] = word;
  return `${first}•••${word.slice(word.lastIndexOf("@"))}`;
}

const isAddress = (word: string): boolean => word.lastIndexOf("@") > 0;

/**
 * The details with each address masked and followed by `#` and a hexadecimal SHA-256 of the salt, a line end and the
 * address: anybody with the salt and the address can prove that it was there, and nobody else can guess it.
 */
export async function digestEmails<Details>(details: Details, salt: string): Promise<Details> {
  const words = [...new Set(wordsOf(details))].filter(isAddress);
  const encoder = new TextEncoder();
  const digests = new Map(
    await Promise.all(words.map(async (word) => [word, await sha256Hex(encoder.encode(`${salt}\n${word}`))] as const)),
  );
  return mapWords(details, (word) => (isAddress(word) ? `${maskWord(word)}#${digests.get(word)}` : word)) as Details;
}

const DIGEST = /^.•••@[^@]*#[0-9a-f]{64}$/u;

/** True if the details contain a digest in place of an address. */
export const hasDigests = (details: unknown): boolean => wordsOf(details).some((word) => DIGEST.test(word));

function wordsOf(value: unknown): string[] {
  if (typeof value === "string") return value.split(/\s/);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsOf) : [];
}
