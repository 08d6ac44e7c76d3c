import { columnsOf, payees, verifications } from "@db/database";
import { and, desc, eq, sql } from "drizzle-orm";
import type { BankDetails } from "~/kernel/payee";
import { atOneInstant, type CommandPart, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-keys";
import { prepareChangeNotices } from "~/modules/payees/change-notices.server";
import { openPrepared, prepareVerification } from "~/modules/payees/open-verification.server";
import {
  accountIsFree,
  accountTaken,
  detailsOf,
  getPayee,
  insertChanges,
  payeeIsUnchanged,
  replaceTerms,
} from "~/modules/payees/payee.server";
import { decideEdit, maskChange } from "~/modules/payees/payee-edit";
import { findBankDetailsEditors, isOwnWork } from "~/modules/payees/second-person.server";
import { findFormerHolders, formerHoldersBesides } from "~/modules/payees/verifications/evidence.server";
import { isConfirmedByBank } from "~/modules/payees/verifications/review-flags";
import {
  getVerification,
  gradeColumns,
  type VerificationDetail,
} from "~/modules/payees/verifications/verification.server";
import type { Actor, Asking, ReadServices, WriteServices } from "~/services-and-actor";
import { judgeRestoring, REFUSALS, refuseReasonToRestore } from "./review";
import {
  type Case,
  caseIsAsSeen,
  changedMeanwhile,
  type DecisionInput,
  findApprovalOfVerification,
  readCase,
  reject,
  requireAllowed,
} from "./review.server";

/** A message to the payee's contacts may be sent just as the details are restored, which is then planned again. */
const TRIES = 3;

/**
 * Rejects a verification of changed details and restores those that the payee was trusted with before: trusted again if
 * the reviewer could approve them, otherwise pending. Its contacts are told about restored bank details as about any
 * change.
 *
 * @throws AppError as `reviewVerification`; 409 NOTHING_TO_RESTORE, DUPLICATE_PAYEE
 */
export async function restoreFormerDetails(
  services: WriteServices,
  actor: Actor,
  { verificationId, reason, idempotencyKey: key, basis }: DecisionInput & { reason: string },
): Promise<VerificationDetail> {
  const review = { approved: false, reason, restoreFormer: true } as const;
  const asked = { operation: "review", key, input: [verificationId, review] };
  await runOnce(services, actor, asked, async (request) => {
    const verification = await getVerification(services, actor, verificationId);
    const [seen, toRestore] = await Promise.all([
      readCase(services, actor, verification),
      findRestoring(services, actor, verification),
    ]);
    const isOwn = toRestore !== undefined && isOwnWork(toRestore.approval, actor.userId);
    requireAllowed(seen, { review, basis }, isOwn);
    for (let attempt = 1; ; attempt++) {
      const at = atOneInstant(services);
      const restoring = await planRestoring(at, actor, seen, { toRestore, isOwn, reason });
      const result = await runCommand(at, actor, {
        conditions: [...caseIsAsSeen(services, actor, seen, { isApproval: true }), ...restoring.conditions],
        uniques: { decided_meanwhile: "decisions", account_taken: "payees" },
        parts: [...reject(at, actor, seen, review), ...restoring.parts],
        request,
        answer: { status: "rejected" },
      });
      if (result.ok) return result.answer;
      if (result.refused === "notice_sent" && attempt < TRIES) continue;
      if (result.refused === "account_taken") {
        throw await accountTaken(services, actor.organizationId, restoring.former);
      }
      throw await changedMeanwhile(services, actor, seen);
    }
  });
  return getVerification(services, actor, verificationId);
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
      ...columnsOf(verifications, "outcome", "resultData"),
      isCalledBack: gradeColumns("verifications").isCalledBack,
    })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, actor.organizationId),
        eq(verifications.payeeId, payeeId),
        sql`+${verifications.status} = 'verified'`,
        eq(verifications.accountName, accountName),
        eq(verifications.bsb, bsb),
        eq(verifications.accountNumber, accountNumber),
      ),
    )
    .orderBy(desc(verifications.id))
    .limit(1);
  return approved !== undefined && (isConfirmedByBank(approved) || approved.isCalledBack === 1);
}

type ToRestore = { toRestore: Awaited<ReturnType<typeof findRestoring>>; isOwn: boolean; reason: string };

/**
 * How the former details are restored: in the batch that rejects the new ones, with the payee's former trust, or with a
 * new verification that waits for a decision. The change rows name no person, because nobody typed these details now:
 * the audit entry says who restored them.
 * @param services with the clock fixed at one instant, because the verification that may open is recognised by being no
 * older than the change
 * @throws AppError 409 NOTHING_TO_RESTORE, REASON_REQUIRED with `flags`
 */
async function planRestoring(
  services: WriteServices,
  actor: Actor,
  { verification, policy, flags }: Case,
  { toRestore, isOwn, reason }: ToRestore,
) {
  const { db, clock } = services;
  const { organizationId } = actor;
  const payee = await getPayee(services, actor, verification.payee.id);
  const judged = toRestore && judgeRestoring(payee, { ...toRestore, flags, policy: policy.approvalEvidence });
  if (!judged) throw REFUSALS.nothing_to_restore();
  const { former, noTrust, asksFor } = judged;
  const refused = refuseReasonToRestore(asksFor, reason);
  if (refused) throw refused;
  const isTrusted = noTrust === null;
  const { name = payee.name, accountName, bsb, accountNumber } = former;
  const next = { ...detailsOf(payee), name, accountName, bsb, accountNumber };
  const decision = decideEdit(payee, next);
  const { changes, bankDetailsChanged, renamed } = decision;
  const opening = { payeeId: payee.id, details: next, cause: "details_restored" } as const;
  const [digests, opened] = await Promise.all([
    fingerprintPayee(services, next),
    isTrusted ? undefined : prepareVerification(services, actor, opening),
  ]);
  const told = await prepareChangeNotices(
    services,
    actor,
    { payee, next, decision },
    opened?.verificationId ?? null,
    isTrusted ? "trusted" : "waiting",
  );
  const now = clock.now();
  const trusted = {
    ...former,
    name,
    renamedAt: former.renamedAt ?? null,
    whitelisted: true,
    takenOffWhitelistAt: null,
  };
  const waiting = {
    ...(bankDetailsChanged ? { bankDetailsChangedAt: now, bankDetailsChangedById: actor.userId } : {}),
    ...(renamed ? { renamedAt: now } : {}),
  };
  const row = { ...next, ...digests, ...(isTrusted ? trusted : waiting), formerTrust: null };
  const restored: CommandPart = {
    statements: [
      db
        .update(payees)
        .set({ ...row, version: payee.version + 1, updatedAt: now })
        .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payee.id))),
      ...insertChanges(services, { organizationId, userId: null }, payee.id, changes),
      ...replaceTerms(services, organizationId, payee.id, next),
    ],
    audit: [
      {
        action: "payee.details_restored",
        entityId: payee.id,
        details: {
          changes: changes.map(maskChange),
          isTrusted,
          whitelistGlobal: former.whitelistGlobal,
          ...(told ? { telling: told.telling } : {}),
          verificationId: verification.id,
          ...{ reason, flags, noTrust, selfApproval: isOwn },
        },
      },
    ],
  };
  return {
    former,
    conditions: [
      payeeIsUnchanged(services, organizationId, payee),
      accountIsFree(organizationId, former, payee.id),
      ...(told?.conditions ?? []),
    ],
    parts: [restored, ...(opened ? [openPrepared(services, actor, opened)] : []), ...(told?.parts ?? [])],
  };
}
