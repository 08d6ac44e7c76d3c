import { rowIn, webhookEvents } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, moveJob } from "~/modules/core/commands/outbox.server";
import {
  type CommandAudit,
  endJob,
  jobIsLeased,
  runCommand,
  runStep,
  type Step,
  wakeJob,
} from "~/modules/core/commands/run-command.server";
import { listCheckJobs } from "~/modules/payees/verifications/running-check.server";
import type { BankDataEvent } from "~/ports/bank-data";
import { type Services, systemActor, type WriteServices } from "~/services-and-actor";
import { type CheckEvent, LOOK_BACK_MS, nextStep, ORPHAN_AFTER_MS, stateOf } from "./bank-check";
import {
  type Advancing,
  type BankCheck,
  findCheckOfProviderUser,
  finishCheck,
  listProviderUsersOfChecks,
  timesOf,
} from "./bank-check.server";
import { deleteProviderUser, forgetProviderUser } from "./provider-data.server";

const PROVIDER = "basiq";

/** Event families that concern a payee at their bank. Others are stored and ignored. */
const FOLLOWED = /^(?:user|consent|connection|account)\./;
const CONSENT_REVOKED = "consent.revoked";
const CONSENT_EXPIRED = "consent.expired";
const USER_CREATED = "user.created";
const USER_DELETED = "user.deleted";

/** Stores an event signed by the provider once, with the job that looks it up. @returns false: stored already */
export async function storeBankEvent(services: WriteServices, event: { eventId: string; eventTypeId: string }) {
  const { db, clock, ids } = services;
  const { eventId, eventTypeId: eventType } = event;
  const now = clock.now();
  const isFollowed = FOLLOWED.test(eventType) && eventType !== USER_DELETED;
  // A new user is normally claimed by a check within seconds. An unclaimed one is looked for only when no commit can
  // claim it any more.
  const dueAt = eventType === USER_CREATED ? now + ORPHAN_AFTER_MS : now;
  const known = and(eq(webhookEvents.provider, PROVIDER), eq(webhookEvents.eventId, eventId));
  const { ok } = await runStep(services, {
    conditions: [
      {
        name: "known_already",
        found: sql`SELECT 1 WHERE NOT EXISTS ${rowIn(db, webhookEvents).where(known)}`,
      },
    ],
    statements: [db.insert(webhookEvents).values({ provider: PROVIDER, eventId, eventType, receivedAt: now })],
    jobs: isFollowed ? [{ id: ids.next(), kind: "bank_event", organizationId: null, subjectId: eventId, dueAt }] : [],
  });
  return ok;
}

/** Stores ended consents whose webhook was lost, from the provider's event list. @returns how many were new */
export async function readMissedEvents(services: WriteServices & Pick<Services, "bankData">): Promise<number> {
  const ended = await services.bankData.listEndedConsents(services.clock.now() - LOOK_BACK_MS);
  const ours = await listProviderUsersOfChecks(services, [...new Set(ended.map((event) => event.providerUserId))]);
  let stored = 0;
  for (const { eventId, eventType, providerUserId } of ended) {
    if (ours.has(providerUserId) && (await storeBankEvent(services, { eventId, eventTypeId: eventType }))) stored++;
  }
  return stored;
}

/**
 * Looks up what an event is about. Most events only make the check poll again. When a consent has ended, the check ends
 * and the payee's remaining data at the provider is deleted. A decided verification stays as it is.
 */
export async function followBankEvent(services: Advancing, job: Job): Promise<void> {
  if (job.subjectId === null) return finishJob(services, job);
  const event = await services.bankData.getEvent(job.subjectId);
  const check = await findCheckOfProviderUser(services, event.providerUserId);
  if (!check) return followStranger(services, job, event);
  if (event.eventType === USER_CREATED) return conclude(services, job, {});
  const effect = nextStep(stateOf(check), meaningOf(event), timesOf(check), services.clock.now());
  switch (effect.do) {
    case "wake":
      return conclude(services, job, {
        statements: [wakeJob(services, "bank_check", check.id)],
        woken: await listCheckJobs(services, check.id),
      });
    case "finish":
      return endConsent(services, job, { event, check, effect });
    case "delete_provider_data":
      await deleteProviderUser(services, event.providerUserId);
      return recordConsentEnded(services, job, { event, check });
    default:
      return conclude(services, job, {});
  }
}

function meaningOf({ eventType }: BankDataEvent): CheckEvent {
  const hasExpired = eventType === CONSENT_EXPIRED;
  return hasExpired || eventType === CONSENT_REVOKED
    ? { type: "consent_over", hasExpired }
    : { type: "provider_event" };
}

/** If the event could not be read, the check's own polling covers it. */
export async function giveUpBankEvent(services: Advancing, job: Job, error: string): Promise<void> {
  services.log.warn("bank_event.given_up", { eventId: job.subjectId, error });
  await finishJob(services, job, "failed", error);
}

const consentEnded = ({ eventType }: BankDataEvent, { verificationId }: BankCheck): CommandAudit => ({
  action: "verification.consent_ended",
  entityId: verificationId,
  details: { eventType },
});

type Ending = { event: BankDataEvent; check: BankCheck; effect: Parameters<typeof finishCheck>[3] };

/** Ends a check whose consent was withdrawn or expired before there was a result. */
async function endConsent(services: Advancing, job: Job, { event, check, effect }: Ending): Promise<void> {
  const actor = systemActor(check.organizationId, job.id);
  const finished = await finishCheck(services, actor, check, effect);
  // If a decision or the check itself got there first, it has handled the consequences; the event is looked at again.
  await runCommand(services, actor, {
    conditions: [jobIsLeased(services, job), ...finished.conditions],
    audit: [consentEnded(event, check)],
    parts: [finished, { statements: [wakeJob(services, "bank_check", check.id), endJob(services, job, "done")] }],
    woken: await listCheckJobs(services, check.id),
  });
}

/** Records in the audit trail that the consent ended after there was a result; nothing else changes. */
async function recordConsentEnded(services: Advancing, job: Job, { event, check }: Omit<Ending, "effect">) {
  await runCommand(services, systemActor(check.organizationId, job.id), {
    conditions: [jobIsLeased(services, job)],
    statements: [endJob(services, job, "done")],
    audit: [consentEnded(event, check)],
  });
}

/**
 * Handles an event about a provider's user that no check has claimed: once it is too late for a commit, a crash left
 * the user behind. Any event serves, because the one about the user's creation may be lost.
 */
async function followStranger(services: Advancing, job: Job, event: BankDataEvent): Promise<void> {
  const { clock, log } = services;
  if (event.eventType === USER_DELETED) return conclude(services, job, {});
  const surelyOrphanAt = job.createdAt + ORPHAN_AFTER_MS;
  if (clock.now() < surelyOrphanAt) {
    await moveJob(services, job, { dueAt: surelyOrphanAt, attempts: 0 });
    return;
  }
  await forgetProviderUser(services, event.providerUserId);
  log.warn("bank_event.orphan_forgotten", { providerUserId: event.providerUserId });
  await conclude(services, job, {});
}

/** Ends an event's job together with the event's consequences. */
async function conclude(
  services: Advancing,
  job: Job,
  { statements = [], woken }: Pick<Step<never>, "statements" | "woken">,
): Promise<void> {
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [...statements, endJob(services, job, "done")],
    woken,
  });
}
