import type { Statement } from "@db/client";
import { precondition } from "@db/precondition";
import { paymentRecords, paymentTransitions } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import type { PaymentStatus } from "~/kernel/enums";
import type { AuditAction } from "~/modules/audit/audit";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { Services } from "~/services";

type Acting = { userId: string | null; organizationId: string; origin: Origin };

type Seen = { id: string; status: PaymentStatus; version: number };

export type Move = {
  /** Id of the step: a unique row, so that a repeated batch can tell that it was ours. */
  transitionId: string;
  payment: Seen;
  to: PaymentStatus;
  reason: string | null;
  action: AuditAction;
  details?: Record<string, unknown>;
  /** What else the step leaves on the payment. */
  set?: Partial<Pick<typeof paymentRecords.$inferInsert, "verificationId" | "failureReason" | "processedAt">>;
};

/**
 * One step of a payment's life: only from the status and version seen, one row that says who and why, the new status,
 * and the audit row. Of two people at once the second batch is refused whole.
 */
export function movePayment(
  services: Pick<Services, "db" | "clock" | "ids">,
  acting: Acting,
  { transitionId, payment, to, reason, action, details, set }: Move,
): Statement[] {
  const { db, clock } = services;
  const { organizationId, userId } = acting;
  const now = clock.now();
  const isPayment = and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, payment.id));
  const found = db
    .select({ one: sql`1` })
    .from(paymentRecords)
    .where(and(isPayment, eq(paymentRecords.status, payment.status), eq(paymentRecords.version, payment.version)));
  return [
    precondition(db, found),
    db.insert(paymentTransitions).values({
      id: transitionId,
      organizationId,
      paymentId: payment.id,
      fromVersion: payment.version,
      fromStatus: payment.status,
      toStatus: to,
      reason,
      userId,
      createdAt: now,
    }),
    db
      .update(paymentRecords)
      .set({ ...set, status: to, version: payment.version + 1, updatedAt: now })
      .where(isPayment),
    recordAudit(services, acting, {
      action,
      entityType: "payment",
      entityId: payment.id,
      details: { from: payment.status, to, reason, ...details },
    }),
  ];
}

/** Whether a step is in the database. */
export async function transitionExists(
  { db }: Pick<Services, "db">,
  { organizationId }: { organizationId: string },
  paymentId: string,
  transitionId: string,
): Promise<boolean> {
  const rows = await db
    .select({ id: paymentTransitions.id })
    .from(paymentTransitions)
    .where(
      and(
        eq(paymentTransitions.organizationId, organizationId),
        eq(paymentTransitions.paymentId, paymentId),
        eq(paymentTransitions.id, transitionId),
      ),
    );
  return rows.length > 0;
}
