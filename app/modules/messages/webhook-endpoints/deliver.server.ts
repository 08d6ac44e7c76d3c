import { type Statement, webhookDeliveries, webhookEndpoints } from "@db/database";
import { and, eq } from "drizzle-orm";
import { HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, moveJob } from "~/modules/core/commands/outbox.server";
import { endJob, jobIsLeased, runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { readNewEntries, readTrailOn, type TrailEntry } from "~/modules/core/trail-reading.server";
import type { WebhookAnswer } from "~/ports/messages";
import { type Services, systemActor, type WriteServices } from "~/services-and-actor";
import {
  findDelivery,
  hasActiveEndpoints,
  insertDeliveries,
  isEndpoint,
  jobOf,
  listActiveEndpoints,
  type NewDelivery,
  signedHeaders,
} from "./endpoint.server";
import { eventPayload, TEST_EVENT, WEBHOOK_ACTIONS, webhookEventOf } from "./webhook-event";

/** How much one run reads at most; the next continues. */
const MAX_PAGES = 20;

/** Queues webhook deliveries from the audit trail, one for each action and endpoint. @returns how many */
export async function raiseWebhooks(services: WriteServices): Promise<number> {
  if (!(await hasActiveEndpoints(services))) return 0;
  return readTrailOn(services, {
    name: "webhooks",
    maxPages: MAX_PAGES,
    async readPage(position) {
      const { entries, ...read } = await readNewEntries(services, { position, actions: WEBHOOK_ACTIONS });
      const rows = await deliveriesOf(services, entries);
      return {
        ...read,
        done: rows.length,
        statements: rows.length > 0 ? [insertDeliveries(services, rows)] : [],
        jobs: rows.map((row) => jobOf(services, row)),
      };
    },
  });
}

async function deliveriesOf(services: WriteServices, entries: readonly TrailEntry[]): Promise<NewDelivery[]> {
  const organizationIds = [...new Set(entries.map(({ organizationId }) => organizationId))];
  if (organizationIds.length === 0) return [];
  const endpoints = await listActiveEndpoints(services, organizationIds);
  return entries.flatMap((entry) => {
    const name = webhookEventOf(entry.action);
    if (!name) return [];
    const told = endpoints.filter(
      ({ organizationId, events, activeSince }) =>
        organizationId === entry.organizationId && events.includes(name) && activeSince <= entry.createdAt,
    );
    return told.map((endpoint) => ({
      id: services.ids.next(),
      organizationId: entry.organizationId,
      endpointId: endpoint.id,
      eventId: `evt_${entry.id}`,
      eventType: name,
      payload: eventPayload(name, entry),
    }));
  });
}

/** When a failed delivery is tried again. Pure. */

/** The delays after the first attempt, the second, and so on: three days in total. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20 * HOUR_MS + 25 * MINUTE_MS - 5_000,
];

/** When to try again. @param attempts attempts so far, 1 after the first @returns undefined: no more attempts */
export function nextTryAt(now: number, attempts: number): number | undefined {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? undefined : now + delay;
}

type Delivering = WriteServices & Pick<Services, "webhooks">;
type Found = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

const SWITCHED_OFF = "The endpoint was paused or switched off before the event was sent.";
const GAVE_UP = "PayeeProof stopped trying after several failures of its own.";

/**
 * Sends one event to its endpoint: signed, at least once. A failure is retried after `RETRY_DELAYS_MS`; after the last
 * attempt, an endpoint that has accepted nothing since is turned off, and the organisation's audit trail says so.
 */
export async function deliverWebhook(services: Delivering, job: Job): Promise<void> {
  const organizationId = job.organizationId ?? "";
  const found = await findDelivery(services, { organizationId }, job.subjectId ?? "");
  if (!found) return finishJob(services, job);
  const isTest = found.delivery.eventType === TEST_EVENT;
  if (found.endpoint.status !== "active" && !isTest) return endUnsent(services, job, found, SWITCHED_OFF);
  const answer = await send(services, found);
  if (answer.problem === null) return succeed(services, job, found, answer);
  const dueAt = isTest ? undefined : nextTryAt(services.clock.now(), found.delivery.attempts + 1);
  if (dueAt === undefined) return giveUp(services, job, found, answer);
  const failed = record(services, found, { ...outcomeOf(answer), status: "pending", nextAttemptAt: dueAt });
  await moveJob(services, job, { dueAt, attempts: 0, error: answer.problem }, [failed]);
}

/** The job itself failed several times, which says nothing about the endpoint. */
export async function giveUpWebhook(services: WriteServices, job: Job): Promise<void> {
  const found = await findDelivery(services, { organizationId: job.organizationId ?? "" }, job.subjectId ?? "");
  if (found) await endUnsent(services, job, found, GAVE_UP);
  else await finishJob(services, job, "failed");
}

async function send({ secrets, webhooks, clock }: Delivering, { delivery, endpoint }: Found): Promise<WebhookAnswer> {
  const nowMs = clock.now();
  const living = [await secrets.open(endpoint.sealedSecret, endpoint.id)];
  if (endpoint.formerSealedSecret !== null && (endpoint.formerUntil ?? 0) > nowMs) {
    living.push(await secrets.open(endpoint.formerSealedSecret, endpoint.id));
  }
  const { eventId, payload: body } = delivery;
  const headers = await signedHeaders(living, { eventId, body, nowMs });
  return webhooks.post({ url: endpoint.url, headers, body });
}

const outcomeOf = ({ status, body, problem, durationMs }: WebhookAnswer) => ({
  answerStatus: status,
  answerBody: body,
  problem,
  durationMs,
});

function record(
  { db, clock }: WriteServices,
  { delivery }: Found,
  change: Partial<typeof webhookDeliveries.$inferInsert>,
): Statement {
  return db
    .update(webhookDeliveries)
    .set({ attempts: delivery.attempts + 1, lastAttemptAt: clock.now(), ...change })
    .where(and(eq(webhookDeliveries.organizationId, delivery.organizationId), eq(webhookDeliveries.id, delivery.id)));
}

async function succeed(services: Delivering, job: Job, found: Found, answer: WebhookAnswer): Promise<void> {
  const { db, clock } = services;
  const { organizationId, id } = found.endpoint;
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [
      endJob(services, job, "done"),
      record(services, found, { ...outcomeOf(answer), status: "delivered", nextAttemptAt: null }),
      db.update(webhookEndpoints).set({ lastSuccessAt: clock.now() }).where(isEndpoint(organizationId, id)),
    ],
  });
}

async function endUnsent(services: WriteServices, job: Job, found: Found, problem: string): Promise<void> {
  const { attempts } = found.delivery;
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [
      endJob(services, job, "failed", problem),
      record(services, found, { attempts, status: "failed", nextAttemptAt: null, problem }),
    ],
  });
}

async function giveUp(services: Delivering, job: Job, found: Found, answer: WebhookAnswer): Promise<void> {
  const { db, clock } = services;
  const { delivery, endpoint } = found;
  const ended = [
    endJob(services, job, "failed", answer.problem ?? undefined),
    record(services, found, { ...outcomeOf(answer), status: "failed", nextAttemptAt: null }),
  ];
  const conditions = [jobIsLeased(services, job)] as const;
  const tookAnother = (endpoint.lastSuccessAt ?? 0) > delivery.createdAt;
  if (delivery.eventType === TEST_EVENT || tookAnother) {
    await runStep(services, { conditions, statements: ended });
    return;
  }
  const off = { status: "disabled", updatedAt: clock.now() } as const;
  await runCommand(services, systemActor(delivery.organizationId, job.id), {
    conditions,
    statements: [
      ...ended,
      db.update(webhookEndpoints).set(off).where(isEndpoint(delivery.organizationId, endpoint.id)),
    ],
    audit: [
      {
        action: "webhook.disabled",
        entityType: "webhook_endpoint",
        entityId: endpoint.id,
        details: { url: endpoint.url, problem: answer.problem },
      },
    ],
  });
}
