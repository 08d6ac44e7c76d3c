import type { Statement } from "@db/client";
import { isPreconditionError, isUniqueError } from "@db/errors";
import { webhookEvents } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { Job } from "~/modules/commands/job";
import { finishJob } from "~/modules/commands/outbox.commands.server";
import { endJob, enqueueJob, postponeJob, wakeJob, whileLeased } from "~/modules/commands/outbox.statements.server";
import { whilePending } from "~/modules/verifications/verification.statements.server";
import type { Services } from "~/services";
import { type BankCheck, findCheckJobIds, findCheckOfProviderUser } from "./bank-check.queries.server";
import { finishBankCheck, whileRunning } from "./bank-check.statements.server";
import type { Advancing } from "./bank-check-settle.server";
import type { BankDataEvent } from "./bank-data.port";
import { withoutData } from "./compare";

const PROVIDER = "basiq";

/** Families of events that are about a payee at their bank. Others are kept and mean nothing to us. */
const FOLLOWED = /^(?:user|consent|connection|account)\./;
const CONSENT_OVER: ReadonlySet<string> = new Set(["consent.revoked", "consent.expired"]);

/** A new user may be ours before our commit is; one that nobody has claimed by then is the orphan of a crash. */
const ORPHAN_AFTER_MS = HOUR_MS;
const LOOK_FOR_OWNER_MS = 10 * MINUTE_MS;

/**
 * Stores an event that the provider signed, once, with the job that looks up what it means.
 * @returns false for one that is known already
 */
export async function storeBankEvent(
  services: Pick<Services, "db" | "clock" | "ids" | "queues">,
  event: { eventId: string; eventTypeId: string },
): Promise<boolean> {
  const { db, clock, ids, queues } = services;
  const { eventId, eventTypeId: eventType } = event;
  const now = clock.now();
  const jobId = FOLLOWED.test(eventType) ? ids.next() : undefined;
  const insert = db
    .insert(webhookEvents)
    .values({ provider: PROVIDER, eventId, eventType, receivedAt: now, processedAt: jobId ? null : now });
  const jobs = jobId
    ? [enqueueJob(services, { id: jobId, kind: "bank_event", organizationId: null, subjectId: eventId })]
    : [];
  try {
    await db.batch([insert, ...jobs]);
  } catch (error) {
    if (isUniqueError(error, "webhook_events")) return false;
    throw error;
  }
  if (jobId) await queues.send("bank-checks", [jobId]);
  return true;
}

/**
 * Looks up what an event is about. It only ever makes the check look again, except where a consent ended: then the
 * check is over, and whatever the provider still holds of that payee goes. A decided verification stays as decided.
 */
export async function followBankEvent(services: Advancing, job: Job): Promise<void> {
  if (job.subjectId === null) return finishJob(services, job);
  const event = await services.bankData.getEvent(job.subjectId);
  const check = await findCheckOfProviderUser(services, event.providerUserId);
  if (!check) return followStranger(services, job, event);
  if (CONSENT_OVER.has(event.eventType)) return endConsent(services, job, event, check);
  return wakeCheck(services, job, check);
}

/** The check's own looks cover an event that could not be read. */
export async function giveUpBankEvent(services: Advancing, job: Job, error: string): Promise<void> {
  services.log.warn("bank_event.given_up", { eventId: job.subjectId, error });
  await finishJob(services, job, "failed", error);
}

async function wakeCheck(services: Advancing, job: Job, check: BankCheck): Promise<void> {
  const isOver = check.finishedAt !== null;
  const wake = isOver ? [] : [wakeJob(services, "bank_check", check.id)];
  await conclude(services, job, wake);
  if (!isOver) await services.queues.send("bank-checks", await findCheckJobIds(services, check.id));
}

/** The payee took the consent back, or it ran out. Deleting a user who is gone already succeeds. */
async function endConsent(services: Advancing, job: Job, event: BankDataEvent, check: BankCheck): Promise<void> {
  const acting = systemActor(check.organizationId, job.id);
  const trail = recordAudit(services, acting, {
    action: "verification.consent_ended",
    entityType: "verification",
    entityId: check.verificationId,
    details: { eventType: event.eventType },
  });
  if (check.finishedAt !== null) {
    await services.bankData.deleteUser(event.providerUserId);
    return conclude(services, job, [trail]);
  }
  const result = withoutData("consent_refused", "consent_withdrawn");
  const finished = await finishBankCheck(services, acting, check, result, true);
  const isDone = await conclude(services, job, [
    whilePending(services, check.organizationId, check.verificationId),
    whileRunning(services, check),
    trail,
    ...finished.statements,
    wakeJob(services, "bank_check", check.id),
  ]).then(
    () => true,
    (error) => {
      if (isPreconditionError(error)) return false;
      throw error;
    },
  );
  if (!isDone) return;
  await services.queues.send("jobs", finished.jobIds);
  await services.queues.send("bank-checks", await findCheckJobIds(services, check.id));
}

/** An event of a provider's user that no check of ours names. */
async function followStranger(services: Advancing, job: Job, event: BankDataEvent): Promise<void> {
  const { db, clock, log, bankData } = services;
  if (event.eventType !== "user.created") return conclude(services, job, []);
  const now = clock.now();
  if (now - job.createdAt < ORPHAN_AFTER_MS) {
    await db.batch([postponeJob(services, job, { dueAt: now + LOOK_FOR_OWNER_MS, attempts: 0 })]);
    return;
  }
  await bankData.deleteUser(event.providerUserId);
  log.warn("bank_event.orphan_deleted", { providerUserId: event.providerUserId });
  await conclude(services, job, []);
}

/** Ends the job of an event together with what followed from it. */
async function conclude(services: Advancing, job: Job, statements: readonly Statement[]): Promise<void> {
  const { db, clock } = services;
  const processed = db
    .update(webhookEvents)
    .set({ processedAt: clock.now() })
    .where(and(eq(webhookEvents.provider, PROVIDER), eq(webhookEvents.eventId, job.subjectId ?? "")));
  await db.batch([whileLeased(services, job), ...statements, processed, endJob(services, job, "done")]);
}
