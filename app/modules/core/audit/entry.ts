import { toIso } from "~/kernel/dates";

/** The exported form of an audit entry, and what its seal is computed from. Pure: no database, no hashing. */

/** `prevHash` of an organisation's first entry. */
export const FIRST_PREV_HASH = "0".repeat(64);

/** An audit row as it is stored. */
export type AuditRow = {
  id: string;
  userId: string | null;
  organizationId: string;
  action: string;
  entityType: string | null;
  entityId: string | null;
  details: Record<string, unknown> | null;
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
};

/** One entry as it leaves us, without its hashes. `seq` counts an organisation's entries: 1, 2, 3 ... */
export function toExportedEntry(row: AuditRow, seq: number) {
  return {
    seq,
    id: row.id,
    createdAt: toIso(row.createdAt),
    organizationId: row.organizationId,
    userId: row.userId,
    action: row.action,
    entityType: row.entityType,
    entityId: row.entityId,
    details: row.details,
    ipAddress: row.ipAddress,
    userAgent: row.userAgent,
    requestId: row.requestId,
  };
}

/**
 * JSON of which there is exactly one spelling: keys sorted by UTF-16 code units, no spaces, null for what is absent;
 * strings and numbers as `JSON.stringify` writes them (RFC 8259; the same as RFC 8785 for such values).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** The text whose SHA-256, in lower-case hexadecimal, is the entry's `hash`. */
export function sealText(row: AuditRow, seq: number, prevHash: string): string {
  return `${prevHash}\n${canonicalJson(toExportedEntry(row, seq))}`;
}
