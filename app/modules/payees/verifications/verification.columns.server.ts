import { bankChecks, decisions, payees, users, verifications } from "@db/schema";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

/**
 * What the grade of a verified one looks at besides its own columns: whether a call counts as proof, and who decided.
 * Nothing is looked up for one that is not verified.
 * @param name the table's name in the statement
 */
export const gradeColumns = (name: "verifications" | "verified") => {
  const of = sql.raw(`"${name}"`);
  return {
    isCalledBack: sql<number>`${of}."status" = 'verified' AND EXISTS (SELECT 1 FROM "verification_calls" AS "proof"
      WHERE "proof"."organizationId" = ${of}."organizationId" AND "proof"."verificationId" = ${of}."id"
      AND "proof"."outcome" = 'confirmed' AND "proof"."noProof" IS NULL)`,
    decider: sql<"person" | "rule" | null>`CASE WHEN ${of}."status" = 'verified'
      THEN (SELECT iif("decided"."decidedById" IS NULL, 'rule', 'person') FROM "decisions" AS "decided"
        WHERE "decided"."organizationId" = ${of}."organizationId" AND "decided"."verificationId" = ${of}."id") END`,
  };
};

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
  ...gradeColumns("verifications"),
  payee: { id: payees.id, name: payees.name, whitelistGlobal: payees.whitelistGlobal },
  requestedBy: { firstName: users.firstName, lastName: users.lastName, email: users.email },
};

export const deciders = alias(users, "deciders");
export const assignees = alias(users, "assignees");

/** How many of these the evidence of a verification has. */
export const countInEvidence = (of: "lookalikes" | "formerHolders") =>
  sql<number>`coalesce(json_array_length(${verifications.evidence}, ${sql.raw(`'$.${of}'`)}), 0)`;

/** What the flags of a verification are computed from, without its payee. */
export const flagColumns = {
  outcome: verifications.outcome,
  nameMatchScore: verifications.nameMatchScore,
  disputedByPayeeAt: verifications.disputedByPayeeAt,
  createdAt: verifications.createdAt,
  resultData: verifications.resultData,
  accountName: verifications.accountName,
  lookalikes: countInEvidence("lookalikes"),
  formerHolders: countInEvidence("formerHolders"),
};

/** The same of its payee. */
export const flagColumnsOfPayee = {
  name: payees.name,
  whitelisted: payees.whitelisted,
  bankDetailsChangedAt: payees.bankDetailsChangedAt,
  renamedAt: payees.renamedAt,
  contactChangedAt: payees.contactChangedAt,
  disputedAt: payees.disputedAt,
};

/** What a row of a list adds, so that its verdict can be shown: joined with `bankChecks` by `isRunning`. */
export const verdictColumns = {
  ...summaryColumns,
  ...flagColumns,
  notificationSentAt: verifications.notificationSentAt,
  verifiedByPayeeAt: verifications.verifiedByPayeeAt,
  verificationTokenExpiresAt: verifications.verificationTokenExpiresAt,
  checkStep: bankChecks.step,
  payee: { ...summaryColumns.payee, ...flagColumnsOfPayee },
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
    accountingOrigins: payees.accountingOrigins,
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
