import { payees, rowIn, type Statement, verifications } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { maskAccountNumber } from "~/kernel/bank-account";
import { cleanText, isStorable } from "~/kernel/text";
import { findPolicy, policyIsUnchanged } from "~/modules/accounts/organizations/policy.server";
import { atOneInstant, type CommandPart, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { unwhitelistPayee, whitelistPayee } from "~/modules/payees/payee.server";
import {
  type Approval,
  findBankDetailsEditors,
  findHeldPaymentRecorders,
  isOwnWork,
} from "~/modules/payees/second-person.server";
import { gradeDetails, gradeFactsOf, gradeOf } from "~/modules/payees/verifications/outcomes";
import { findReviewFlags, flagFactsOf } from "~/modules/payees/verifications/review-flags";
import { DEFAULT_REJECTION_REASON } from "~/modules/payees/verifications/verification";
import {
  alreadyDecided,
  endVerification,
  getVerification,
  settleDispute,
  type VerificationDetail,
  verificationChanged,
  verificationIsPending,
} from "~/modules/payees/verifications/verification.server";
import { holdAuthorisedPayments, returnRequestedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { Actor, Asking, ReadServices, WriteServices } from "~/services-and-actor";
import { basisOf, REFUSALS, type Restoring, type Review, refuseEvidence, refuseReview } from "./review";

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

/** What a form or an API call sends with each decision. */
export type DecisionInput = {
  verificationId: string;
  /** Repeating the key returns the first decision. */
  idempotencyKey?: string;
  /** The state that the reviewer saw (`basisOf`). If it has changed since, they are asked to look again. */
  basis?: string;
};

/**
 * Records a reviewer's decision. Approving whitelists the payee, globally if requested. Rejecting ends the payee's
 * trust; `restoreFormerDetails` also restores the details it had before. If several people decide at once, exactly one
 * succeeds.
 *
 * @throws AppError 404; 403 SECOND_PERSON_REQUIRED; 409 ALREADY_DECIDED with who decided, PAYEE_ARCHIVED,
 * DETAILS_CHANGED, VERIFICATION_CHANGED, REASON_REQUIRED with `flags`, IDEMPOTENCY_CONFLICT
 */
export async function reviewVerification(
  services: WriteServices,
  actor: Actor,
  { verificationId, review, idempotencyKey: key, basis }: DecisionInput & { review: Review },
): Promise<VerificationDetail> {
  const asked = { operation: "review", key, input: [verificationId, review] };
  await runOnce(services, actor, asked, async (request) => {
    const seen = await readCase(services, actor, await getVerification(services, actor, verificationId));
    requireAllowed(seen, { review, basis });
    const at = atOneInstant(services);
    const result = await runCommand(at, actor, {
      conditions: caseIsAsSeen(services, actor, seen, { isApproval: review.approved }),
      uniques: { decided_meanwhile: "decisions" },
      parts: review.approved ? [approve(at, actor, seen, review)] : reject(at, actor, seen, review),
      request,
      answer: { status: review.approved ? "verified" : "rejected" },
    });
    if (!result.ok) throw await changedMeanwhile(services, actor, seen);
    return result.answer;
  });
  return getVerification(services, actor, verificationId);
}

type Approving = Extract<Review, { approved: true }>;

/** What a decision is judged by. */
export type Case = Awaited<ReturnType<typeof readCase>>;

export async function readCase(services: WriteServices, actor: Actor, verification: VerificationDetail) {
  const [policy, approval] = await Promise.all([
    findPolicy(services, actor.organizationId),
    findApprovalOfVerification(services, actor, verification),
  ]);
  const flags = findReviewFlags(flagFactsOf(verification));
  return { verification, policy, isOwn: isOwnWork(approval, actor.userId), flags };
}

/**
 * @param isOwnToRestore for a rejection that restores the former details: whether it is this person's own work
 * @throws AppError 409 ALREADY_DECIDED, PAYEE_ARCHIVED, DETAILS_CHANGED, VERIFICATION_CHANGED, REASON_REQUIRED; 403
 * SECOND_PERSON_REQUIRED
 */
export function requireAllowed(
  { verification, policy, isOwn, flags }: Case,
  { review, basis }: { review: Review | Restoring; basis?: string },
  isOwnToRestore?: boolean,
): void {
  const { secondPersonRequired, approvalEvidence, timeZone } = policy;
  const refused = refuseReview(verification, review, { secondPersonRequired, isOwn, isOwnToRestore });
  if (refused === "already_decided") throw alreadyDecided(verification, timeZone);
  if (refused) throw REFUSALS[refused]();
  if (basis !== undefined && basis !== basisOf(verification)) throw verificationChanged();
  if (!review.approved) return;
  const hasProof = verification.isCalledBack === 1;
  const lacking = refuseEvidence(flags, { policy: approvalEvidence, hasProof, hasReason: review.reason !== undefined });
  if (lacking) throw lacking;
}

/**
 * The conditions that nobody has decided, and that what the decision was judged by is unchanged.
 * @param isApproval it approves details, or restores them, so it also depends on the organisation's policy
 */
export function caseIsAsSeen(
  services: WriteServices,
  actor: Actor,
  { verification, policy }: Case,
  { isApproval }: { isApproval: boolean },
) {
  const { secondPersonRequired, approvalEvidence } = policy;
  const judgedBy = { secondPersonRequired, approvalEvidence };
  return [
    verificationIsPending(services, actor.organizationId, verification.id),
    verificationIsAsSeen(services, actor, verification),
    ...(isApproval ? [policyIsUnchanged(actor.organizationId, judgedBy, services.clock.now())] : []),
  ];
}

/** The error for a decision that was refused when it was written. */
export async function changedMeanwhile(services: ReadServices, actor: Actor, { verification, policy }: Case) {
  const now = await getVerification(services, actor, verification.id);
  return now.status === "pending" ? verificationChanged() : alreadyDecided(now, policy.timeZone);
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
  services: WriteServices,
  actor: Actor,
  { verification, isOwn, flags }: Case,
  { addToGlobalWhitelist, reason: how }: Approving,
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
        entityId: verificationId,
        details: {
          ...decidedOn(verification),
          addToGlobalWhitelist,
          selfApproval: isOwn,
          reason: how ?? null,
          flags,
          calledBack: verification.isCalledBack === 1,
          withoutCheck: flags.includes("unchecked"),
          ...gradeDetails(grade),
        },
      },
      {
        action: "payee.whitelisted",
        entityId: payee.id,
        details: { verificationId, whitelistGlobal: addToGlobalWhitelist || payee.whitelistGlobal },
      },
    ],
  };
}

export function reject(
  services: WriteServices,
  actor: Actor,
  { verification, flags }: Case,
  { reason, restoreFormer: isRestoring }: Exclude<Review | Restoring, Approving>,
): CommandPart[] {
  const { id: verificationId, payee } = verification;
  const isDisputed = verification.disputedByPayeeAt !== null;
  const ending = { decisionId: services.ids.next(), verificationId, status: "rejected", reason } as const;
  const rejected: CommandPart = {
    statements: [
      ...endVerification(services, actor, ending),
      // Rejecting the disputed details settles the dispute. Restoring brings back other details, so the dispute stays.
      ...(isDisputed && !isRestoring ? [settleDispute(services, actor, payee.id)] : []),
      forgetFormerDetails(services, actor, payee.id),
      ...returnRequestedPayments(services, actor, verificationId),
    ],
    audit: [
      {
        action: "verification.rejected",
        entityId: verificationId,
        details: { ...decidedOn(verification), reason, flags },
      },
    ],
  };
  const held = holdAuthorisedPayments(services, actor, { payee, cause: "verification_rejected" });
  if (!payee.whitelisted) return [rejected, held];
  const taken = { action: "payee.unwhitelisted", entityId: payee.id } as const;
  return [
    rejected,
    held,
    {
      statements: [unwhitelistPayee(services, actor, payee.id)],
      audit: [{ ...taken, details: { verificationId } }],
    },
  ];
}

/** Once the former details have been decided about, they are not offered again. */
const forgetFormerDetails = ({ db }: ReadServices, { organizationId }: Asking, payeeId: string): Statement =>
  db
    .update(payees)
    .set({ formerTrust: null })
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)));

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
 * The condition that the facts behind the decision are unchanged, and that the payee still has its name, its contact
 * and the submitted details.
 */
function verificationIsAsSeen({ db }: WriteServices, { organizationId }: Actor, seen: VerificationDetail) {
  const found = rowIn(db, verifications)
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
