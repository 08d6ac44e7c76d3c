import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { payees, paymentRecords, paymentTransitions } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { PaymentStatus } from "~/kernel/enums";
import type { EntryOf, Written } from "~/modules/core/audit/audit";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services } from "~/services";

type Acting = { userId: string | null; organizationId: string };

type Seen = { id: string; status: PaymentStatus; version: number };

type Moved =
  | "payment.approved"
  | "payment.rejected"
  | "payment.verification_requested"
  | "payment.succeeded"
  | "payment.failed";

/** What a step says besides where the payment was and is, and why. */
export type Step = {
  [Action in Moved]: { action: Action; details: Omit<Written<Action>, "from" | "to" | "reason"> };
}[Moved];

type Move = Step & {
  payment: Seen;
  to: PaymentStatus;
  reason: string | null;
  /** What else the step leaves on the payment. */
  set?: Partial<Pick<typeof paymentRecords.$inferInsert, "verificationId" | "failureReason" | "processedAt">>;
};

/** The payment is where it was when somebody looked at it: of two people at once, the second is refused. */
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

/** One step of a payment's life: a row that says who and why, the new status, and the audit entry. */
export function movePayment(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, userId }: Acting,
  { payment, to, reason, action, details, set }: Move,
): CommandPart {
  const now = clock.now();
  // The compiler cannot see that act and details belong together when each is added to.
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
 * What success adds to the payee, for the batch that ends a payment to its current account. The payee's details stay as they
 * are, so its version does too: nobody's open edit is disturbed by a payment.
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
