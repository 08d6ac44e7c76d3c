import { type Condition, payees, paymentRecords, paymentTransitions, type Statement } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import type { PaymentStatus } from "~/kernel/enums";
import type { EntryOf, Written } from "~/modules/core/audit/audit";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services } from "~/services-and-actor";

type Acting = { userId: string | null; organizationId: string };

type Seen = { id: string; status: PaymentStatus; version: number };

type Moved =
  | "payment.approved"
  | "payment.rejected"
  | "payment.verification_requested"
  | "payment.succeeded"
  | "payment.failed";

/** What a step records besides the two statuses and the reason. */
export type Step = {
  [Action in Moved]: { action: Action; details: Omit<Written<Action>, "from" | "to" | "reason"> };
}[Moved];

type Move = Step & {
  payment: Seen;
  to: PaymentStatus;
  reason: string | null;
  /** Further columns of the payment that the step sets. */
  set?: Partial<Pick<typeof paymentRecords.$inferInsert, "verificationId" | "failureReason" | "processedAt">>;
};

/**
 * The condition that the payment has not changed since somebody read it: if two people act at once, the second is
 * refused.
 */
export function paymentIsUnchanged(
  { db }: ReadServices,
  organizationId: string,
  { id, status, version }: Seen,
): Condition<"payment_changed"> {
  const found = db
    .select({ one: sql`1` })
    .from(paymentRecords)
    .where(
      and(
        eq(paymentRecords.organizationId, organizationId),
        eq(paymentRecords.id, id),
        eq(paymentRecords.status, status),
        eq(paymentRecords.version, version),
      ),
    );
  return { name: "payment_changed", found };
}

/** One status change of a payment: a row with who and why, the new status, and the audit entry. */
export function movePayment(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, userId }: Acting,
  { payment, to, reason, action, details, set }: Move,
): CommandPart {
  const now = clock.now();
  // The compiler cannot check that the action and the details match after each has been extended.
  const entry = { action, details: { from: payment.status, to, reason, ...details } } as EntryOf<Moved>;
  return {
    statements: [
      db.insert(paymentTransitions).values({
        id: ids.next(),
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
        .where(and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, payment.id))),
    ],
    audit: [{ ...entry, entityType: "payment", entityId: payment.id }],
  };
}

/**
 * Counts a successful payment towards the payee, in the batch that ends a payment to its current account. The payee's
 * version stays the same, so that a payment does not interrupt somebody's open edit.
 */
export function countSuccess(
  { db }: ReadServices,
  organizationId: string,
  payeeId: string,
  processedAt: number,
): Statement {
  return db
    .update(payees)
    .set({
      paymentCount: sql`${payees.paymentCount} + 1`,
      lastPaymentDate: sql`max(coalesce(${payees.lastPaymentDate}, 0), ${processedAt})`,
    })
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)));
}
