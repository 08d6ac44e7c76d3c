import { billingNotices, billingRecords, columnsOf, organizations, rowIn, webhookEvents } from "@db/database";
import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Email } from "~/emails/templates";
import { AppError } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { listMemberEmails } from "~/modules/accounts/members/members.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { AuditAction, EntryOf } from "~/modules/core/audit/audit";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import {
  type Acting,
  type CommandAudit,
  type CommandPart,
  enqueueJobs,
  runCommand,
  runStatement,
  runStep,
} from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { CardEvent, CustomerState } from "~/ports/cards";
import { type Services, systemActor } from "~/services-and-actor";
import {
  accountIsUnchangedSince,
  type BillingAccount,
  findAccount,
  findOrganizationByCustomer,
  hasNoCustomer,
  openAccount,
  saveCustomer,
  saveNotice,
  writeLedger,
  writeState,
} from "./account.server";
import { type BillingState, cardToMove, changedLines, type LedgerLine, toBillingState, toLedger } from "./ledger";
import { isLiveStatus } from "./subscription";
import { dueNotices, type Notice } from "./subscription.view";

type Act = EntryOf<Exclude<Extract<AuditAction, `subscription.${string}`>, "subscription.status_changed">>;

/** Losing a round means that another fetch of the same data was stored first. */
const MAX_ROUNDS = 30;

/**
 * Updates our rows from the provider: fetches everything about the organisation's customer and stores it.
 *
 * It is stored only if nobody has written since before the fetch (a version, compared and set); otherwise it is fetched
 * again. The last write therefore always holds the newest fetch, whatever the order of events, and a repetition writes
 * nothing.
 *
 * @param act recorded in the same batch: what a person has just done at the provider
 */
export async function syncBilling(services: Services, acting: Acting, act?: Act): Promise<BillingState | undefined> {
  const { organizationId } = acting;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = await findAccount(services, organizationId);
    if (!before?.customerId) return undefined;
    const { version } = before;
    if (version === null) {
      await runStatement(services, openAccount(services, organizationId));
      continue;
    }
    const customer = await readCustomerState(services, before.customerId);
    const plan = await planWrite(services, acting, { before, customer, act });
    if (!plan.write) return plan.state;
    if (await writePlan(services, acting, { ...plan.write, before, version, state: plan.state })) return plan.state;
  }
  throw new AppError("BUSY", "We are busier than we can handle right now. Please try again in a moment.", {
    retryAfterSeconds: 5,
    logText: `billing of ${organizationId} kept changing`,
  });
}

type Found = { before: BillingAccount; customer: CustomerState; act?: Act };

/** The writes that update our rows; undefined when they are up to date. */
async function planWrite(services: Services, { organizationId }: Acting, { before, customer, act }: Found) {
  const state = toBillingState(customer);
  const lines = changedLines(toLedger(customer), await readLedger(services, organizationId));
  const organization = { id: organizationId, name: before.organizationName };
  const notices = await queueNotices(services, organization, dueNotices(customer, state, services.clock.now()));
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
 * Writes the plan. A change that nobody made and that affects no status, e.g. a new card's expiry, leaves no audit
 * entry.
 * @returns false when another fetch was stored first
 */
async function writePlan(services: Services, acting: Acting, plan: Plan): Promise<boolean> {
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
      ? await runCommand(services, acting, { conditions, statements, jobs, audit })
      : await runStep(services, { conditions, statements, jobs });
  return result.ok;
}

/** Everything about a customer; makes the card that was saved last the one that pays. */
async function readCustomerState({ cards, log }: Services, customerId: string): Promise<CustomerState> {
  const customer = await cards.readCustomer(customerId);
  const live = customer.subscriptions.filter(({ status }) => isLiveStatus(status));
  if (live.length > 1) log.error("billing.several_subscriptions", { subscriptions: live.map(({ id }) => id) });
  const move = cardToMove(customer);
  if (!move) return customer;
  await cards.payWithCard(move.subscriptionId, move.cardId);
  return cards.readCustomer(customerId);
}

function readLedger({ db }: Services, organizationId: string) {
  return db
    .select(columnsOf(billingRecords, "relatedEntityType", "relatedEntityId", "status", "amount", "paidAt", "number"))
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

type About = { id: string; name: string };

/** The emails that have not been sent yet, to every member who can act. */
async function queueNotices(services: Services, organization: About, notices: readonly Notice[]): Promise<CommandPart> {
  const fresh = await withoutKnown(services, organization.id, notices);
  if (fresh.length === 0) return { statements: [] };
  const [to, { timeZone }] = await Promise.all([
    listMemberEmails(services, organization.id),
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

async function withoutKnown({ db }: Services, organizationId: string, notices: readonly Notice[]): Promise<Notice[]> {
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

const PROVIDER = "stripe";

/** Event families that may change a customer. Others are stored and ignored. */
const FOLLOWED = /^(?:customer|invoice|payment_intent|payment_method|charge|refund|checkout\.session|setup_intent)\./;

/**
 * Stores an event signed by the provider, once, with a job that fetches the customer's present state. Events of one
 * customer that arrive together share a job that has not started.
 *
 * @returns false if it was stored already
 */
export async function storeCardEvent(services: Services, event: CardEvent): Promise<boolean> {
  const { db, clock, ids, log } = services;
  const { id: eventId, type: eventType, customerId } = event;
  const now = clock.now();
  const follows = FOLLOWED.test(eventType) && customerId !== null;
  const jobId = ids.next();
  const known = rowIn(db, webhookEvents).where(
    and(eq(webhookEvents.provider, PROVIDER), eq(webhookEvents.eventId, eventId)),
  );
  const { ok } = await runStep(services, {
    conditions: [{ name: "event_known", found: sql`SELECT 1 WHERE NOT EXISTS ${known}` }],
    statements: [
      db.insert(webhookEvents).values({ provider: PROVIDER, eventId, eventType, receivedAt: now }),
      ...(follows ? [enqueueJobs(services, "billing_sync", [{ id: jobId, subjectId: customerId, dueAt: now }])] : []),
    ],
    woken: follows ? [{ id: jobId, kind: "billing_sync" }] : [],
  });
  if (!ok) return false;
  if (!follows) log.info("billing.event_ignored", { eventId, eventType });
  // A dispute does not name a customer; staff answer it in the provider's dashboard.
  if (eventType === "charge.dispute.created") log.error("billing.dispute", { eventId });
  return true;
}

/** Fetches a customer's present state and updates our rows. A customer of no organisation is ignored. */
export async function syncCustomer(services: Services, job: Job): Promise<void> {
  const customerId = job.subjectId ?? "";
  const organizationId =
    (await findOrganizationByCustomer(services, customerId)) ?? (await adoptCustomer(services, customerId));
  if (organizationId) await syncBilling(services, systemActor(organizationId, job.id));
  else services.log.warn("billing.unknown_customer", { customerId });
  await finishJob(services, job);
}

/** The nightly reconciliation tries again; until then the log has the error. */
export async function giveUpBillingSync(services: Services, job: Job, error: string): Promise<void> {
  services.log.error("billing.given_up", { customerId: job.subjectId, error });
  await finishJob(services, job, "failed", error);
}

/** Adopts a customer that we created but failed to store, e.g. after a crash: the provider knows whose it is. */
async function adoptCustomer(services: Services, customerId: string): Promise<string | undefined> {
  const organizationId = await services.cards.findOrganizationOf(customerId);
  const account = organizationId ? await findAccount(services, organizationId) : undefined;
  if (!organizationId || !account || account.customerId !== null) return undefined;
  await runStep(services, {
    conditions: [hasNoCustomer(services, organizationId)],
    statements: [saveCustomer(services, organizationId, customerId), openAccount(services, organizationId)],
  });
  return findOrganizationByCustomer(services, customerId);
}

const CHUNK = 200;
/** Spreads the calls to the provider over time. */
const SPREAD_MS = 500;

/**
 * Queues a job for every customer that fetches the provider's state, so that a lost event is made up for by the
 * morning. The sweep sends the jobs as they fall due; a customer with a waiting job gets no second one.
 *
 * @returns how many customers there are
 */
export async function reconcileBilling(services: Services): Promise<number> {
  const { db, clock, ids } = services;
  const now = clock.now();
  let walked = 0;
  for (let after = ""; ; ) {
    const rows = await db
      .select({ customerId: sql<string>`${organizations.stripeCustomerId}` })
      .from(organizations)
      .where(and(isNotNull(organizations.stripeCustomerId), gt(organizations.stripeCustomerId, after)))
      .orderBy(asc(organizations.stripeCustomerId))
      .limit(CHUNK);
    const last = rows.at(-1);
    if (!last) return walked;
    const jobs = rows.map(({ customerId }, i) => ({
      id: ids.next(),
      subjectId: customerId,
      dueAt: now + (walked + i) * SPREAD_MS,
    }));
    await runStatement(services, enqueueJobs(services, "billing_sync", jobs));
    walked += rows.length;
    after = last.customerId;
  }
}
