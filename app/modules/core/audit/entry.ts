import type { auditLogs } from "@db/database";
import { toIso } from "~/kernel/dates";
import { digestEmails, hasDigests, maskEmails } from "~/kernel/email";
import { canonicalJson, sha256Hex } from "~/kernel/encodings";
import type { Person } from "~/services-and-actor";

/** The exported form of an audit entry, and what its seal is computed from. No database. */

/** `prevHash` of an organisation's first entry. */
export const FIRST_PREV_HASH = "0".repeat(64);

export type AuditRow = Omit<typeof auditLogs.$inferSelect, "position" | "emailSalt">;

/** A row ready for sealing, including the salt with which its email addresses are hashed, if it has any. */
export type SealableRow = AuditRow & { emailSalt: string | null };

/** One exported entry without its hashes. `seq` counts an organisation's entries: 1, 2, 3 ... */
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

/** The text whose SHA-256, in lower-case hexadecimal, is the entry's `hash`. */
export function sealText(row: AuditRow, seq: number, prevHash: string): string {
  return `${prevHash}\n${canonicalJson(toExportedEntry(row, seq))}`;
}

/** The row with its details in sealed form: if it has a salt, its email addresses are replaced with digests. */
export const asSealed = async (row: SealableRow): Promise<AuditRow> =>
  row.emailSalt === null ? row : { ...row, details: await digestEmails(row.details, row.emailSalt) };

type Seal = { seq: number; prevHash: string; hash: string };

const hashOf = (row: AuditRow, { seq, prevHash }: Seal): Promise<string> =>
  sha256Hex(new TextEncoder().encode(sealText(row, seq, prevHash)));

/**
 * True if a row is what its seal was computed from. While an upgrade was running, the previous version may have sealed
 * a row with its plain addresses, so both forms are tried. A row whose addresses were replaced with digests has the
 * same hash but has lost the addresses, so it does not count as intact.
 */
export async function isIntact(row: SealableRow, seal: Seal): Promise<boolean> {
  if (row.emailSalt !== null && (await hashOf(await asSealed(row), seal)) === seal.hash) return true;
  return !hasDigests(row.details) && (await hashOf(row, seal)) === seal.hash;
}

/** Only administrators see the email addresses in audit details; everybody else sees them masked. */
export function seesEmails({ organizationRole }: Pick<Person, "organizationRole">): boolean {
  return organizationRole === "admin";
}

/**
 * A sealed row for a reader. `whole` shows its email addresses, with the salt that proves them. Other readers see
 * digests, from which the hash can still be verified. If the row was sealed with its plain addresses, other readers see
 * them masked and cannot verify the hash (`isMasked`).
 */
export async function forReader(row: SealableRow, seal: Seal, { whole }: { whole: boolean }) {
  const { emailSalt } = row;
  const masked = maskEmails(row.details);
  if (whole || masked === row.details) return { row, salt: whole ? emailSalt : null, isMasked: false };
  const isMasked = emailSalt === null || (await hashOf(row, seal)) === seal.hash;
  return { row: isMasked ? { ...row, details: masked } : await asSealed(row), salt: null, isMasked };
}
