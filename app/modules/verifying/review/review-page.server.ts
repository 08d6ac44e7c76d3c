import { prepared } from "@db/prepared";
import { organizationUsers, paymentRecords, users } from "@db/schema";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import { type Actor, canWrite, displayName } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { NOTIFICATION_CHANNELS } from "~/kernel/enums";
import { cleanText } from "~/kernel/text";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { idempotencyKeySchema } from "~/modules/core/commands/run-command.server";
import { findAnswer } from "~/modules/directories/register.server";
import { listNoticesOfVerification } from "~/modules/messages/notifications/change-notices.statements.server";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import { readPayeeDomain } from "~/modules/payees/payee-domain.server";
import { listChanges } from "~/modules/payees/payee-page.server";
import { type Approval, isOwnWork } from "~/modules/payees/second-person";
import { findNamedOrigin } from "~/modules/payees/second-person.server";
import { DEFAULT_REJECTION_REASON } from "~/modules/payees/verifications/verification";
import { type Asking, listTimeline, type VerificationDetail } from "~/modules/payees/verifications/verification.server";
import { whyNotAsked } from "~/modules/verifying/bank-checks/ask-by-itself.server";
import { callFormSchema, listCalls, listKnownPhones } from "~/modules/verifying/call-backs/call-back.server";
import type { ReadServices, Services } from "~/services";
import { findPlace, readQueueView } from "./pending.server";
import { pendingHref, type QueueView, reviewHref, WATCH } from "./pending-address";
import { basisOf } from "./review";
import { approvalReason, findApprovalOfVerification, findRestoring, rejectionReason } from "./review.server";
import { toReviewView } from "./review-view";

/** Everything the page of one verification shows. It shows the account number in full, so who looked is recorded beside. */
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
  const [known, { place, choices }] = await Promise.all([
    readKnown(services, actor, verification),
    readPlace(services, actor, id, queue),
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
      canAskAtOnce: services.instantBankData !== undefined,
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
    basis: basisOf(verification),
    submissionId: services.ids.next(),
  };
}

/** What is known beside the verification itself, read together. */
export async function readKnown(services: Services, actor: Actor, verification: VerificationDetail) {
  const { id, payee, status, evidence } = verification;
  const [policy, approval, timeline, changes, money, calls, phones, register, notices, missing, origin, domain] =
    await Promise.all([
      findPolicy(services, actor.organizationId),
      findApprovalOfVerification(services, actor, verification),
      listTimeline(services, actor, id),
      listChanges(services, actor, payee.id),
      readMoneyAtStake(services, actor, payee.id),
      listCalls(services, actor, id),
      listKnownPhones(services, actor, payee.id),
      findAnswer(services, payee.abn),
      listNoticesOfVerification(services, actor, { id, payeeId: payee.id }),
      status === "pending" && canWrite(actor) ? findMissingConfirmation(services, actor) : null,
      findNamedOrigin(services, payee),
      readPayeeDomain(
        services,
        actor,
        payee,
        { now: services.clock.now(), showDate: (ms) => formatDate(ms, actor.timeZone) },
        evidence?.lookalikes.some(({ reason }) => reason === "email_domain" || reason === "former_email_domain"),
      ),
    ]);
  return { policy, approval, timeline, changes, money, calls, phones, register, notices, missing, origin, domain };
}

/** Whether this person may put the former details back, and who else; undefined where there are none. */
export async function readRestoring(
  services: Services,
  actor: Actor,
  verification: VerificationDetail,
  isShared: boolean,
) {
  const found = await findRestoring(services, actor, verification);
  if (!found) return undefined;
  const { approval, isConfirmed } = found;
  const isOwn = isOwnWork(approval, actor.userId);
  return { isOwn, isConfirmed, deciders: isShared && isOwn ? await listDeciders(services, actor, approval) : null };
}

/** More people than a sentence names. */
const DECIDERS_SIZE = 100;

/** Names of the people who may approve where a second person is required: they can write, and it is not their own work. */
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

/** Payments to a payee that wait for a decision: how many, and their sum in cents. */
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

/** Where an item is in the view of the queue it was opened from, and where its reader goes from here. */
export async function readPlace(services: ReadServices, actor: Actor, id: string, queue: QueueView) {
  const [found, choices] = await Promise.all([
    findPlace(services, actor, id, queue),
    findReviewChoices(services, actor.userId),
  ]);
  const { position, total, previousId, nextId } = found;
  const listHref = pendingHref(queue);
  const nextHref = nextId === undefined ? null : reviewHref(nextId, queue);
  const goesOn = choices.reviewNext && nextHref !== null;
  const place = {
    /** "3 of 14"; null once it is decided, or too far down to be counted. */
    position: position === undefined ? null : `${position}${total === undefined ? "" : ` of ${total}`}`,
    listHref,
    isOfInbox: false,
    previousHref: previousId === undefined ? null : reviewHref(previousId, queue),
    nextHref,
    /** After a decision: the next item for those who chose so, else the list. */
    onwardHref: goesOn ? nextHref : listHref,
    goesOn,
  };
  return { place, choices };
}

const REFRESH_SECONDS = 30;

/**
 * How a page without a script follows a bank check that runs.
 * @param isWatching the forms are left out, because the reader asked for that or may not change anything
 * @param canStop the reader may have the forms back
 */
export function toWatchView(
  id: string,
  queue: QueueView,
  { isWatching, canStop }: { isWatching: boolean; canStop: boolean },
) {
  if (!isWatching) {
    return {
      // The page holds forms, and loading it again would lose what is typed in them.
      refreshSeconds: null,
      text: "A bank check is running. This page does not load itself again, so that nothing you type is lost.",
      link: { href: reviewHref(id, queue, { [WATCH]: "yes" }), label: "Watch for the bank's answer" },
    };
  }
  return {
    refreshSeconds: REFRESH_SECONDS,
    text: `A bank check is running. This page loads itself again every ${REFRESH_SECONDS} seconds until it ends.`,
    link: canStop ? { href: reviewHref(id, queue), label: "Stop, and show the forms" } : null,
  };
}

/** In the page's form, where an empty field is the specification's own words (section 4). */
const typedRejectionReason = z
  .string()
  .transform((text) => (cleanText(text) === "" ? DEFAULT_REJECTION_REASON : text))
  .pipe(rejectionReason)
  .default(DEFAULT_REJECTION_REASON);

const submission = { submissionId: idempotencyKeySchema.optional() };

/** A box that was ticked is sent, one that was not is absent. */
const ticked = z
  .literal("yes")
  .optional()
  .transform((value) => value === "yes");

/** What the page's forms post, told apart by the button that was pressed. */
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

/** For the page: a reason that is asked for is said beside the field it belongs in. */
export const atReasonField = (error: AppError) =>
  error.code === "REASON_REQUIRED"
    ? new AppError(error.code, error.status, error.message, { fieldErrors: { reason: [error.message] } })
    : error;
