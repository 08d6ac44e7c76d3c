import { formatDateTime, formatRelative, toIso } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { findEntityPath } from "~/kernel/paths/entity-path";
import { clip } from "~/kernel/text";
import { type AuditEntry, sentenceOf } from "./audit.json";
import { maskEmails } from "./mask-emails";

const MAX_VALUE = 160;

const LABELS: Readonly<Record<string, string>> = {
  payee: "Payee",
  verification: "Verification",
  payment: "Payment",
};

/** One line of the audit page, ready to read. */
export function toAuditLine(entry: AuditEntry, zone: { timeZone: string; now: number }, { whole }: { whole: boolean }) {
  const details = whole ? entry.details : maskEmails(entry.details);
  const label = LABELS[entry.entityType ?? ""];
  const href = findEntityPath(entry);
  return {
    id: entry.id,
    when: {
      dateTime: toIso(entry.createdAt),
      exact: formatDateTime(entry.createdAt, zone.timeZone),
      relative: formatRelative(entry.createdAt, zone.now),
    },
    who: entry.user,
    what: sentenceOf(entry.action),
    about: label && href ? { label, href } : null,
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

/** The addresses of an export that is downloaded in parts of this size. */
export function exportParts(count: number, size: number): { href: string; label: string }[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, part) => ({
    href: `${appPaths.auditExport}?after=${part * size}`,
    label: `entries ${part * size + 1} to ${Math.min(count, (part + 1) * size)}`,
  }));
}
