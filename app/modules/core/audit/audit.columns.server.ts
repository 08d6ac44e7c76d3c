import { auditLogs } from "@db/schema";

/** The columns an entry is exported and sealed from. */
export const auditColumns = {
  id: auditLogs.id,
  userId: auditLogs.userId,
  organizationId: auditLogs.organizationId,
  action: auditLogs.action,
  entityType: auditLogs.entityType,
  entityId: auditLogs.entityId,
  details: auditLogs.details,
  ipAddress: auditLogs.ipAddress,
  userAgent: auditLogs.userAgent,
  requestId: auditLogs.requestId,
  createdAt: auditLogs.createdAt,
};
