import type { Statement } from "@db/client";
import { auditLogs, paymentRecords, paymentTransitions } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import type { AuditAction } from "~/modules/audit/audit";
import type { Services } from "~/services";

type Acting = { userId: string | null; organizationId: string; origin: Origin };

const RETURNED: AuditAction = "payment.returned_to_held";
const REASON = "The verification asked for has ended";

/**
 * Puts the payments that waited for a verification back to held, for the batch that ends it. They never authorise
 * themselves: somebody decides with the new evidence. One transition and one audit row each, however many there are.
 */
export function returnRequestedPayments(
  services: Pick<Services, "db" | "clock">,
  acting: Acting,
  verificationId: string,
): Statement[] {
  const { db, clock } = services;
  const now = clock.now();
  const { organizationId, userId, origin } = acting;
  const waiting = and(
    eq(paymentRecords.organizationId, organizationId),
    eq(paymentRecords.verificationId, verificationId),
    eq(paymentRecords.status, "verification_requested"),
  );
  // Rows made inside one statement name themselves after the payment and the version they were made from.
  const rowId = sql<string>`${paymentRecords.id} || ':' || ${paymentRecords.version}`;
  return [
    db.insert(auditLogs).select(
      db
        .select({
          position: sql<number>`NULL`.as("position"),
          id: rowId.as("id"),
          userId: sql<string | null>`${userId}`.as("userId"),
          organizationId: paymentRecords.organizationId,
          action: sql<string>`${RETURNED}`.as("action"),
          entityType: sql<string>`'payment'`.as("entityType"),
          entityId: sql<string>`${paymentRecords.id}`.as("entityId"),
          details: sql<Record<string, unknown>>`json_object('verificationId', ${verificationId})`.as("details"),
          ipAddress: sql<string | null>`${origin.ipAddress}`.as("ipAddress"),
          userAgent: sql<string | null>`${origin.userAgent}`.as("userAgent"),
          requestId: sql<string | null>`${origin.requestId}`.as("requestId"),
          createdAt: sql<number>`${now}`.as("createdAt"),
        })
        .from(paymentRecords)
        .where(waiting),
    ),
    db.insert(paymentTransitions).select(
      db
        .select({
          id: rowId.as("id"),
          organizationId: paymentRecords.organizationId,
          paymentId: sql<string>`${paymentRecords.id}`.as("paymentId"),
          fromVersion: paymentRecords.version,
          fromStatus: paymentRecords.status,
          toStatus: sql<"held">`'held'`.as("toStatus"),
          reason: sql<string>`${REASON}`.as("reason"),
          userId: sql<string | null>`${userId}`.as("userId"),
          createdAt: sql<number>`${now}`.as("createdAt"),
        })
        .from(paymentRecords)
        .where(waiting),
    ),
    db
      .update(paymentRecords)
      .set({ status: "held", version: sql`${paymentRecords.version} + 1`, updatedAt: now })
      .where(waiting),
  ];
}
