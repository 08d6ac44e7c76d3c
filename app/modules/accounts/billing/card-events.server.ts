import { webhookEvents } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { enqueueJobs } from "~/modules/core/commands/outbox.statements.server";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { CardEvent } from "~/ports/cards";
import type { Services, WriteServices } from "~/services";
import { findAccount, findOrganizationByCustomer, hasNoCustomer, openAccount, saveCustomer } from "./account.server";
import { type Syncing, syncBilling } from "./sync-billing.server";

const PROVIDER = "stripe";

/** Families of events after which something of a customer may be different. Others are kept and mean nothing to us. */
const FOLLOWED = /^(?:customer|invoice|payment_intent|payment_method|charge|refund|checkout\.session|setup_intent)\./;

/**
 * Stores an event that the provider signed, once, with the job that fetches what is true now. Events of one customer
 * that come together share a job: it has not looked yet.
 *
 * @returns false for one that is known already
 */
export async function storeCardEvent(
  services: WriteServices & Pick<Services, "log">,
  event: CardEvent,
): Promise<boolean> {
  const { db, clock, ids, log } = services;
  const { id: eventId, type: eventType, customerId } = event;
  const now = clock.now();
  const follows = FOLLOWED.test(eventType) && customerId !== null;
  const jobId = ids.next();
  const known = db
    .select({ one: sql`1` })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.provider, PROVIDER), eq(webhookEvents.eventId, eventId)));
  const { ok } = await runStep(services, {
    conditions: [{ name: "event_known", found: sql`SELECT 1 WHERE NOT EXISTS ${known}` }],
    statements: [
      db.insert(webhookEvents).values({ provider: PROVIDER, eventId, eventType, receivedAt: now }),
      ...(follows ? [enqueueJobs(services, "billing_sync", [{ id: jobId, subjectId: customerId, dueAt: now }])] : []),
    ],
    woken: follows ? [{ id: jobId, kind: "billing_sync" }] : [],
  });
  if (!ok) return false;
  // A dispute names no customer; people answer it in the provider's dashboard.
  if (eventType === "charge.dispute.created") log.error("billing.dispute", { eventId });
  return true;
}

/** Fetches the truth about a customer and lets our rows follow it. A customer that no organisation of ours has is ignored. */
export async function syncCustomer(services: Syncing, job: Job): Promise<void> {
  const customerId = job.subjectId ?? "";
  const organizationId =
    (await findOrganizationByCustomer(services, customerId)) ?? (await adoptCustomer(services, customerId));
  if (organizationId) await syncBilling(services, systemActor(organizationId, job.id));
  else services.log.warn("billing.stranger", { customerId });
  await finishJob(services, job);
}

/** The nightly walk looks again; until then the log says so. */
export async function giveUpBillingSync(services: Syncing, job: Job, error: string): Promise<void> {
  services.log.error("billing.given_up", { customerId: job.subjectId, error });
  await finishJob(services, job, "failed", error);
}

/** A customer that we made and then failed to store, e.g. in a crash: the provider tells us whose it is. */
async function adoptCustomer(services: Syncing, customerId: string): Promise<string | undefined> {
  const organizationId = await services.cards.findOrganizationOf(customerId);
  const account = organizationId ? await findAccount(services, organizationId) : undefined;
  if (!organizationId || !account || account.customerId !== null) return undefined;
  await runStep(services, {
    conditions: [hasNoCustomer(services, organizationId)],
    statements: [saveCustomer(services, organizationId, customerId), openAccount(services, organizationId)],
  });
  return findOrganizationByCustomer(services, customerId);
}
