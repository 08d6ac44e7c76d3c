import { formatDateTime, formatRelative, toIso } from "~/kernel/dates";
import { clip } from "~/kernel/text";
import { type AuditEntry, sentenceOf } from "./audit.json";
import { maskEmails } from "./mask-emails";

const MAX_VALUE = 160;

/** Where the things that acts are about have their pages. */
const PATHS: Readonly<Record<string, { label: string; path: string }>> = {
  payee: { label: "Payee", path: "/payees" },
  verification: { label: "Verification", path: "/verifications" },
  payment: { label: "Payment", path: "/payments" },
};

/** One line of the audit page, ready to read. */
export function toAuditLine(entry: AuditEntry, zone: { timeZone: string; now: number }, { whole }: { whole: boolean }) {
  const details = whole ? entry.details : maskEmails(entry.details);
  const page = PATHS[entry.entityType ?? ""];
  return {
    id: entry.id,
    when: {
      dateTime: toIso(entry.createdAt),
      exact: formatDateTime(entry.createdAt, zone.timeZone),
      relative: formatRelative(entry.createdAt, zone.now),
    },
    who: entry.user,
    what: sentenceOf(entry.action),
    about: page && entry.entityId ? { label: page.label, href: `${page.path}/${entry.entityId}` } : null,
    details: Object.entries(details ?? {}).flatMap(toDetail),
    ipAddress: entry.ipAddress,
    seq: entry.seal?.seq ?? null,
  };
}

export type AuditLine = ReturnType<typeof toAuditLine>;

/** `addToGlobalWhitelist: true` reads "add to global whitelist: yes". Ids and what is absent say nothing to people. */
function toDetail([key, value]: [string, unknown]): { term: string; value: string }[] {
  if (value === null || value === undefined || /Id$/.test(key)) return [];
  const term = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return [{ term, value: clip(wordsOf(value), MAX_VALUE) }];
}

function wordsOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(wordsOf).join("; ");
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .map(([key, member]) => `${key} ${wordsOf(member)}`)
      .join(", ");
  }
  return "none";
}
