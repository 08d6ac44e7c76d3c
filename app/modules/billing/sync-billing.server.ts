import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isConstraintError } from "@db/errors";
import { billingRecords } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { AuditAction } from "~/modules/audit/audit";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { Services } from "~/services";
import { type BillingAccount, findAccount } from "./account.queries.server";
import { ifUnchangedSince, openAccount, writeLedger, writeState } from "./account.statements.server";
import { type BillingState, cardToMove, toBillingState } from "./billing-state";
import type { CustomerTruth } from "./cards.port";
import { changedLines, toLedger } from "./ledger";
import { promiseNotices } from "./notice-mails.server";
import { dueNotices } from "./notices";
import { isLiveStatus } from "./subscription-status";

export type Syncing = Pick<Services, "db" | "clock" | "ids" | "log" | "queues" | "secrets" | "config" | "cards">;
type Acting = { userId: string | null; organizationId: string; origin: Origin };
type Act = { action: AuditAction; details?: Record<string, unknown> };

/** Each round that is lost was won by another fetch of the same truth. */
const MAX_ROUNDS = 30;

/**
 * Makes our rows follow the provider: fetches everything of the organisation's customer and writes it once.
 *
 * What was fetched is written only if nobody wrote since before the fetch (a version, compared and set); otherwise it is
 * fetched again. So the last write always holds what was fetched last, in whatever order events come, and a repeat
 * writes nothing.
 *
 * @param act recorded in the same batch: what a person did at the provider just now
 */
export async function syncBilling(services: Syncing, acting: Acting, act?: Act): Promise<BillingState | undefined> {
  const { db, queues } = services;
  const { organizationId } = acting;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = await findAccount(services, organizationId);
    if (!before?.customerId) return undefined;
    if (before.version === null) {
      await db.batch([openAccount(services, organizationId)]);
      continue;
    }
    const truth = await readTruth(services, before.customerId);
    const plan = await planWrite(services, acting, { before, version: before.version, truth, act });
    if (!plan.batch) return plan.state;
    try {
      await commit(db, plan.batch, async () => (await findAccount(services, organizationId))?.syncId === plan.syncId);
    } catch (error) {
      if (isConstraintError(error)) continue;
      throw error;
    }
    await queues.send("jobs", plan.jobIds);
    return plan.state;
  }
  throw new AppError("BUSY", 503, "We are busier than we can handle right now. Please try again in a moment.", {
    retryAfterSeconds: 5,
    logText: `billing of ${organizationId} kept changing`,
  });
}

type Found = { before: BillingAccount; version: number; truth: CustomerTruth; act?: Act };

/** The one batch that makes our rows follow; none when they do already. */
async function planWrite(services: Syncing, acting: Acting, { before, version, truth, act }: Found) {
  const { organizationId } = acting;
  const now = services.clock.now();
  const state = toBillingState(truth);
  const lines = changedLines(toLedger(truth), await readLedger(services, organizationId));
  const organization = { id: organizationId, name: before.organizationName };
  const mails = await promiseNotices(services, organization, dueNotices(truth, state, now));
  const statements: Statement[] = [];
  if (lines.length > 0) statements.push(writeLedger(services, organizationId, lines));
  if (before.status !== state.status) statements.push(recordStatus(services, acting, before, state));
  if (act) {
    statements.push(recordAudit(services, acting, { ...act, entityType: "organization", entityId: organizationId }));
  }
  statements.push(...mails.statements);
  if (statements.length === 0 && isSame(before, state)) return { state, jobIds: [] };
  const syncId = services.ids.next();
  const endsTrial = isLiveStatus(state.status) && (before.trialEndsAt ?? 0) > now;
  const batch = [
    ifUnchangedSince(services, organizationId, version),
    ...writeState(services, organizationId, { version: version + 1, syncId, state, endsTrial }),
    ...statements,
  ];
  return { state, syncId, batch, jobIds: mails.jobIds };
}

/** Everything of a customer; a card that was saved last pays from now on. */
async function readTruth({ cards, log }: Syncing, customerId: string): Promise<CustomerTruth> {
  const truth = await cards.readCustomer(customerId);
  const live = truth.subscriptions.filter(({ status }) => isLiveStatus(status));
  if (live.length > 1) log.error("billing.several_subscriptions", { subscriptions: live.map(({ id }) => id) });
  const move = cardToMove(truth);
  if (!move) return truth;
  await cards.payWithCard(move.subscriptionId, move.cardId);
  return cards.readCustomer(customerId);
}

function readLedger({ db }: Syncing, organizationId: string) {
  return db
    .select({
      relatedEntityType: billingRecords.relatedEntityType,
      relatedEntityId: billingRecords.relatedEntityId,
      status: billingRecords.status,
      amount: billingRecords.amount,
      paidAt: billingRecords.paidAt,
      number: billingRecords.number,
    })
    .from(billingRecords)
    .where(eq(billingRecords.organizationId, organizationId));
}

function recordStatus(services: Syncing, acting: Acting, before: BillingAccount, after: BillingState): Statement {
  return recordAudit(services, acting, {
    action: "subscription.status_changed",
    entityType: "organization",
    entityId: acting.organizationId,
    details: { from: before.status, to: after.status, subscriptionId: after.subscriptionId },
  });
}

function isSame(before: BillingAccount, state: BillingState): boolean {
  return (
    before.syncId !== null &&
    before.subscriptionId === state.subscriptionId &&
    before.status === state.status &&
    before.currentPeriodEnd === state.currentPeriodEnd &&
    before.cancelAtPeriodEnd === state.cancelAtPeriodEnd &&
    before.amountDue === state.amountDue &&
    (before.firstPaidAt !== null || state.firstPaidAt === null) &&
    before.cardBrand === (state.card?.brand ?? null) &&
    before.cardLast4 === (state.card?.last4 ?? null) &&
    before.cardExpMonth === (state.card?.expMonth ?? null) &&
    before.cardExpYear === (state.card?.expYear ?? null)
  );
}
