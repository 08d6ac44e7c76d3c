import { type Condition, payees, verifications } from "@db/database";
import { and, desc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { maskAccountNumber } from "~/kernel/bank-account";
import type { BankDetails } from "~/kernel/payee";
import { cleanText, isStorable } from "~/kernel/text";
import { findPolicy, policyIsUnchanged } from "~/modules/accounts/organizations/policy.server";
import { atOneInstant, type CommandPart, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { forgetFormerTrust, putFormerBack } from "~/modules/payees/former-trust.server";
import {
  accountIsFree,
  accountTaken,
  getPayee,
  payeeIsUnchanged,
  requireFreeAccount,
  unwhitelistPayee,
  whitelistPayee,
} from "~/modules/payees/payee.server";
import { type Approval, isOwnWork } from "~/modules/payees/second-person";
import { findBankDetailsEditors, findHeldPaymentRecorders } from "~/modules/payees/second-person.server";
import { findFormerHolders, formerHoldersBesides } from "~/modules/payees/verifications/former-accounts.server";
import { gradeDetails, gradeFactsOf, gradeOf } from "~/modules/payees/verifications/grade";
import { findReviewFlags, flagFactsOf, isConfirmedByBank } from "~/modules/payees/verifications/review-flags";
import { DEFAULT_REJECTION_REASON } from "~/modules/payees/verifications/verification";
import {
  type Asking,
  alreadyDecided,
  endVerification,
  getVerification,
  gradeColumns,
  settleDispute,
  type VerificationDetail,
  verificationChanged,
  verificationIsPending,
} from "~/modules/payees/verifications/verification.server";
import { holdAuthorisedPayments, returnRequestedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { Actor, NotifyServices, ReadServices } from "~/services-and-actor";
import {
  basisOf,
  judgeRestoring,
  REFUSALS,
  type Review,
  refuseEvidence,
  refuseReasonToRestore,
  refuseReview,
} from "./review";

const MAX_REASON = 500;

const NO_REASON = "Give a reason for rejecting";

export const rejectionReason = z
  .string({ error: NO_REASON })
  .refine(isStorable, "The reason contains characters that cannot be stored")
  .transform(cleanText)
  .pipe(
    z.string({ error: NO_REASON }).min(1, NO_REASON).max(MAX_REASON, `Keep the reason under ${MAX_REASON} characters`),
  );

/** How the details were confirmed; an empty field counts as absent. */
export const approvalReason = z
  .string()
  .max(MAX_REASON, `Keep the reason under ${MAX_REASON} characters`)
  .refine(isStorable, "The reason contains characters that cannot be stored")
  .transform((text) => cleanText(text) || undefined)
  .optional();

/** Body of POST /api/verifications/{id}/review (specification, section 7). */
export const reviewSchema = z.discriminatedUnion(
  "approved",
  [
    z.object({
      approved: z.literal(true),
      addToGlobalWhitelist: z
        .boolean()
        .default(false)
        .meta({ description: "Lets other organisations learn that an organisation trusts the account, never which." }),
      reason: approvalReason,
    }),
    z.object({
      approved: z.literal(false),
      reason: rejectionReason.default(DEFAULT_REJECTION_REASON),
      restoreFormer: z.boolean().default(false).meta({
        description:
          "Puts back the name and bank details that a trusted payee had before they were changed. If you leave this out, they are not offered again: to use them later, edit the payee and have them verified.",
      }),
    }),
  ],
  { error: "Set approved to true or false" },
);

type ReviewInput = {
  verificationId: string;
  review: Review;
  /** Sent by the form or API call: repeating the key returns the first decision. */
  idempotencyKey?: string;
  /** The state that the reviewer saw (`basisOf`). If it has changed since, they are asked to look again. */
  basis?: string;
};

/**
 * A message to the payee's contacts may be sent just as the former details are restored; the restoring is then planned
 * again.
 */
const TRIES = 3;

/**
 * Records a reviewer's decision. Approving whitelists the payee, globally if requested. Rejecting ends the payee's
 * trust or, if the reviewer chooses so, restores its former details: trusted again if the reviewer could approve them,
 * otherwise pending. Its contacts are told about restored bank details as about any change. If several people decide at
 * once, exactly one succeeds.
 *
 * @throws AppError 404; 403 SECOND_PERSON_REQUIRED; 409 ALREADY_DECIDED with who decided, PAYEE_ARCHIVED,
 * DETAILS_CHANGED, VERIFICATION_CHANGED, REASON_REQUIRED with `flags`, NOTHING_TO_RESTORE, DUPLICATE_PAYEE,
 * IDEMPOTENCY_CONFLICT
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
    const { verification } = seen;
    for (let attempt = 1; ; attempt++) {
      const at = atOneInstant(services);
      const restoring = review.approved ? undefined : await planRestoring(at, actor, seen, review);
      const result = await runCommand(at, actor, {
        conditions: [
          verificationIsPending(services, actor.organizationId, verificationId),
          verificationIsAsSeen(services, actor, verification),
          ...(review.approved || restoring
            ? [policyIsUnchanged(actor.organizationId, judgedBy(seen.policy), services.clock.now())]
            : []),
          ...(restoring?.conditions ?? []),
        ],
        uniques: { decided_meanwhile: "decisions", account_taken: "payees" },
        parts: review.approved
          ? [approve(at, actor, seen, review)]
          : [...reject(at, actor, seen, review), ...(restoring?.parts ?? [])],
        request,
        answer: { status: review.approved ? "verified" : "rejected" },
      });
      if (result.ok) return result.answer;
      if (result.refused === "notice_sent" && attempt < TRIES) continue;
      if (restoring && result.refused === "account_taken") {
        throw await accountTaken(services, actor.organizationId, restoring.former);
      }
      const now = await getVerification(services, actor, verificationId);
      throw now.status === "pending" ? verificationChanged() : alreadyDecided(now, seen.policy.timeZone);
    }
  });
  return getVerification(services, actor, verificationId);
}

/** The policies that an approval, or a restoring that counts as one, depends on. */
const judgedBy = ({ secondPersonRequired, approvalEvidence }: Seen["policy"]) => ({
  secondPersonRequired,
  approvalEvidence,
});

type Seen = Awaited<ReturnType<typeof requireAllowed>>;
type Rejection = Extract<Review, { approved: false }>;

/** @throws AppError as listed at `reviewVerification` */
async function requireAllowed(services: NotifyServices, actor: Actor, { verificationId, review, basis }: ReviewInput) {
  const verification = await getVerification(services, actor, verificationId);
  const isRestoring = !review.approved && review.restoreFormer === true;
  const [policy, approval, toRestore] = await Promise.all([
    findPolicy(services, actor.organizationId),
    findApprovalOfVerification(services, actor, verification),
    isRestoring ? findRestoring(services, actor, verification) : undefined,
  ]);
  const isOwn = isOwnWork(approval, actor.userId);
  const isOwnToRestore = toRestore && isOwnWork(toRestore.approval, actor.userId);
  const reviewer = { secondPersonRequired: policy.secondPersonRequired, isOwn, isOwnToRestore };
  const refused = refuseReview(verification, review, reviewer);
  if (refused === "already_decided") throw alreadyDecided(verification, policy.timeZone);
  if (refused) throw REFUSALS[refused]();
  if (basis !== undefined && basis !== basisOf(verification)) throw verificationChanged();
  const flags = findReviewFlags(flagFactsOf(verification));
  const isCalledBack = verification.isCalledBack === 1;
  const support = { policy: policy.approvalEvidence, hasProof: isCalledBack };
  const lacking = review.approved && refuseEvidence(flags, { ...support, hasReason: review.reason !== undefined });
  if (lacking) throw lacking;
  return { verification, isOwn, isOwnToRestore, toRestore, policy, flags, isCalledBack };
}

/** The part of the audit entry that all decisions share. */
const decidedOn = ({ payee, accountNumber, method, outcome, nameMatchScore }: VerificationDetail) => ({
  payeeId: payee.id,
  accountNumber: maskAccountNumber(accountNumber),
  method,
  outcome,
  nameMatchScore,
});

function approve(
  services: NotifyServices,
  actor: Actor,
  { verification, isOwn, flags, isCalledBack }: Seen,
  { addToGlobalWhitelist, reason: how }: Extract<Review, { approved: true }>,
): CommandPart {
  const { id: verificationId, payee } = verification;
  const reason = "Verification approved by a reviewer";
  const grade = gradeOf({ ...gradeFactsOf(verification), status: "verified", decider: "person" });
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
  { verification, flags }: Seen,
  { reason, restoreFormer: isRestoring }: Rejection,
): CommandPart[] {
  const { id: verificationId, payee } = verification;
  const isDisputed = verification.disputedByPayeeAt !== null;
  const ending = { decisionId: services.ids.next(), verificationId, status: "rejected", reason } as const;
  const rejected: CommandPart = {
    statements: [
      ...endVerification(services, actor, ending),
      // Rejecting the disputed details settles the dispute. Restoring brings back other details, so the dispute stays.
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
  if (!payee.whitelisted) return [rejected, held];
  const taken = { action: "payee.unwhitelisted", entityType: "payee", entityId: payee.id } as const;
  return [
    rejected,
    held,
    {
      statements: [unwhitelistPayee(services, actor, payee.id)],
      audit: [{ ...taken, details: { verificationId } }],
    },
  ];
}

/**
 * Whether and how the former details are restored; undefined when that was not requested.
 * @param services with the clock fixed at one instant, because the verification that may open is recognised by being no
 * older than the change
 * @throws AppError 409 NOTHING_TO_RESTORE, REASON_REQUIRED with `flags`, DUPLICATE_PAYEE
 */
async function planRestoring(
  services: NotifyServices,
  actor: Actor,
  { verification, toRestore, isOwnToRestore, policy, flags }: Seen,
  { reason, restoreFormer }: Rejection,
) {
  if (!restoreFormer) return undefined;
  const { organizationId } = actor;
  const payee = await getPayee(services, actor, verification.payee.id);
  const judged = toRestore && judgeRestoring(payee, { ...toRestore, flags, policy: policy.approvalEvidence });
  if (!judged) throw REFUSALS.nothing_to_restore();
  const { former, noTrust, asksFor } = judged;
  const refused = refuseReasonToRestore(asksFor, reason);
  if (refused) throw refused;
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

/** Everybody who would approve their own work by approving the verification. */
export async function findApprovalOfVerification(
  services: ReadServices,
  actor: Asking,
  { payee, requestedById }: VerificationDetail,
): Promise<Approval> {
  const [enteredBy, recordedBy] = await Promise.all([
    findBankDetailsEditors(services, actor, payee),
    findHeldPaymentRecorders(services, actor, payee.id),
  ]);
  return { enteredBy, requestedById, recordedBy };
}

/**
 * Everybody who would approve their own work by restoring the payee's former details, whether a bank or a call-back
 * confirmed those when they were approved, and whether another payee had the account since.
 */
export async function findRestoring(services: ReadServices, actor: Asking, verification: VerificationDetail) {
  const { payee } = verification;
  const { formerTrust: former } = payee;
  if (!former) return undefined;
  const [approval, formerlyEnteredBy, isConfirmed, holders] = await Promise.all([
    findApprovalOfVerification(services, actor, verification),
    findBankDetailsEditors(services, actor, { ...payee, ...former, name: former.name ?? payee.name }),
    wasConfirmed(services, actor, payee.id, former),
    findFormerHolders(services, actor.organizationId, [former]),
  ]);
  const since = former.whitelistedAt ?? 0;
  const hasLaterHolder = formerHoldersBesides(holders(former), payee.id).some(({ until }) => until > since);
  const enteredBy = new Set([...approval.enteredBy, ...formerlyEnteredBy]);
  return { approval: { ...approval, enteredBy }, isConfirmed, hasLaterHolder };
}

/** True if a bank or a call-back confirmed these details in the verification that last approved them. */
async function wasConfirmed(
  services: ReadServices,
  actor: Asking,
  payeeId: string,
  { accountName, bsb, accountNumber }: BankDetails,
): Promise<boolean> {
  const [approved] = await services.db
    .select({
      outcome: verifications.outcome,
      resultData: verifications.resultData,
      isCalledBack: gradeColumns("verifications").isCalledBack,
    })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, actor.organizationId),
        eq(verifications.payeeId, payeeId),
        eq(verifications.status, "verified"),
        eq(verifications.accountName, accountName),
        eq(verifications.bsb, bsb),
        eq(verifications.accountNumber, accountNumber),
      ),
    )
    .orderBy(desc(verifications.id))
    .limit(1);
  return approved !== undefined && (isConfirmedByBank(approved) || approved.isCalledBack === 1);
}

/**
 * The condition that the facts behind the decision are unchanged, and that the payee still has its name, its contact
 * and the submitted details.
 */
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
