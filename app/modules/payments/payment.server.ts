import {
  type Condition,
  columnsOf,
  payees,
  paymentRecords,
  paymentTransitions,
  rowIn,
  users,
  verifications,
} from "@db/database";
import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { AppError, notFound } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import type { PaymentStatus } from "~/kernel/enums";
import { paymentDone, paymentStanding } from "~/kernel/payment-sentences";
import { nameIfAny } from "~/kernel/text";
import type { EntryOf, Written } from "~/modules/core/audit/audit";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import { type Approval, findBankDetailsEditors } from "~/modules/payees/second-person.server";
import { countsInEvidence } from "~/modules/payees/verifications/evidence.server";
import type { Asking, ReadServices, Services } from "~/services-and-actor";

/** The columns of a payment in lists and API answers. */
export const summaryColumns = {
  ...columnsOf(paymentRecords, "id", "organizationId", "payeeId", "amount", "reference"),
  ...columnsOf(paymentRecords, "description", "status", "accountName", "bsb", "accountNumber"),
  ...columnsOf(paymentRecords, "verificationId", "failureReason", "processedAt", "createdAt", "updatedAt"),
  payee: { id: payees.id, name: payees.name },
};

/** The step that led to the payment's present version; none for a payment as it was recorded. */
export const lastStep = alias(paymentTransitions, "lastStep");

const isLastStep = sql`${lastStep.paymentId} = ${paymentRecords.id}
  AND ${lastStep.fromVersion} = ${paymentRecords.version} - 1`;

/** The additional columns of a single payment: reasons, who recorded it, and its payee at present. */
export const detailColumns = {
  ...summaryColumns,
  ...columnsOf(paymentRecords, "reasons", "version", "recordedById"),
  recordedBy: { firstName: users.firstName, lastName: users.lastName, email: users.email },
  payee: {
    ...summaryColumns.payee,
    ...columnsOf(payees, "accountName", "bsb", "accountNumber", "version", "createdById"),
    ...columnsOf(payees, "accountingOrigins", "whitelisted", "disputedAt", "bankDetailsChangedAt", "renamedAt"),
    ...columnsOf(payees, "takenOffWhitelistAt", "contactChangedAt", "paymentCount", "lastPaymentDate"),
  },
  latest: {
    ...columnsOf(verifications, "id", "status", "accountName", "bsb", "accountNumber", "createdAt"),
    formerHolders: countsInEvidence.formerHolders,
    requestedById: verifications.requestedById,
  },
  lastStep: columnsOf(lastStep, "fromStatus", "toStatus", "reason", "createdAt"),
};

/** Join condition that finds the payee's newest verification with one index look-up. */
export const isNewestVerification = sql`${verifications.id} = (SELECT "newest"."id" FROM "verifications" AS "newest"
  WHERE "newest"."organizationId" = ${payees.organizationId} AND "newest"."payeeId" = ${payees.id}
  ORDER BY "newest"."id" DESC LIMIT 1)`;

/** "Dana Wu rejected this payment on 20 Nov 2026, 4:42 pm: paid twice" */
function whoDecidedSentence({ toStatus, userName, createdAt, reason }: Transition, timeZone: string): string {
  const on = formatDateTime(createdAt, timeZone);
  return `${userName ?? "PayeeProof"} ${paymentDone(toStatus)} on ${on}${reason ? `: ${reason}` : "."}`;
}

/** The error when the payment is not where a step starts from: who moved it, or why nothing can be done. */
export function paymentMovedOn(status: PaymentStatus, last: Transition | undefined, timeZone: string): AppError {
  if (last && last.toStatus === status && last.toStatus !== "held") {
    return new AppError("ALREADY_DECIDED", whoDecidedSentence(last, timeZone), {
      extra: {
        decision: { status, decidedBy: last.userName, decidedAt: toIso(last.createdAt), reason: last.reason },
      },
    });
  }
  const message =
    status === "held"
      ? "This payment is held. It needs a decision before it can have an outcome."
      : `This payment ${paymentStanding(status)}, so there is nothing to decide.`;
  return new AppError(status === "held" ? "PAYMENT_HELD" : "PAYMENT_NOT_HELD", message);
}

export const paymentChanged = () =>
  new AppError(
    "PAYMENT_CHANGED",
    "Something new is known about this payment or its payee since you opened it. Look again, then decide.",
  );

/** The organisation that asks: every answer is limited to it. */
/** More steps than a payment takes in practice. */
const MAX_TRANSITIONS = 100;

/** One payment with who recorded it and its payee at present; undefined when the organisation has none with this id. */
export async function findPayment({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select(detailColumns)
    .from(paymentRecords)
    .leftJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, paymentRecords.payeeId)))
    .leftJoin(verifications, and(eq(verifications.organizationId, organizationId), isNewestVerification))
    .leftJoin(lastStep, and(eq(lastStep.organizationId, organizationId), isLastStep))
    .leftJoin(users, eq(users.id, paymentRecords.recordedById))
    .where(and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, id)));
  return row;
}

export type PaymentDetail = NonNullable<Awaited<ReturnType<typeof findPayment>>>;

/** As `findPayment`. @throws AppError 404, the same for an id that does not exist and one of another organisation */
export async function getPayment(services: ReadServices, actor: Asking, id: string): Promise<PaymentDetail> {
  const payment = await findPayment(services, actor, id);
  if (!payment) throw notFound();
  return payment;
}

/** Everybody who would approve their own work by approving the payment. */
export async function findApproval(
  services: ReadServices,
  actor: Asking,
  { payee, latest, recordedById }: PaymentDetail,
): Promise<Approval> {
  const enteredBy = payee ? await findBankDetailsEditors(services, actor, payee) : new Set<string>();
  return { enteredBy, requestedById: latest?.requestedById ?? null, recordedBy: [recordedById] };
}

/** The status changes of a payment, oldest first. */
export async function listTransitions({ db }: ReadServices, { organizationId }: Asking, paymentId: string) {
  const rows = await db
    .select({
      ...columnsOf(paymentTransitions, "id", "fromStatus", "toStatus", "fromVersion"),
      ...columnsOf(paymentTransitions, "reason", "userId", "createdAt"),
      ...columnsOf(users, "firstName", "lastName"),
    })
    .from(paymentTransitions)
    .leftJoin(users, eq(users.id, paymentTransitions.userId))
    .where(and(eq(paymentTransitions.organizationId, organizationId), eq(paymentTransitions.paymentId, paymentId)))
    .orderBy(asc(paymentTransitions.fromVersion))
    .limit(MAX_TRANSITIONS);
  return rows.map(({ firstName, lastName, ...step }) => ({
    ...step,
    /** Null: the system did it. */
    userName: nameIfAny({ firstName, lastName }),
  }));
}

export type Transition = Awaited<ReturnType<typeof listTransitions>>[number];

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

/** The condition that the payment is as somebody read it: if two people act at once, the second is refused. */
export function paymentIsUnchanged(
  { db }: ReadServices,
  organizationId: string,
  { id, status, version }: Seen,
): Condition<"payment_changed"> {
  const found = rowIn(db, paymentRecords).where(
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
  { organizationId, userId }: { userId: string | null; organizationId: string },
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
export function countSuccess({ db }: ReadServices, organizationId: string, payeeId: string, processedAt: number) {
  return db
    .update(payees)
    .set({
      paymentCount: sql`${payees.paymentCount} + 1`,
      lastPaymentDate: sql`max(coalesce(${payees.lastPaymentDate}, 0), ${processedAt})`,
    })
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)));
}
