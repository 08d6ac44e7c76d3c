import { maskAccountNumber } from "~/kernel/account-number";
import { displayName } from "~/kernel/actor";
import { toIso } from "~/kernel/dates";
import type { PaymentStatus, VerificationStatus } from "~/kernel/enums";
import { type BankDetails, payeeStatus } from "~/kernel/payee";
import type { Grade } from "~/modules/payees/verifications/grade";
import { toGradeJson } from "~/modules/payees/verifications/verification.json";

const isoOrNull = (ms: number | null) => (ms === null ? null : toIso(ms));

/** What every answer says of a payment. */
export type PaymentSummary = BankDetails & {
  id: string;
  organizationId: string;
  payeeId: string | null;
  amount: number;
  reference: string | null;
  description: string | null;
  status: PaymentStatus;
  verificationId: string | null;
  failureReason: string | null;
  processedAt: number | null;
  createdAt: number;
  updatedAt: number;
  payee: { id: string; name: string } | null;
};

/** A payment as the API shows it: amount in integer cents, instants in ISO 8601. */
export function toPaymentJson(payment: PaymentSummary) {
  const { payee } = payment;
  return {
    id: payment.id,
    organizationId: payment.organizationId,
    payeeId: payment.payeeId,
    payee: payee && { id: payee.id, name: payee.name },
    accountName: payment.accountName,
    bsb: payment.bsb,
    accountNumber: payment.accountNumber,
    amount: payment.amount,
    reference: payment.reference,
    description: payment.description,
    status: payment.status,
    verificationId: payment.verificationId,
    failureReason: payment.failureReason,
    processedAt: isoOrNull(payment.processedAt),
    createdAt: toIso(payment.createdAt),
    updatedAt: toIso(payment.updatedAt),
  };
}

/** The same in a list: the account number masked, as the pages mask it. */
export function toListedPaymentJson(payment: PaymentSummary) {
  return { ...toPaymentJson(payment), accountNumber: maskAccountNumber(payment.accountNumber) };
}

export type PaymentStep = {
  id: string;
  fromStatus: PaymentStatus;
  toStatus: PaymentStatus;
  reason: string | null;
  userName: string | null;
  createdAt: number;
};

/** One step of a payment's life; `by` null: the system. */
export function toStepJson({ id, fromStatus, toStatus, reason, userName, createdAt }: PaymentStep) {
  return { id, from: fromStatus, to: toStatus, reason, by: userName, createdAt: toIso(createdAt) };
}

type Named = { firstName: string; lastName: string; email: string };

export const toRecorderJson = (person: Named | null) => person && { name: displayName(person), email: person.email };

type PaidPayee = BankDetails & {
  id: string;
  name: string;
  whitelisted: boolean;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  renamedAt: number | null;
  takenOffWhitelistAt: number | null;
  paymentCount: number;
  lastPaymentDate: number | null;
};

type Latest = BankDetails & { status: VerificationStatus; createdAt: number };

/** What an outcome changed about the payee. @param grade how it was verified */
export function toPaidPayeeJson(payee: PaidPayee, latest: Latest | null, grade: Grade | null) {
  return {
    id: payee.id,
    name: payee.name,
    status: payeeStatus(payee, latest),
    grade: toGradeJson(grade),
    whitelisted: payee.whitelisted,
    paymentCount: payee.paymentCount,
    lastPaymentDate: isoOrNull(payee.lastPaymentDate),
  };
}
