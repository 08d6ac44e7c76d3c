import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isPreconditionError, isUniqueError } from "@db/errors";
import { precondition } from "@db/precondition";
import { decisions, payees, verifications } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { findFirstAnswer, hashRequest, type IdempotentCall, keepAnswer } from "~/modules/commands/idempotency.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { returnRequestedPayments } from "~/modules/payment-holds/payment-holds.statements.server";
import { getVerification, type VerificationDetail } from "~/modules/verifications/verification.queries.server";
import { endVerification, settleDispute, whilePending } from "~/modules/verifications/verification.statements.server";
import { unwhitelistPayee, whitelistPayee } from "~/modules/whitelist/whitelist.statements.server";
import type { Services } from "~/services";
import { basisOf, isOwnWork, type Review, refuseReview } from "./review";
import { alreadyDecided, detailsChanged, secondPersonRequired, verificationChanged } from "./review.errors.server";

type Reviewing = Pick<Services, "db" | "clock" | "ids" | "secrets">;

export type ReviewInput = {
  verificationId: string;
  review: Review;
  /** Of the form or the call: the same key again is answered with the decision it made. */
  idempotencyKey?: string;
  /** What the reviewer had before them (`basisOf`); if something else is known by now, they look again. */
  basis?: string;
};

/**
 * A reviewer's decision: approve (the payee is whitelisted, globally if asked) or reject (the payee is trusted no more).
 * Of several people at once exactly one decides.
 *
 * @throws AppError 404; 403 SECOND_PERSON_REQUIRED; 409 ALREADY_DECIDED with who decided, DETAILS_CHANGED,
 * VERIFICATION_CHANGED, IDEMPOTENCY_CONFLICT
 */
export async function reviewVerification(
  services: Reviewing,
  actor: Actor,
  input: ReviewInput,
): Promise<VerificationDetail> {
  const { verificationId, review } = input;
  const call = await toCall(services, actor, input);
  if (call && (await findFirstAnswer(services, call))) return getVerification(services, actor, verificationId);

  const verification = await getVerification(services, actor, verificationId);
  const policy = await findPolicy(services, actor.organizationId);
  switch (refuseReview(verification, review, actor.userId, policy)) {
    case "already_decided":
      throw alreadyDecided(verification, policy.timeZone);
    case "details_changed":
      throw detailsChanged();
    case "second_person_required":
      throw secondPersonRequired();
  }
  if (input.basis !== undefined && input.basis !== basisOf(verification)) throw verificationChanged();

  const decisionId = services.ids.next();
  const statements = [
    whilePending(services, actor.organizationId, verificationId),
    whileUnchanged(services, actor, verification),
    ...decide(services, actor, verification, review, decisionId),
    ...(call ? [keepAnswer(services, call, { decisionId })] : []),
  ];
  try {
    await commit(services.db, statements, () => decisionExists(services, actor, decisionId));
  } catch (error) {
    if (!isPreconditionError(error) && !isUniqueError(error)) throw error;
    if (!(call && (await findFirstAnswer(services, call)))) {
      const now = await getVerification(services, actor, verificationId);
      throw now.status === "pending" ? verificationChanged() : alreadyDecided(now, policy.timeZone);
    }
  }
  return getVerification(services, actor, verificationId);
}

function decide(
  services: Reviewing,
  actor: Actor,
  verification: VerificationDetail,
  review: Review,
  decisionId: string,
): Statement[] {
  const { id: verificationId, payee } = verification;
  const details = {
    payeeId: payee.id,
    accountNumber: maskAccountNumber(verification.accountNumber),
    method: verification.method,
    outcome: verification.outcome,
    nameMatchScore: verification.nameMatchScore,
  };
  const onVerification = { entityType: "verification", entityId: verificationId } as const;
  const onPayee = { entityType: "payee", entityId: payee.id, details: { verificationId } } as const;
  const returned = returnRequestedPayments(services, actor, verificationId);
  if (review.approved) {
    const global = review.addToGlobalWhitelist;
    const selfApproval = isOwnWork(verification, actor.userId);
    return [
      ...endVerification(services, actor, { decisionId, verificationId, status: "verified" }),
      whitelistPayee(services, actor, { payeeId: payee.id, reason: "Verification approved by a reviewer", global }),
      ...returned,
      recordAudit(services, actor, {
        ...onVerification,
        action: "verification.approved",
        details: { ...details, addToGlobalWhitelist: global, selfApproval },
      }),
      recordAudit(services, actor, {
        ...onPayee,
        action: "payee.whitelisted",
        details: { verificationId, whitelistGlobal: global || payee.whitelistGlobal },
      }),
    ];
  }
  const { reason } = review;
  return [
    ...endVerification(services, actor, { decisionId, verificationId, status: "rejected", reason }),
    settleDispute(services, actor, payee.id),
    ...returned,
    recordAudit(services, actor, {
      ...onVerification,
      action: "verification.rejected",
      details: { ...details, reason },
    }),
    ...(payee.whitelisted
      ? [
          unwhitelistPayee(services, actor, payee.id),
          recordAudit(services, actor, { ...onPayee, action: "payee.unwhitelisted" }),
        ]
      : []),
  ];
}

/** Second statement of the batch: what was decided on is still so, and the payee still has the submitted details. */
function whileUnchanged(services: Reviewing, actor: Actor, seen: VerificationDetail): Statement {
  const { db } = services;
  return precondition(
    db,
    db
      .select({ one: sql`1` })
      .from(verifications)
      .innerJoin(
        payees,
        and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
      )
      .where(
        and(
          eq(verifications.organizationId, actor.organizationId),
          eq(verifications.id, seen.id),
          sql`${verifications.outcome} IS ${seen.outcome}`,
          sql`${verifications.nameMatchScore} IS ${seen.nameMatchScore}`,
          sql`${verifications.disputedByPayeeAt} IS ${seen.disputedByPayeeAt}`,
          eq(payees.accountName, seen.payee.accountName),
          eq(payees.bsb, seen.payee.bsb),
          eq(payees.accountNumber, seen.payee.accountNumber),
          eq(payees.whitelisted, seen.payee.whitelisted),
        ),
      ),
  );
}

async function decisionExists({ db }: Reviewing, actor: Actor, decisionId: string): Promise<boolean> {
  const rows = await db
    .select({ id: decisions.id })
    .from(decisions)
    .where(and(eq(decisions.organizationId, actor.organizationId), eq(decisions.id, decisionId)));
  return rows.length > 0;
}

/** The key belongs to this person and this decision: anybody else's use of it is a conflict. */
async function toCall(services: Reviewing, actor: Actor, input: ReviewInput): Promise<IdempotentCall | undefined> {
  const { idempotencyKey: key, verificationId, review } = input;
  if (!key) return undefined;
  const requestHash = await hashRequest(services, "review", [actor.userId, verificationId, review]);
  return { organizationId: actor.organizationId, key, requestHash };
}
