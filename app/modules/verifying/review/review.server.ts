import type { Condition } from "@db/precondition";
import { payees, verifications } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { atOneInstant, runOnce } from "~/modules/core/commands/idempotency.server";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import { forgetFormerTrust, putFormerBack } from "~/modules/payees/former-trust.server";
import {
  accountIsFree,
  accountTaken,
  getPayee,
  payeeIsUnchanged,
  requireFreeAccount,
} from "~/modules/payees/payee.server";
import { isOwnWork } from "~/modules/payees/second-person";
import { gradeDetails, gradeFactsOf, gradeOf } from "~/modules/payees/verifications/grade";
import {
  FLAG_REASONS,
  findReviewFlags,
  flagFactsOf,
  flagsNeedingReason,
  missingEvidence,
  type ReviewFlag,
  type Support,
} from "~/modules/payees/verifications/review-flags";
import { alreadyDecided, verificationChanged } from "~/modules/payees/verifications/undecided.server";
import {
  endVerification,
  getVerification,
  settleDispute,
  type VerificationDetail,
  verificationIsPending,
} from "~/modules/payees/verifications/verification.server";
import { unwhitelistPayee, whitelistPayee } from "~/modules/payees/whitelist/whitelist.server";
import { holdAuthorisedPayments, returnRequestedPayments } from "~/modules/rules/payment-holds.statements.server";
import { hasProof } from "~/modules/verifying/call-backs/call-back";
import { listCalls } from "~/modules/verifying/call-backs/call-back.server";
import type { NotifyServices } from "~/services";
import { ARCHIVED_PAYEE } from "./approving.view";
import { isOwnReason, judgeRestoring, sayReasonToRestore } from "./restoring";
import { basisOf, type Review, refuseReview } from "./review";
import { findApprovalOfVerification, findRestoring } from "./review.queries.server";

export const detailsChanged = () =>
  new AppError(
    "DETAILS_CHANGED",
    409,
    "The payee's bank details have changed since this verification was opened, so these cannot be approved.",
  );

/** The page says it where the form would be, and the answer that refuses says the same. */
export const payeeArchived = () => new AppError("PAYEE_ARCHIVED", 409, ARCHIVED_PAYEE.text);

export const secondPersonRequired = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    "Your organisation requires a second person: people who entered any of these bank details here or in the accounting system they came from, connected that system, requested the verification or recorded a payment that waits for it cannot approve it.",
  );

export const secondPersonToRestore = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    "Your organisation requires a second person, and restoring the former details trusts them again: people who entered them or the present ones, requested the verification or recorded a payment that waits for it cannot restore them. Reject without restoring, or leave it to someone else.",
  );

export const reasonToRestore = (flags: readonly ReviewFlag[]) =>
  new AppError("REASON_REQUIRED", 409, sayReasonToRestore(flags), { extra: { flags } });

/** The approval has to say how the details were confirmed: because of what speaks against them, or always. */
export const reasonRequired = (flags: readonly ReviewFlag[]) => {
  const why = flags.length > 0 ? flags.map((flag) => FLAG_REASONS[flag]).join("; ") : "your organisation always asks";
  return new AppError(
    "REASON_REQUIRED",
    409,
    `Say how you confirmed the details, or record a call-back, before you approve: ${why}.`,
    { extra: { flags } },
  );
};

/** The organisation approves only what a bank or a call-back has confirmed. */
export const checkOrCallBackRequired = (flags: readonly ReviewFlag[]) =>
  new AppError(
    "REASON_REQUIRED",
    409,
    "Your organisation approves only after a bank check or a confirmed call-back. Verify with the bank or record a call, then approve.",
    { extra: { flags, requires: "check_or_call_back" } },
  );

export const nothingToRestore = () =>
  new AppError(
    "NOTHING_TO_RESTORE",
    409,
    "There are no former bank details to restore: the payee was not on the whitelist before the change, was taken off it since, or has them already.",
  );

/** For the page: a reason that is asked for is said beside the field it belongs in. */
export const atReasonField = (error: AppError) =>
  error.code === "REASON_REQUIRED"
    ? new AppError(error.code, error.status, error.message, { fieldErrors: { reason: [error.message] } })
    : error;

export type ReviewInput = {
  verificationId: string;
  review: Review;
  /** Of the form or the call: the same key again is answered with the decision it made. */
  idempotencyKey?: string;
  /** What the reviewer had before them (`basisOf`); if something else is known by now, they look again. */
  basis?: string;
};

/**
 * A reviewer's decision: approve (the payee is whitelisted, globally if asked) or reject (the payee is trusted no more, or
 * goes back to its former details where the reviewer restores them: trusted again where an approval of them may be made,
 * else waiting for one; its contacts are told of restored bank details as of any change). Of several people at once exactly
 * one decides.
 *
 * @throws AppError 404; 403 SECOND_PERSON_REQUIRED; 409 ALREADY_DECIDED with who decided, PAYEE_ARCHIVED, DETAILS_CHANGED,
 * VERIFICATION_CHANGED, REASON_REQUIRED with `flags`, NOTHING_TO_RESTORE, DUPLICATE_PAYEE, IDEMPOTENCY_CONFLICT
 */
export async function reviewVerification(
  services: NotifyServices,
  actor: Actor,
  input: ReviewInput,
): Promise<VerificationDetail> {
  const { verificationId, review, idempotencyKey: key } = input;
  const asked = { operation: "review", key, input: [verificationId, review] };
  await runOnce(services, actor, asked, async (request) => {
    const seen = await requireAllowed(services, actor, input);
    const { result, restoring } = await decide(services, actor, input, { seen, request });
    if (!result.ok) {
      const former = restoring?.former;
      if (former && result.refused === "account_taken")
        throw await accountTaken(services, actor.organizationId, former);
      throw await whyRefused(services, actor, verificationId, seen.timeZone);
    }
    return result.answer;
  });
  return getVerification(services, actor, verificationId);
}

type Deciding = {
  seen: Awaited<ReturnType<typeof requireAllowed>>;
  request: Parameters<Parameters<typeof runOnce>[3]>[0];
};

/** A notice to the payee's contacts may be sent at the very moment of a restoring that it was to tell of: it is planned anew. */
const TRIES = 3;

async function decide(
  services: NotifyServices,
  actor: Actor,
  { verificationId, review }: ReviewInput,
  { seen, request }: Deciding,
) {
  const { verification } = seen;
  for (let attempt = 1; ; attempt++) {
    const at = atOneInstant(services);
    const restoring = review.approved ? undefined : await planRestoring(at, actor, seen, review);
    const result = await runCommand(at, actor, {
      conditions: [
        verificationIsPending(services, actor.organizationId, verificationId),
        verificationIsAsSeen(services, actor, verification),
        ...(restoring?.conditions ?? []),
      ],
      uniques: { decided_meanwhile: "decisions", account_taken: "payees" },
      parts: review.approved
        ? [approve(at, actor, verification, { ...review, ...seen })]
        : [
            ...reject(at, actor, verification, {
              ...review,
              flags: seen.flags,
              isRestoring: restoring !== undefined,
            }),
            ...(restoring?.parts ?? []),
          ],
      request,
      answer: { status: review.approved ? "verified" : "rejected" },
    });
    if (result.ok || result.refused !== "notice_sent" || attempt === TRIES) return { result, restoring };
  }
}

/** @throws AppError as `reviewVerification` says */
async function requireAllowed(services: NotifyServices, actor: Actor, { verificationId, review, basis }: ReviewInput) {
  const verification = await getVerification(services, actor, verificationId);
  const isRestoring = !review.approved && review.restoreFormer === true;
  const [policy, approval, calls, toRestore] = await Promise.all([
    findPolicy(services, actor.organizationId),
    findApprovalOfVerification(services, actor, verification),
    review.approved ? listCalls(services, actor, verificationId) : [],
    isRestoring ? findRestoring(services, actor, verification) : undefined,
  ]);
  const { secondPersonRequired: isSecondRequired, timeZone } = policy;
  const isOwn = isOwnWork(approval, actor.userId);
  const isOwnToRestore = toRestore && isOwnWork(toRestore.approval, actor.userId);
  switch (refuseReview(verification, review, { secondPersonRequired: isSecondRequired, isOwn, isOwnToRestore })) {
    case "already_decided":
      throw alreadyDecided(verification, timeZone);
    case "payee_archived":
      throw payeeArchived();
    case "details_changed":
      throw detailsChanged();
    case "second_person_required":
      throw secondPersonRequired();
    case "second_person_to_restore":
      throw secondPersonToRestore();
  }
  if (basis !== undefined && basis !== basisOf(verification)) throw verificationChanged();
  const flags = findReviewFlags(flagFactsOf(verification));
  const isCalledBack = hasProof(calls);
  if (review.approved) {
    const support = { policy: policy.approvalEvidence, hasReason: review.reason !== undefined, hasProof: isCalledBack };
    requireEvidence(flags, support);
  }
  return { verification, isOwn, isOwnToRestore, toRestore, policy, flags, isCalledBack, timeZone };
}

/** @throws AppError 409 REASON_REQUIRED with `flags` */
function requireEvidence(flags: readonly ReviewFlag[], support: Support): void {
  const missing = missingEvidence(flags, support);
  if (missing === "check_or_call_back") throw checkOrCallBackRequired(flags);
  if (missing === "reason") throw reasonRequired(flagsNeedingReason(flags));
}

async function whyRefused(
  services: NotifyServices,
  actor: Actor,
  verificationId: string,
  timeZone: string,
): Promise<AppError> {
  const now = await getVerification(services, actor, verificationId);
  return now.status === "pending" ? verificationChanged() : alreadyDecided(now, timeZone);
}

/** What the audit trail says of a decision, whichever it is. */
const decidedOn = ({ payee, accountNumber, method, outcome, nameMatchScore }: VerificationDetail) => ({
  payeeId: payee.id,
  accountNumber: maskAccountNumber(accountNumber),
  method,
  outcome,
  nameMatchScore,
});

type Approving = {
  addToGlobalWhitelist: boolean;
  isOwn: boolean;
  reason?: string;
  flags: ReviewFlag[];
  isCalledBack: boolean;
};

function approve(
  services: NotifyServices,
  actor: Actor,
  verification: VerificationDetail,
  { addToGlobalWhitelist, isOwn, reason: how, flags, isCalledBack }: Approving,
): CommandPart {
  const { id: verificationId, payee } = verification;
  const reason = "Verification approved by a reviewer";
  const grade = gradeOf({
    ...gradeFactsOf(verification),
    ...{ status: "verified", isCalledBack, decider: "person" },
  });
  const ending = { decisionId: services.ids.next(), verificationId, status: "verified", reason: how } as const;
  return {
    statements: [
      ...endVerification(services, actor, ending),
      whitelistPayee(services, actor, { payeeId: payee.id, reason, global: addToGlobalWhitelist }),
      ...returnRequestedPayments(services, actor, verificationId),
    ],
    audit: [
      {
        action: "verification.approved",
        entityType: "verification",
        entityId: verificationId,
        details: {
          ...decidedOn(verification),
          addToGlobalWhitelist,
          selfApproval: isOwn,
          reason: how ?? null,
          flags,
          calledBack: isCalledBack,
          withoutCheck: flags.includes("unchecked"),
          ...gradeDetails(grade),
        },
      },
      {
        action: "payee.whitelisted",
        entityType: "payee",
        entityId: payee.id,
        details: { verificationId, whitelistGlobal: addToGlobalWhitelist || payee.whitelistGlobal },
      },
    ],
  };
}

function reject(
  services: NotifyServices,
  actor: Actor,
  verification: VerificationDetail,
  { reason, flags, isRestoring }: { reason: string; flags: readonly ReviewFlag[]; isRestoring: boolean },
): CommandPart[] {
  const { id: verificationId, payee } = verification;
  const isDisputed = verification.disputedByPayeeAt !== null;
  const ending = { decisionId: services.ids.next(), verificationId, status: "rejected", reason } as const;
  const rejected: CommandPart = {
    statements: [
      ...endVerification(services, actor, ending),
      // Rejecting details answers a dispute of them, not one of others. Restoring goes back to others.
      ...(isDisputed && !isRestoring ? [settleDispute(services, actor, payee.id)] : []),
      forgetFormerTrust(services, actor.organizationId, payee.id),
      ...returnRequestedPayments(services, actor, verificationId),
    ],
    audit: [
      {
        action: "verification.rejected",
        entityType: "verification",
        entityId: verificationId,
        details: { ...decidedOn(verification), reason, flags },
      },
    ],
  };
  const held = holdAuthorisedPayments(services, actor, { payee, cause: "verification_rejected" });
  return [rejected, held, ...(payee.whitelisted ? [takeOffWhitelist(services, actor, verification)] : [])];
}

/**
 * Whether and how the former details are put back; undefined when that was not asked for.
 * @param services at one instant: the verification that may open is known by being no older than the change
 * @throws AppError 409 NOTHING_TO_RESTORE, REASON_REQUIRED with `flags`, DUPLICATE_PAYEE
 */
async function planRestoring(
  services: NotifyServices,
  actor: Actor,
  { verification, toRestore, isOwnToRestore, policy, flags }: Awaited<ReturnType<typeof requireAllowed>>,
  { reason, restoreFormer }: { reason: string; restoreFormer?: boolean },
) {
  if (!restoreFormer) return undefined;
  const { organizationId } = actor;
  const payee = await getPayee(services, actor, verification.payee.id);
  const evidence = { flags, policy: policy.approvalEvidence, isConfirmed: toRestore?.isConfirmed ?? false };
  const judged = judgeRestoring(payee, evidence);
  if (!judged || !toRestore) throw nothingToRestore();
  const { former, noTrust, asksFor } = judged;
  if (asksFor !== null && !isOwnReason(reason)) throw reasonToRestore(asksFor);
  await requireFreeAccount(services, organizationId, former, payee.id);
  const isTrusted = noTrust === null;
  const details = { verificationId: verification.id, reason, flags, noTrust, selfApproval: isOwnToRestore ?? false };
  const back = await putFormerBack(services, actor, { payee, former, isTrusted, details });
  return {
    former,
    conditions: [
      payeeIsUnchanged(services, organizationId, payee),
      accountIsFree(organizationId, former, payee.id),
      ...back.conditions,
    ],
    parts: back.parts,
  };
}

function takeOffWhitelist(services: NotifyServices, actor: Actor, { id, payee }: VerificationDetail): CommandPart {
  const entry = { action: "payee.unwhitelisted", entityType: "payee", entityId: payee.id } as const;
  return {
    statements: [unwhitelistPayee(services, actor, payee.id)],
    audit: [{ ...entry, details: { verificationId: id } }],
  };
}

/** What was decided on is still so, and the payee still has its name, its contact and the submitted details. */
function verificationIsAsSeen(
  { db }: NotifyServices,
  { organizationId }: Actor,
  seen: VerificationDetail,
): Condition<"changed"> {
  const found = db
    .select({ one: sql`1` })
    .from(verifications)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.id, seen.id),
        sql`${verifications.outcome} IS ${seen.outcome}`,
        sql`${verifications.nameMatchScore} IS ${seen.nameMatchScore}`,
        sql`${verifications.disputedByPayeeAt} IS ${seen.disputedByPayeeAt}`,
        eq(payees.accountName, seen.payee.accountName),
        eq(payees.bsb, seen.payee.bsb),
        eq(payees.accountNumber, seen.payee.accountNumber),
        eq(payees.name, seen.payee.name),
        eq(payees.whitelisted, seen.payee.whitelisted),
        sql`${payees.contactChangedAt} IS ${seen.payee.contactChangedAt}`,
        sql`${payees.disputedAt} IS ${seen.payee.disputedAt}`,
        sql`${payees.archivedAt} IS ${seen.payee.archivedAt}`,
      ),
    );
  return { name: "changed", found };
}
