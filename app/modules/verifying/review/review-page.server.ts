import { organizationUsers, payees, paymentRecords, prepared, users } from "@db/database";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import { allNamed } from "~/kernel/all-in-order";
import { AppError } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { NOTIFICATION_CHANNELS } from "~/kernel/enums";
import { cleanText, displayName } from "~/kernel/text";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { idempotencyKeySchema } from "~/modules/core/commands/run-command.server";
import { findRegisterAnswer } from "~/modules/directories/directory.server";
import { listNoticesOfVerification } from "~/modules/messages/notifications/change-notices.statements.server";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import { listChanges } from "~/modules/payees/payee-page.server";
import { type Approval, findNamedOrigin, isOwnWork } from "~/modules/payees/second-person.server";
import { readPayeeDomain } from "~/modules/payees/verifications/payee-domains.server";
import { DEFAULT_REJECTION_REASON } from "~/modules/payees/verifications/verification";
import { listTimeline, type VerificationDetail } from "~/modules/payees/verifications/verification.server";
import { whyNotAsked } from "~/modules/verifying/bank-checks/ask-automatically.server";
import { callFormSchema, listCalls, listKnownPhones } from "~/modules/verifying/call-backs/call-back.server";
import { type Actor, type Asking, canWrite, type ReadServices, type Services } from "~/services-and-actor";
import { findPlace, readQueueView } from "./pending.server";
import { findRestoring } from "./restore-former.server";
import { basisOf } from "./review";
import { approvalReason, findApprovalOfVerification, rejectionReason } from "./review.server";
import { comparedWith, toReviewView } from "./review-view";
import { pendingHref, type QueueView, reviewHref, WATCH } from "./verification-list";

/** Reads the page of one verification, with the full account number: the caller records who saw it. */
export async function readReviewPage(
  services: Services,
  actor: Actor,
  verification: VerificationDetail,
  params: URLSearchParams,
) {
  const { id, status } = verification;
  const queue = readQueueView(params);
  const isRunning = verification.runningCheck !== null;
  const isWatching = isRunning && (params.has(WATCH) || !canWrite(actor));
  const [known, place, choices] = await Promise.all([
    readKnown(services, actor, verification),
    readPlace(services, actor, id, queue),
    findReviewChoices(services, actor.userId),
  ]);
  const { policy, approval } = known;
  const isShared = policy.secondPersonRequired && status === "pending";
  const [deciders, restoring] = await Promise.all([
    isShared ? listDeciders(services, actor, approval) : null,
    status === "pending" ? readRestoring(services, actor, verification, isShared) : undefined,
  ]);
  const view = toReviewView(
    verification,
    { ...known, deciders, restoring, hasEntered: approval.enteredBy.has(actor.userId) },
    {
      isOwn: isOwnWork(approval, actor.userId),
      canWrite: canWrite(actor) && !isWatching,
      timeZone: policy.timeZone,
      now: services.clock.now(),
      secondPersonRequired: policy.secondPersonRequired,
      providerName: services.bankData.providerName,
      hasTexts: services.config.hasTexts,
      hasConfirmationOfPayee: services.instantBankData !== undefined,
      approvalEvidence: policy.approvalEvidence,
      missingConfirmation: known.missing,
    },
  );
  return {
    view,
    notAsked: status === "pending" ? await whyNotAsked(services, actor.organizationId, id) : null,
    watch: isRunning ? toWatchView(id, queue, { isWatching, canStop: canWrite(actor) }) : null,
    place,
    selfHref: reviewHref(id, queue),
    hasKeys: choices.reviewKeys,
    mayComment: canWrite(actor),
    basis: basisOf(verification),
    submissionId: services.ids.next(),
  };
}

/** Related facts about the verification, read together. */
export function readKnown(services: Services, actor: Actor, verification: VerificationDetail) {
  const { id, payee, status, evidence } = verification;
  return allNamed({
    policy: findPolicy(services, actor.organizationId),
    approval: findApprovalOfVerification(services, actor, verification),
    timeline: listTimeline(services, actor, id),
    changes: listChanges(services, actor, payee.id),
    money: readMoneyAtStake(services, actor, payee.id),
    calls: listCalls(services, actor, id),
    phones: listKnownPhones(services, actor, payee.id),
    register: findRegisterAnswer(services, payee.abn),
    notices: listNoticesOfVerification(services, actor, { id, payeeId: payee.id }),
    missing: status === "pending" && canWrite(actor) ? findMissingConfirmation(services, actor) : null,
    origin: findNamedOrigin(services, payee),
    domain: readPayeeDomain(
      services,
      actor,
      payee,
      { now: services.clock.now(), showDate: (ms) => formatDate(ms, actor.timeZone) },
      evidence?.lookalikes.some(({ reason }) => reason === "email_domain" || reason === "former_email_domain"),
    ),
    others: readCompared(services, actor, comparedWith(verification)),
  });
}

/** What is known of the payees that one is compared with. */
async function readCompared({ db }: ReadServices, { organizationId }: Asking, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const { id, name, bsb, accountNumber, email } = payees;
  return db
    .select({ id, name, bsb, accountNumber, email })
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), inArray(id, [...ids])));
}

/** Whether this person may restore the former details, and who else may; undefined when there are none. */
export async function readRestoring(
  services: Services,
  actor: Actor,
  verification: VerificationDetail,
  isShared: boolean,
) {
  const found = await findRestoring(services, actor, verification);
  if (!found) return undefined;
  const { approval, ...evidence } = found;
  const isOwn = isOwnWork(approval, actor.userId);
  return { ...evidence, isOwn, deciders: isShared && isOwn ? await listDeciders(services, actor, approval) : null };
}

/** More people than a sentence names. */
const DECIDERS_SIZE = 100;

/** Who may approve when a second person is required: people with write access whose work it is not. */
async function listDeciders({ db }: ReadServices, { organizationId }: Asking, approval: Approval): Promise<string[]> {
  const rows = await db
    .select({ userId: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.status, "active"),
        inArray(organizationUsers.role, ["admin", "member"]),
      ),
    )
    .orderBy(asc(organizationUsers.id))
    .limit(DECIDERS_SIZE);
  return rows.filter(({ userId }) => !isOwnWork(approval, userId)).map(displayName);
}

/** A payee's payments that wait for a decision: how many, and their total in cents. */
async function readMoneyAtStake({ db }: ReadServices, { organizationId }: Asking, payeeId: string) {
  const [row] = await moneyAtStakeOf(db).all({ organizationId, payeeId });
  return { count: row?.count ?? 0, cents: row?.cents ?? 0 };
}

const moneyAtStakeOf = prepared((db) =>
  db
    .select({ count: sql<number>`count(*)`, cents: sql<number>`coalesce(sum(${paymentRecords.amount}), 0)` })
    .from(paymentRecords)
    .where(
      and(
        eq(paymentRecords.organizationId, sql.placeholder("organizationId")),
        eq(paymentRecords.payeeId, sql.placeholder("payeeId")),
        inArray(paymentRecords.status, ["held", "verification_requested"]),
      ),
    )
    .prepare(),
);

/** The position of an item in the queue view it was opened from, and the links from here. */
export async function readPlace(services: ReadServices, actor: Actor, id: string, queue: QueueView) {
  const { position, total, previousId, nextId } = await findPlace(services, actor, id, queue);
  return {
    /** "3 of 14"; null once it is decided, or when it is too far down to be counted. */
    position: position === undefined ? null : `${position}${total === undefined ? "" : ` of ${total}`}`,
    listHref: pendingHref(queue),
    isOfInbox: false,
    previousHref: previousId === undefined ? null : reviewHref(previousId, queue),
    nextHref: nextId === undefined ? null : reviewHref(nextId, queue),
  };
}

const REFRESH_SECONDS = 30;

/**
 * How a page without scripts follows a running bank check.
 * @param isWatching the forms are hidden, because the reader asked for that or has no write access
 * @param canStop the reader may show the forms again
 */
export function toWatchView(
  id: string,
  queue: QueueView,
  { isWatching, canStop }: { isWatching: boolean; canStop: boolean },
) {
  if (!isWatching) {
    return {
      // The page contains forms, and reloading it would lose what is typed in them.
      refreshSeconds: null,
      text: "A bank check is running. This page does not reload, so that nothing you type is lost.",
      link: { href: reviewHref(id, queue, { [WATCH]: "yes" }), label: "Watch for the bank's answer" },
    };
  }
  return {
    refreshSeconds: REFRESH_SECONDS,
    text: `A bank check is running. This page reloads every ${REFRESH_SECONDS} seconds until it ends.`,
    link: canStop ? { href: reviewHref(id, queue), label: "Stop, and show the forms" } : null,
  };
}

/** The reason field on the page; when it is empty, the specification's default applies (section 4). */
const typedRejectionReason = z
  .string()
  .transform((text) => (cleanText(text) === "" ? DEFAULT_REJECTION_REASON : text))
  .pipe(rejectionReason)
  .default(DEFAULT_REJECTION_REASON);

const submission = { submissionId: idempotencyKeySchema.optional() };

/** A ticked box is sent, an unticked one is absent. */
const ticked = z
  .literal("yes")
  .optional()
  .transform((value) => value === "yes");

/** Form posts of the page, distinguished by the button pressed. */
export const reviewFormSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("approve"),
    ...submission,
    reason: approvalReason,
    basis: z.string().max(100).optional(),
    addToGlobalWhitelist: ticked,
  }),
  z.object({
    intent: z.literal("reject"),
    ...submission,
    reason: typedRejectionReason,
    basis: z.string().max(100).optional(),
    restoreFormer: ticked,
  }),
  callFormSchema,
  z.object({ intent: z.literal("verify-basiq") }),
  z.object({ intent: z.literal("check-now"), ...submission }),
  z.object({ intent: z.literal("send-link"), channel: z.enum(NOTIFICATION_CHANNELS).optional() }),
]);

export type ReviewForm = z.infer<typeof reviewFormSchema>;

/** Moves the error about a missing reason to its field on the page. */
export const atReasonField = (error: AppError) =>
  error.code === "REASON_REQUIRED"
    ? new AppError(error.code, error.message, { fieldErrors: { reason: [error.message] } })
    : error;
