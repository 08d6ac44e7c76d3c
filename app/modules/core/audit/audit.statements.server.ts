import type { Statement } from "@db/client";
import { insertRows } from "@db/insert-rows";
import { auditLogs } from "@db/schema";
import type { Origin } from "~/kernel/actor";
import type { Services } from "~/services";
import type { AuditAction } from "./audit";

export type AuditEntry = {
  /** Given by a command that must find its own row again; else a new one. */
  id?: string;
  action: AuditAction;
  entityType:
    | "payee"
    | "payee_request"
    | "bulk_check"
    | "verification"
    | "payment"
    | "payment_file"
    | "import"
    | "user"
    | "organization"
    | "session"
    | "api_token"
    | "bank_check"
    | "contact"
    | "bsb_directory"
    | "job"
    | "webhook_endpoint"
    | "integration";
  entityId: string;
  /** Old and new values. The caller masks bank numbers (`maskAccountNumber`) and leaves secrets out. */
  details?: Record<string, unknown>;
};

export type Acting = { userId: string | null; organizationId: string; origin: Origin };

type Recording = Pick<Services, "db" | "clock" | "ids">;

/** The audit row of an act, for the batch that acts. */
export const recordAudit = (services: Recording, acting: Acting, entry: AuditEntry): Statement =>
  services.db.insert(auditLogs).values(toRow(services, acting, entry));

/** The audit rows of a command that may have hundreds, in as few statements as they fit. */
export const recordAudits = (
  services: Recording,
  entries: readonly { acting: Acting; entry: AuditEntry }[],
): Statement[] =>
  insertRows(
    services.db,
    auditLogs,
    entries.map(({ acting, entry }) => toRow(services, acting, entry)),
  );

function toRow({ clock, ids }: Recording, { userId, organizationId, origin }: Acting, entry: AuditEntry) {
  const { ipAddress, userAgent, requestId } = origin;
  const { id = ids.next(), action, entityType, entityId, details = null } = entry;
  const what = { id, action, entityType, entityId, details };
  return { ...what, userId, organizationId, ipAddress, userAgent, requestId, createdAt: clock.now() };
}
