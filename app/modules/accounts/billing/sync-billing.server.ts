import { billingNotices, billingRecords } from "@db/schema/index";
import { and, eq, sql } from "drizzle-orm";
import type { Email } from "~/emails/templates";
import { AppError } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { listMemberEmails } from "~/modules/accounts/members/member-emails.server";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.server";
import type { AuditAction } from "~/modules/core/audit/audit";
import {
  type Acting,
  type CommandAudit,
  type CommandPart,
  runCommand,
  runStatement,
  runStep,
} from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { CustomerTruth } from "~/ports/cards";
import type { NotifyServices, Services } from "~/services";
import {
  accountIsUnchangedSince,
  type BillingAccount,
  findAccount,
  openAccount,
  saveNotice,
  writeLedger,
  writeState,
} from "./account.server";
import { type BillingState, cardToMove, toBillingState } from "./billing-state";
import { changedLines, type LedgerLine, toLedger } from "./ledger";
import { dueNotices, type Notice } from "./notices";
import { isLiveStatus } from "./subscription-status";

export type Syncing = NotifyServices & Pick<Services, "log" | "cards">;
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
  const { organizationId } = acting;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = await findAccount(services, organizationId);
    if (!before?.customerId) return undefined;
    const { version } = before;
    if (version === null) {
      await runStatement(services, openAccount(services, organizationId));
      continue;
    }
    const truth = await readTruth(services, before.customerId);
    const plan = await planWrite(services, acting, { before, truth, act });
    if (!plan.write) return plan.state;
    if (await writePlan(services, acting, { ...plan.write, before, version, state: plan.state })) return plan.state;
  }
  throw new AppError("BUSY", 503, "We are busier than we can handle right now. Please try again in a moment.", {
    retryAfterSeconds: 5,
    logText: `billing of ${organizationId} kept changing`,
  });
}

type Found = { before: BillingAccount; truth: CustomerTruth; act?: Act };

/** What makes our rows follow; nothing to write when they do already. */
async function planWrite(services: Syncing, { organizationId }: Acting, { before, truth, act }: Found) {
  const state = toBillingState(truth);
  const lines = changedLines(toLedger(truth), await readLedger(services, organizationId));
  const organization = { id: organizationId, name: before.organizationName };
  const notices = await queueNotices(services, organization, dueNotices(truth, state, services.clock.now()));
  const about = { entityType: "organization", entityId: organizationId } as const;
  const audit: CommandAudit[] = [];
  if (before.status !== state.status) {
    const details = { from: before.status, to: state.status, subscriptionId: state.subscriptionId };
    audit.push({ ...about, action: "subscription.status_changed", details });
  }
  if (act) audit.push({ ...about, ...act });
  const hasNews = lines.length > 0 || audit.length > 0 || notices.statements.length > 0;
  return hasNews || !isSame(before, state) ? { state, write: { lines, notices, audit } } : { state };
}

type Plan = {
  before: BillingAccount;
  version: number;
  state: BillingState;
  lines: readonly LedgerLine[];
  notices: CommandPart;
  audit: readonly CommandAudit[];
};

/**
 * Writes the plan. What nobody did and changes no status, e.g. a new card's expiry, leaves no audit entry.
 * @returns false when another fetch was written first
 */
async function writePlan(services: Syncing, acting: Acting, plan: Plan): Promise<boolean> {
  const { organizationId } = acting;
  const { before, version, state, lines, notices, audit } = plan;
  const endsTrial = isLiveStatus(state.status) && (before.trialEndsAt ?? 0) > services.clock.now();
  const conditions = [accountIsUnchangedSince(services, organizationId, version)] as const;
  const written = { version: version + 1, syncId: services.ids.next(), state, endsTrial };
  const statements = [
    ...writeState(services, organizationId, written),
    ...(lines.length > 0 ? [writeLedger(services, organizationId, lines)] : []),
    ...notices.statements,
  ];
  const { jobs } = notices;
  const result =
    audit.length > 0
      ? await runCommand(services, acting, { conditions, statements, jobs, audit, answer: undefined })
      : await runStep(services, { conditions, statements, jobs });
  return result.ok;
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

type Notifying = Pick<Services, "db" | "clock" | "ids" | "secrets" | "config">;
type About = { id: string; name: string };

/** The emails that did not go out yet, to every member who can act. */
async function queueNotices(
  services: Notifying,
  organization: About,
  notices: readonly Notice[],
): Promise<CommandPart> {
  const fresh = await withoutKnown(services, organization.id, notices);
  if (fresh.length === 0) return { statements: [] };
  const [to, { timeZone }] = await Promise.all([
    listMemberEmails(services, organization.id, { canWrite: true }),
    findPolicy(services, organization.id),
  ]);
  const href = `${services.config.appOrigin}${appPaths.subscription}`;
  const jobs = await Promise.all(
    fresh.map((notice) =>
      queueEmail(services, organization.id, to, toEmail(notice, organization.name, timeZone, href)),
    ),
  );
  return {
    statements: fresh.map(({ key }) => saveNotice(services, organization.id, key)),
    jobs: jobs.flat(),
  };
}

async function withoutKnown({ db }: Notifying, organizationId: string, notices: readonly Notice[]): Promise<Notice[]> {
  if (notices.length === 0) return [];
  const keys = JSON.stringify(notices.map(({ key }) => key));
  const known = await db
    .select({ key: billingNotices.key })
    .from(billingNotices)
    .where(
      and(
        eq(billingNotices.organizationId, organizationId),
        sql`${billingNotices.key} IN (SELECT value FROM json_each(${keys}))`,
      ),
    );
  const sent = new Set(known.map(({ key }) => key));
  return notices.filter(({ key }) => !sent.has(key));
}

function toEmail(notice: Notice, organizationName: string, timeZone: string, href: string): Email {
  switch (notice.kind) {
    case "payment_failed": {
      const data = { organizationName, href, amount: formatAud(notice.amount), isLast: notice.status === "unpaid" };
      return { template: "paymentFailed", data };
    }
    case "card_expiring": {
      const expires = `${String(notice.expMonth).padStart(2, "0")}/${notice.expYear}`;
      return { template: "cardExpiring", data: { organizationName, href, last4: notice.last4, expires } };
    }
    case "cancelled": {
      const endsOn = formatDate(notice.endsAt, timeZone);
      return { template: "subscriptionCancelled", data: { organizationName, href, endsOn } };
    }
    case "ended":
      return { template: "subscriptionEnded", data: { organizationName, href } };
  }
}
