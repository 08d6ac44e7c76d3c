import { auditLogs, paymentRecords, paymentTransitions, type Statement } from "@db/database";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AuditAction, Written } from "~/modules/core/audit/audit";
import type { Acting, CommandPart } from "~/modules/core/commands/run-command.server";
import type { Services, TimedServices } from "~/services-and-actor";
import { DETAILS_CHANGED_SINCE, type HoldCause, holdSentence } from "./payment-holds";

/**
 * Returns the payments that waited for a verification to "held", in the batch that ends the verification. They are
 * never authorised automatically: a person decides with the new evidence.
 */
export function returnRequestedPayments(services: TimedServices, acting: Acting, verificationId: string): Statement[] {
  const isWaiting = and(
    eq(paymentRecords.organizationId, acting.organizationId),
    eq(paymentRecords.verificationId, verificationId),
    eq(paymentRecords.status, "verification_requested"),
  );
  return returnToHeld(services, acting, {
    which: isWaiting,
    reason: "The verification that was asked for has ended",
    details: { verificationId },
  });
}

/**
 * Holds a payee's authorised payments again, in the batch that changes its bank details or ends its trust. Payments
 * that already succeeded or failed stay as they are. Alerts tell the people who recorded the payments.
 */
export function holdAuthorisedPayments(
  services: TimedServices,
  acting: Acting,
  { payee, cause }: { payee: { id: string; name: string }; cause: HoldCause },
): CommandPart {
  const isAuthorised = and(
    eq(paymentRecords.organizationId, acting.organizationId),
    eq(paymentRecords.payeeId, payee.id),
    eq(paymentRecords.status, "authorised"),
  );
  return {
    statements: returnToHeld(services, acting, {
      which: isAuthorised,
      reason: holdSentence(cause, payee.name),
      details: { reason: DETAILS_CHANGED_SINCE, cause },
    }),
  };
}

type Returning = { which: SQL | undefined; reason: string; details: Written<"payment.returned_to_held"> };

/** Adds one audit entry and one step per payment in two statements, then changes their status. */
function returnToHeld({ db, clock }: TimedServices, acting: Acting, returning: Returning): Statement[] {
  const now = clock.now();
  return [
    insertEntries(db, acting, returning, now),
    insertTransitions(db, acting, returning, now),
    db
      .update(paymentRecords)
      .set({ status: "held", version: sql`${paymentRecords.version} + 1`, updatedAt: now })
      .where(returning.which),
  ];
}

const ACTION: AuditAction = "payment.returned_to_held";

/** Rows created inside one statement take their id from the payment and its version before the change. */
const rowId = () => sql<string>`${paymentRecords.id} || ':' || ${paymentRecords.version}`.as("id");

function insertEntries(db: Services["db"], { userId, origin }: Acting, { which, details }: Returning, now: number) {
  return db.insert(auditLogs).select(
    db
      .select({
        position: sql<number>`NULL`.as("position"),
        id: rowId(),
        userId: sql<string | null>`${userId}`.as("userId"),
        organizationId: paymentRecords.organizationId,
        action: sql<string>`${ACTION}`.as("action"),
        entityType: sql<string>`'payment'`.as("entityType"),
        entityId: sql<string>`${paymentRecords.id}`.as("entityId"),
        details: sql<Record<string, unknown>>`${JSON.stringify(details)}`.as("details"),
        ipAddress: sql<string | null>`${origin.ipAddress}`.as("ipAddress"),
        userAgent: sql<string | null>`${origin.userAgent}`.as("userAgent"),
        requestId: sql<string | null>`${origin.requestId}`.as("requestId"),
        createdAt: sql<number>`${now}`.as("createdAt"),
        emailSalt: sql<string | null>`NULL`.as("emailSalt"),
      })
      .from(paymentRecords)
      .where(which),
  );
}

function insertTransitions(db: Services["db"], { userId }: Acting, { which, reason }: Returning, now: number) {
  return db.insert(paymentTransitions).select(
    db
      .select({
        id: rowId(),
        organizationId: paymentRecords.organizationId,
        paymentId: sql<string>`${paymentRecords.id}`.as("paymentId"),
        fromVersion: paymentRecords.version,
        fromStatus: paymentRecords.status,
        toStatus: sql<"held">`'held'`.as("toStatus"),
        reason: sql<string>`${reason}`.as("reason"),
        userId: sql<string | null>`${userId}`.as("userId"),
        createdAt: sql<number>`${now}`.as("createdAt"),
      })
      .from(paymentRecords)
      .where(which),
  );
}
