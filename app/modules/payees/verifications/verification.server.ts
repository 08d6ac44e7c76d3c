import {
  bankChecks,
  bankQuestions,
  type Condition,
  columnsOf,
  decisions,
  insertRows,
  organizationPolicies,
  outbox,
  payees,
  prepared,
  rowIn,
  type Statement,
  users,
  verifications,
} from "@db/database";
import { and, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { AppError, notFound } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import type { BankQuestionCause, VerificationMethod } from "~/kernel/enums";
import type { BankDetails } from "~/kernel/payee";
import { displayName } from "~/kernel/text";
import { policyNow } from "~/modules/accounts/organizations/policy.server";
import { listEntityTimeline } from "~/modules/core/audit/timeline.server";
import { namesDiffer } from "~/modules/name-match";
import { POLICY_FIELDS } from "~/modules/rules/policy-fields";
import type { Actor, Asking, ReadServices, Services, TimedServices } from "~/services-and-actor";
import { countsInEvidence } from "./evidence.server";
import { type Evidence, isOpen, type Lookalike } from "./verification";

/**
 * Columns that the grade of a verification needs besides its own: whether the payee confirmed the details in a call
 * that counts as proof, and who decided.
 * @param name the table's alias in the statement
 */
export const gradeColumns = (name: "verifications" | "verified") => {
  const of = sql.raw(`"${name}"`);
  return {
    isCalledBack: sql<number>`EXISTS (SELECT 1 FROM "verification_calls" AS "proof"
      WHERE "proof"."organizationId" = ${of}."organizationId" AND "proof"."verificationId" = ${of}."id"
      AND "proof"."outcome" = 'confirmed' AND "proof"."noProof" IS NULL)`,
    decider: sql<"person" | "rule" | null>`CASE WHEN ${of}."status" = 'verified'
      THEN (SELECT iif("decided"."decidedById" IS NULL, 'rule', 'person') FROM "decisions" AS "decided"
        WHERE "decided"."organizationId" = ${of}."organizationId" AND "decided"."verificationId" = ${of}."id") END`,
  };
};

/** The columns of a verification in lists and API answers; link tokens are never read. */
export const summaryColumns = {
  ...columnsOf(verifications, "id", "status", "method", "accountName", "bsb"),
  ...columnsOf(verifications, "accountNumber", "matchType", "nameMatchScore", "nameDifferences", "verifiedName"),
  ...columnsOf(verifications, "resultData", "outcome", "reasonCode", "verifiedByPayee", "disputedByPayeeAt"),
  ...columnsOf(verifications, "rejectedReason", "createdAt", "completedAt"),
  ...gradeColumns("verifications"),
  payee: { id: payees.id, name: payees.name, whitelistGlobal: payees.whitelistGlobal },
  requestedBy: { firstName: users.firstName, lastName: users.lastName, email: users.email },
};

export const deciders = alias(users, "deciders");
export const assignees = alias(users, "assignees");

/** The verification's own columns that its flags are computed from. */
export const flagColumns = {
  ...columnsOf(verifications, "outcome", "nameMatchScore", "disputedByPayeeAt"),
  ...columnsOf(verifications, "createdAt", "resultData", "accountName"),
  ...countsInEvidence,
};

/** The payee's columns that the flags are computed from. */
export const flagColumnsOfPayee = columnsOf(
  payees,
  "name",
  "whitelisted",
  "bankDetailsChangedAt",
  "renamedAt",
  "contactChangedAt",
  "disputedAt",
);

/** The further columns that a list needs to show the verdict: joined with `bankChecks` by `isRunning`. */
export const verdictColumns = {
  ...summaryColumns,
  ...flagColumns,
  ...columnsOf(verifications, "notificationSentAt", "verifiedByPayeeAt", "verificationTokenExpiresAt"),
  checkStep: bankChecks.step,
  payee: { ...summaryColumns.payee, ...flagColumnsOfPayee },
};

/** The verification's one bank check that has not ended. */
export const isRunning = and(eq(bankChecks.verificationId, verifications.id), isNull(bankChecks.finishedAt));

/** The last decision about a payee, as a column of a query that has its id, by a person or a rule. */
export const lastDecisionOf = (organizationId: string, payeeId: { getSQL(): SQL }) =>
  sql<"verified" | "rejected" | null>`(SELECT "status" FROM "verifications" AS "decided"
    WHERE "decided"."organizationId" = ${organizationId} AND "decided"."payeeId" = ${payeeId}
      AND "decided"."status" IN ('verified', 'rejected') ORDER BY "decided"."id" DESC LIMIT 1)`;

/** The further columns of one verification: evidence, payee link, decision, and a bank check in progress. */
export const detailColumns = {
  ...summaryColumns,
  ...columnsOf(verifications, "requestedById", "assignedToId"),
  assignedTo: { firstName: assignees.firstName, lastName: assignees.lastName },
  ...columnsOf(verifications, "evidence", "approvedAt", "disputeNote", "verifiedByPayeeAt"),
  ...columnsOf(verifications, "verificationChannel", "verificationTokenExpiresAt", "notificationSentAt"),
  payee: {
    ...summaryColumns.payee,
    ...columnsOf(payees, "accountName", "bsb", "accountNumber", "email", "phone", "abn", "whitelisted"),
    ...columnsOf(payees, "createdById", "accountingOrigins", "bankDetailsChangedAt", "renamedAt", "contactChangedAt"),
    ...columnsOf(payees, "paymentCount", "disputedAt", "takenOffWhitelistAt", "archivedAt", "formerTrust"),
  },
  decision: columnsOf(decisions, "id", "status", "reason", "decidedById", "createdAt"),
  decidedBy: { firstName: deciders.firstName, lastName: deciders.lastName },
  runningCheck: columnsOf(bankChecks, "id", "step", "startedAt", "returnedAt", "silentSince"),
};

/** The organisation that asks: every answer is limited to it. */
/** More than a person reads on one page; the audit trail has them all. */
const TIMELINE_SIZE = 100;

/** One verification with payee, requester, decision and running check; undefined: not the organisation's. */
export async function findVerification(services: ReadServices, actor: Asking, id: string) {
  const [row] = await verificationById(services.db).all({ organizationId: actor.organizationId, id });
  return row;
}

/** The payee's newest verification, or its newest approved one. */
export async function findNewestVerification(
  { db }: ReadServices,
  { organizationId }: Asking,
  payeeId: string,
  status?: "verified",
): Promise<VerificationDetail | undefined> {
  const [row] = await (status ? newestApprovalOf(db) : newestOf(db)).all({ organizationId, payeeId });
  return row;
}

const verificationById = prepared((db) => selectDetail(db, eq(verifications.id, sql.placeholder("id"))).prepare());
const newestOf = prepared((db) => selectNewest(db).prepare());
const newestApprovalOf = prepared((db) => selectNewest(db, sql`+${verifications.status} = 'verified'`).prepare());

const selectNewest = (db: ReadServices["db"], condition?: SQL) =>
  selectDetail(db, and(eq(verifications.payeeId, sql.placeholder("payeeId")), condition))
    .orderBy(desc(verifications.id))
    .limit(1);

const selectDetail = (db: ReadServices["db"], condition: SQL | undefined) =>
  db
    .select(detailColumns)
    .from(verifications)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .leftJoin(users, eq(users.id, verifications.requestedById))
    .leftJoin(
      decisions,
      and(eq(decisions.organizationId, verifications.organizationId), eq(decisions.verificationId, verifications.id)),
    )
    .leftJoin(deciders, eq(deciders.id, decisions.decidedById))
    .leftJoin(assignees, eq(assignees.id, verifications.assignedToId))
    .leftJoin(bankChecks, and(eq(bankChecks.verificationId, verifications.id), isNull(bankChecks.finishedAt)))
    .where(and(eq(verifications.organizationId, sql.placeholder("organizationId")), condition));

export type VerificationDetail = Awaited<ReturnType<ReturnType<typeof verificationById>["all"]>>[number];

/** The fields of a verification that lists, pages and API answers show. */
export type VerificationSummary = Pick<VerificationDetail, Exclude<keyof typeof summaryColumns, "payee">> & {
  payee: Pick<VerificationDetail["payee"], keyof typeof summaryColumns.payee>;
};

/** As `findVerification`. @throws AppError 404, the same for an unknown id and one of another organisation */
export async function getVerification(services: ReadServices, actor: Asking, id: string): Promise<VerificationDetail> {
  const verification = await findVerification(services, actor, id);
  if (!verification) throw notFound();
  return verification;
}

export type TimelineEntry = Awaited<ReturnType<typeof listTimeline>>[number];

/** A verification's history from the audit trail, oldest first, without entries for viewing it. */
export function listTimeline(services: ReadServices, actor: Asking, id: string) {
  const subject = { entityType: "verification", entityId: id } as const;
  return listEntityTimeline(services, actor, subject, { order: "oldest first", limit: TIMELINE_SIZE });
}

type Acting = { userId: string | null; organizationId: string };

type Submitted = {
  id: string;
  /** Why the payee's bank is asked automatically, if the organisation's policy allows it; absent: it is not asked. */
  asks?: BankQuestionCause | null;
  payeeId: string;
  details: BankDetails & { name: string };
  method?: VerificationMethod;
  evidence: Evidence;
  /** A change of the payee's bank details opens it. */
  isOfChange?: boolean;
};

/** Statements that open pending verifications, for the batch that adds or edits the payees. */
export function openVerifications(
  services: Pick<Services, "db" | "clock" | "config">,
  { organizationId, userId }: Acting,
  submitted: readonly Submitted[],
): Statement[] {
  const { db, clock } = services;
  const opened = { organizationId, requestedById: userId, status: "pending", createdAt: clock.now() } as const;
  const rows = submitted.map(({ details: { name, accountName, bsb, accountNumber }, asks: _, ...one }) => ({
    method: "manual" as const,
    ...one,
    ...{ accountName, bsb, accountNumber, payeeNameDiffers: namesDiffer(name, accountName) },
    ...opened,
  }));
  return [...insertRows(db, verifications, rows), ...wantQuestions(services, organizationId, submitted)];
}

/** Queues the questions to banks that the organisation's policy demands at the time of the batch. */
function wantQuestions(
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
  organizationId: string,
  submitted: readonly Submitted[],
): Statement[] {
  const asked = submitted.flatMap(({ id, asks }) => (asks ? [[id, asks]] : []));
  if (!config.asksBanksAutomatically || asked.length === 0) return [];
  const now = clock.now();
  const policy = sql`(SELECT ${policyNow(organizationId, "askBanks", now)} FROM ${organizationPolicies}
    WHERE ${eq(organizationPolicies.organizationId, organizationId)})`;
  return [
    db.insert(bankQuestions).select(
      sql`SELECT "row"."value" ->> 0, ${organizationId}, "row"."value" ->> 1, ${now}, NULL, NULL, NULL
        FROM json_each(${JSON.stringify(asked)}) AS "row"
        WHERE coalesce(${policy}, ${POLICY_FIELDS.askBanks.initial}) <> 'never'`,
    ),
  ];
}

/** Recomputes whether the account is in another name, after the spelling of a pending payee's name changed. */
export const comparePayeeName = (
  { db }: ReadServices,
  organizationId: string,
  payeeId: string,
  { name, accountName }: { name: string; accountName: string },
): Statement =>
  db
    .update(verifications)
    .set({ payeeNameDiffers: namesDiffer(name, accountName) })
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.payeeId, payeeId),
        sql`${verifications.status} = 'pending'`,
      ),
    );

/** The condition that the verification has not been decided. */
export const verificationIsPending = (
  services: ReadServices,
  organizationId: string,
  id: string,
): Condition<"already_decided"> => ({
  name: "already_decided",
  found: findWhere(services, { organizationId, id }, eq(verifications.status, "pending")),
});

/** The condition that the payee has not said that these are not their details. */
export const verificationIsUndisputed = (services: ReadServices, organizationId: string, id: string) => ({
  name: "disputed",
  found: findWhere(services, { organizationId, id }, isNull(verifications.disputedByPayeeAt)),
});

const findWhere = ({ db }: ReadServices, { organizationId, id }: { organizationId: string; id: string }, holds: SQL) =>
  rowIn(db, verifications).where(
    and(eq(verifications.organizationId, organizationId), eq(verifications.id, id), holds),
  );

/** Adds new lookalikes to a pending verification's evidence; a decided one stays as it is. */
export function addLookalikes(
  { db }: ReadServices,
  organizationId: string,
  { verificationId, lookalikes }: { verificationId: string; lookalikes: readonly Lookalike[] },
): Statement[] {
  return lookalikes.map((lookalike) =>
    db
      .update(verifications)
      .set({
        evidence: sql`json_insert(${verifications.evidence}, '$.lookalikes[#]', json(${JSON.stringify(lookalike)}))`,
      })
      .where(
        and(
          eq(verifications.organizationId, organizationId),
          eq(verifications.id, verificationId),
          eq(verifications.status, "pending"),
        ),
      ),
  );
}

type Ending = {
  /** The decision's unique id, by which a repeated batch recognises its own row. */
  decisionId: string;
  verificationId: string;
  status: "verified" | "rejected" | "failed";
  reason?: string;
  /** The reason code, stored with the verification when there was no check outcome. */
  reasonCode?: string;
};

/**
 * Ends a pending verification, for a person or a rule: writes the decision (unique per verification) and the status,
 * and ends a running bank check. The command must require `verificationIsPending`. The payee link stops working because
 * the status has changed.
 */
export function endVerification(services: TimedServices, acting: Acting, ending: Ending): Statement[] {
  const { db, clock } = services;
  const now = clock.now();
  const { organizationId } = acting;
  const { decisionId, verificationId, status, reason, reasonCode } = ending;
  return [
    db.insert(decisions).values({
      id: decisionId,
      organizationId,
      verificationId,
      status,
      decidedById: acting.userId,
      reason: reason ?? null,
      createdAt: now,
    }),
    db
      .update(verifications)
      .set({
        status,
        approved: status === "verified",
        approvedAt: status === "verified" ? now : null,
        rejectedReason: status === "rejected" ? (reason ?? null) : null,
        ...(reasonCode ? { reasonCode } : {}),
        completedAt: now,
      })
      .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId))),
    ...abandonBankCheck(services, { organizationId, verificationId }),
  ];
}

/**
 * Ends the bank check in progress, if any, because the verification was decided without it. Makes its job due, so that
 * the provider's data about the payee is deleted now rather than at the next poll. Two statements, in this order.
 */
function abandonBankCheck(
  { db, clock }: TimedServices,
  { organizationId, verificationId }: { organizationId: string; verificationId: string },
): Statement[] {
  const now = clock.now();
  const isUnderWay = and(
    eq(bankChecks.organizationId, organizationId),
    eq(bankChecks.verificationId, verificationId),
    isNull(bankChecks.finishedAt),
  );
  const underWay = db.select({ id: bankChecks.id }).from(bankChecks).where(isUnderWay);
  return [
    db
      .update(outbox)
      .set({ dueAt: now, sentAt: null })
      .where(
        and(
          inArray(outbox.subjectId, underWay),
          eq(outbox.kind, "bank_check"),
          eq(outbox.status, "pending"),
          or(gt(outbox.dueAt, now), isNotNull(outbox.leaseId), isNotNull(outbox.sentAt)),
        ),
      ),
    db.update(bankChecks).set({ step: "finished", finishedAt: now }).where(isUnderWay),
  ];
}

/** A decision settles the payee's dispute; approving does this by whitelisting. */
export function settleDispute(services: ReadServices, acting: Acting, payeeId: string): Statement {
  return services.db
    .update(payees)
    .set({ disputedAt: null })
    .where(and(eq(payees.organizationId, acting.organizationId), eq(payees.id, payeeId)));
}

const VERBS = { verified: "approved", rejected: "rejected", failed: "ended", pending: "kept" } as const;

type Decided = Pick<VerificationDetail, "status" | "decision" | "decidedBy">;

/** "Dana Wu rejected this verification on 20 Nov 2026, 4:42 pm: Manual rejection" */
function whoDecidedSentence({ status, decision, decidedBy }: Decided, timeZone: string): string {
  if (!decision) return "This verification has already ended.";
  const on = formatDateTime(decision.createdAt, timeZone);
  const why = decision.reason && status !== "verified" ? `: ${decision.reason}` : ".";
  if (!decidedBy || status === "failed") return `This verification ended on ${on}${why}`;
  return `${displayName(decidedBy)} ${VERBS[status]} this verification on ${on}${why}`;
}

/** The error for a verification that is not pending: says who decided, when and how. */
export function alreadyDecided(verification: Decided, timeZone: string): AppError {
  const { status, decision, decidedBy } = verification;
  return new AppError("ALREADY_DECIDED", whoDecidedSentence(verification, timeZone), {
    extra: {
      decision: decision && {
        status,
        decidedBy: decidedBy && displayName(decidedBy),
        decidedAt: toIso(decision.createdAt),
        reason: decision.reason,
      },
    },
  });
}

export const verificationChanged = () =>
  new AppError(
    "VERIFICATION_CHANGED",
    "Something new is known about this verification since you opened it. Look again, then decide.",
  );

/**
 * A verification can be checked, or sent to the payee, only while it is pending and undisputed.
 * @throws AppError 409 ALREADY_DECIDED, PAYEE_DISPUTED
 */
export function requireUndecided(
  { timeZone }: Pick<Actor, "timeZone">,
  verification: Decided & Pick<VerificationDetail, "disputedByPayeeAt">,
): void {
  if (!isOpen(verification.status)) throw alreadyDecided(verification, timeZone);
  if (verification.disputedByPayeeAt !== null) {
    throw new AppError(
      "PAYEE_DISPUTED",
      "The payee said that these are not their details. Correct the details or reject the verification.",
    );
  }
}
