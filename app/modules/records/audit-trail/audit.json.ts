import { toIso } from "~/kernel/dates";
import { maskEmails } from "~/kernel/email";
import { labelIn } from "~/modules/core/audit/details";
import type { AuditRow } from "~/modules/core/audit/entry";
import { AUDIT_ACTIONS } from "./audit-sentence";

/** An audit row with the person who acted and its seal, if it already has one. */
export type AuditEntry = AuditRow & {
  /** Null: the system, or a person without an account. */
  user: { name: string; email: string } | null;
  seal: { seq: number; prevHash: string; hash: string } | null;
};

/** A page of the trail, newest first. `isPartial`: the search limit was reached before the page was full. */
export type AuditPage = { entries: AuditEntry[]; nextCursor: string | null; isPartial: boolean };

/** An audit entry in API form; `whole` shows the email addresses in its details. */
export function toAuditJson(entry: AuditEntry, { whole }: { whole: boolean }) {
  return {
    id: entry.id,
    createdAt: toIso(entry.createdAt),
    organizationId: entry.organizationId,
    userId: entry.userId,
    user: entry.user,
    action: entry.action,
    description: labelIn(AUDIT_ACTIONS, entry.action),
    entityType: entry.entityType,
    entityId: entry.entityId,
    details: whole ? entry.details : maskEmails(entry.details),
    ipAddress: entry.ipAddress,
    userAgent: entry.userAgent,
    requestId: entry.requestId,
    seq: entry.seal?.seq ?? null,
    prevHash: entry.seal?.prevHash ?? null,
    hash: entry.seal?.hash ?? null,
  };
}
