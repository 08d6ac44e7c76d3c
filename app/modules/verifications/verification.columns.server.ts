import { bankChecks, decisions, payees, users, verifications } from "@db/schema";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

/** The columns of a verification as lists and answers show it; link tokens never leave the database. */
export const summaryColumns = {
  id: verifications.id,
  status: verifications.status,
  method: verifications.method,
  accountName: verifications.accountName,
  bsb: verifications.bsb,
  accountNumber: verifications.accountNumber,
  matchType: verifications.matchType,
  nameMatchScore: verifications.nameMatchScore,
  nameDifferences: verifications.nameDifferences,
  verifiedName: verifications.verifiedName,
  resultData: verifications.resultData,
  outcome: verifications.outcome,
  reasonCode: verifications.reasonCode,
  verifiedByPayee: verifications.verifiedByPayee,
  disputedByPayeeAt: verifications.disputedByPayeeAt,
  rejectedReason: verifications.rejectedReason,
  createdAt: verifications.createdAt,
  completedAt: verifications.completedAt,
  payee: { id: payees.id, name: payees.name, whitelistGlobal: payees.whitelistGlobal },
  requestedBy: { firstName: users.firstName, lastName: users.lastName, email: users.email },
};

export const deciders = alias(users, "deciders");
export const assignees = alias(users, "assignees");

/** What a row of a list adds, so that its verdict can be shown: joined with `bankChecks` by `isRunning`. */
export const verdictColumns = {
  ...summaryColumns,
  lookalikes: sql<number>`coalesce(json_array_length(${verifications.evidence}, '$.lookalikes'), 0)`,
  notificationSentAt: verifications.notificationSentAt,
  verifiedByPayeeAt: verifications.verifiedByPayeeAt,
  verificationTokenExpiresAt: verifications.verificationTokenExpiresAt,
  checkStep: bankChecks.step,
  payee: {
    ...summaryColumns.payee,
    whitelisted: payees.whitelisted,
    bankDetailsChangedAt: payees.bankDetailsChangedAt,
    renamedAt: payees.renamedAt,
    contactChangedAt: payees.contactChangedAt,
    disputedAt: payees.disputedAt,
  },
};

/** The one bank check of a verification that has not ended. */
export const isRunning = and(eq(bankChecks.verificationId, verifications.id), isNull(bankChecks.finishedAt));

/** How a payee was last decided about, as a column of a query that has its id: approved or rejected, by a person or a rule. */
export const lastDecisionOf = (organizationId: string, payeeId: { getSQL(): SQL }) =>
  sql<"verified" | "rejected" | null>`(SELECT "status" FROM "verifications" AS "decided"
    WHERE "decided"."organizationId" = ${organizationId} AND "decided"."payeeId" = ${payeeId}
      AND "decided"."status" IN ('verified', 'rejected') ORDER BY "decided"."id" DESC LIMIT 1)`;

/** What the single verification adds: evidence, the payee link, the decision, and a bank check under way. */
export const detailColumns = {
  ...summaryColumns,
  requestedById: verifications.requestedById,
  assignedToId: verifications.assignedToId,
  assignedTo: { firstName: assignees.firstName, lastName: assignees.lastName },
  evidence: verifications.evidence,
  approvedAt: verifications.approvedAt,
  disputeNote: verifications.disputeNote,
  verifiedByPayeeAt: verifications.verifiedByPayeeAt,
  verificationChannel: verifications.verificationChannel,
  verificationTokenExpiresAt: verifications.verificationTokenExpiresAt,
  notificationSentAt: verifications.notificationSentAt,
  payee: {
    ...summaryColumns.payee,
    accountName: payees.accountName,
    bsb: payees.bsb,
    accountNumber: payees.accountNumber,
    email: payees.email,
    phone: payees.phone,
    abn: payees.abn,
    whitelisted: payees.whitelisted,
    createdById: payees.createdById,
    bankDetailsChangedAt: payees.bankDetailsChangedAt,
    renamedAt: payees.renamedAt,
    contactChangedAt: payees.contactChangedAt,
    disputedAt: payees.disputedAt,
    takenOffWhitelistAt: payees.takenOffWhitelistAt,
    archivedAt: payees.archivedAt,
    formerTrust: payees.formerTrust,
  },
  decision: {
    id: decisions.id,
    status: decisions.status,
    reason: decisions.reason,
    decidedById: decisions.decidedById,
    createdAt: decisions.createdAt,
  },
  decidedBy: { firstName: deciders.firstName, lastName: deciders.lastName },
  runningCheck: {
    id: bankChecks.id,
    step: bankChecks.step,
    startedAt: bankChecks.startedAt,
    returnedAt: bankChecks.returnedAt,
  },
};
