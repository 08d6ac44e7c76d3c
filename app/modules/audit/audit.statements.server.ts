import type { Statement } from "@db/client";
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
    | "verification"
    | "payment"
    | "payment_file"
    | "user"
    | "organization"
    | "session"
    | "api_token"
    | "bank_check"
    | "contact"
    | "job";
  entityId: string;
  /** Old and new values. The caller masks bank numbers (`maskAccountNumber`) and leaves secrets out. */
  details?: Record<string, unknown>;
};

type Acting = { userId: string | null; organizationId: string; origin: Origin };

/** The audit row of an act, for the batch that acts. */
export function recordAudit(
  services: Pick<Services, "db" | "clock" | "ids">,
  acting: Acting,
  entry: AuditEntry,
): Statement {
  return services.db.insert(auditLogs).values({
    id: entry.id ?? services.ids.next(),
    userId: acting.userId,
    organizationId: acting.organizationId,
    action: entry.action,
    entityType: entry.entityType,
    entityId: entry.entityId,
    details: entry.details ?? null,
    ipAddress: acting.origin.ipAddress,
    userAgent: acting.origin.userAgent,
    requestId: acting.origin.requestId,
    createdAt: services.clock.now(),
  });
}
