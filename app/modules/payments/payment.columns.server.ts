import { payees, paymentRecords, paymentTransitions, users, verifications } from "@db/schema";
import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { countInEvidence } from "~/modules/payees/verifications/verification.columns.server";

/** The columns of a payment as lists and answers show it. */
export const summaryColumns = {
  id: paymentRecords.id,
  organizationId: paymentRecords.organizationId,
  payeeId: paymentRecords.payeeId,
  amount: paymentRecords.amount,
  reference: paymentRecords.reference,
  description: paymentRecords.description,
  status: paymentRecords.status,
  accountName: paymentRecords.accountName,
  bsb: paymentRecords.bsb,
  accountNumber: paymentRecords.accountNumber,
  verificationId: paymentRecords.verificationId,
  failureReason: paymentRecords.failureReason,
  processedAt: paymentRecords.processedAt,
  createdAt: paymentRecords.createdAt,
  updatedAt: paymentRecords.updatedAt,
  payee: { id: payees.id, name: payees.name },
};

/** The step that brought a payment to its version: none for one that stands as it was recorded. */
export const lastStep = alias(paymentTransitions, "lastStep");
export const isLastStep = sql`${lastStep.paymentId} = ${paymentRecords.id}
  AND ${lastStep.fromVersion} = ${paymentRecords.version} - 1`;

/** What the single payment adds: reasons, who recorded it, and its payee as it is now. */
export const detailColumns = {
  ...summaryColumns,
  reasons: paymentRecords.reasons,
  version: paymentRecords.version,
  recordedById: paymentRecords.recordedById,
  recordedBy: { firstName: users.firstName, lastName: users.lastName, email: users.email },
  payee: {
    ...summaryColumns.payee,
    accountName: payees.accountName,
    bsb: payees.bsb,
    accountNumber: payees.accountNumber,
    version: payees.version,
    createdById: payees.createdById,
    accountingOrigins: payees.accountingOrigins,
    whitelisted: payees.whitelisted,
    disputedAt: payees.disputedAt,
    bankDetailsChangedAt: payees.bankDetailsChangedAt,
    renamedAt: payees.renamedAt,
    takenOffWhitelistAt: payees.takenOffWhitelistAt,
    contactChangedAt: payees.contactChangedAt,
    paymentCount: payees.paymentCount,
    lastPaymentDate: payees.lastPaymentDate,
  },
  latest: {
    id: verifications.id,
    status: verifications.status,
    accountName: verifications.accountName,
    bsb: verifications.bsb,
    accountNumber: verifications.accountNumber,
    createdAt: verifications.createdAt,
    formerHolders: countInEvidence("formerHolders"),
    requestedById: verifications.requestedById,
  },
  lastStep: {
    fromStatus: lastStep.fromStatus,
    toStatus: lastStep.toStatus,
    reason: lastStep.reason,
    createdAt: lastStep.createdAt,
  },
};

/** Condition of the join that finds the payee's newest verification by one step back in its index. */
export const isNewestVerification = sql`${verifications.id} = (SELECT "newest"."id" FROM "verifications" AS "newest"
  WHERE "newest"."organizationId" = ${payees.organizationId} AND "newest"."payeeId" = ${payees.id}
  ORDER BY "newest"."id" DESC LIMIT 1)`;
