import { payees, paymentRecords, paymentTransitions, users, verifications } from "@db/schema";
import { and, asc, eq } from "drizzle-orm";
import { displayName } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import type { Approval } from "~/modules/payees/second-person";
import { findBankDetailsEditors } from "~/modules/payees/second-person.queries.server";
import { findVerification } from "~/modules/payees/verifications/verification.queries.server";
import type { ReadServices } from "~/services";
import { isOpenPayment } from "./payment";
import { detailColumns, isLastStep, isNewestVerification, lastStep } from "./payment.columns.server";

/** Who is asking: their organisation bounds every answer. */
export type Asking = { organizationId: string };

/** More steps than a payment can take in practice. */
const MAX_TRANSITIONS = 100;

/** One payment with who recorded it and its payee as it is now; undefined when it is not the organisation's. */
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

/** The same for those who cannot go on without it. @throws AppError 404, the same for missing and foreign ids */
export async function getPayment(services: ReadServices, actor: Asking, id: string): Promise<PaymentDetail> {
  const payment = await findPayment(services, actor, id);
  if (!payment) throw notFound();
  return payment;
}

/** The payee's verification that waits for a decision, while the payment can still be paid. */
export async function findOpenVerification(services: ReadServices, actor: Asking, { status, latest }: PaymentDetail) {
  if (latest?.status !== "pending" || !isOpenPayment(status)) return null;
  return (await findVerification(services, actor, latest.id)) ?? null;
}

/** Everybody whose own work an approval of the payment would be. */
export async function findApproval(
  services: ReadServices,
  actor: Asking,
  { payee, latest, recordedById }: PaymentDetail,
): Promise<Approval> {
  const enteredBy = payee ? await findBankDetailsEditors(services, actor, payee) : new Set<string>();
  return { enteredBy, requestedById: latest?.requestedById ?? null, recordedBy: [recordedById] };
}

/** The steps of a payment's life, oldest first. */
export async function listTransitions({ db }: ReadServices, { organizationId }: Asking, paymentId: string) {
  const rows = await db
    .select({
      id: paymentTransitions.id,
      fromStatus: paymentTransitions.fromStatus,
      toStatus: paymentTransitions.toStatus,
      fromVersion: paymentTransitions.fromVersion,
      reason: paymentTransitions.reason,
      userId: paymentTransitions.userId,
      createdAt: paymentTransitions.createdAt,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(paymentTransitions)
    .leftJoin(users, eq(users.id, paymentTransitions.userId))
    .where(and(eq(paymentTransitions.organizationId, organizationId), eq(paymentTransitions.paymentId, paymentId)))
    .orderBy(asc(paymentTransitions.fromVersion))
    .limit(MAX_TRANSITIONS);
  return rows.map(({ firstName, lastName, ...step }) => ({
    ...step,
    /** Null: the system. */
    userName: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }),
  }));
}

export type Transition = Awaited<ReturnType<typeof listTransitions>>[number];
