import { renderEmail } from "~/emails/render";
import { composeEmail, type Email } from "~/emails/templates";
import { systemActor } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import type { Job } from "~/modules/commands/job";
import { finishJob } from "~/modules/commands/outbox.commands.server";
import { endJob, jobIsLeased } from "~/modules/commands/outbox.statements.server";
import { runCommand } from "~/modules/commands/run-command.server";
import type { Services, WriteServices } from "~/services";

type Sending = Pick<Services, "db" | "clock" | "secrets">;

async function openPayload<T>(services: Sending, job: Job): Promise<T> {
  if (!job.sealedPayload) throw new Error("a message without its payload");
  return JSON.parse(await services.secrets.open(job.sealedPayload, job.id)) as T;
}

/** Sends a queued email. At least once, and once only at the provider: the job's id is the idempotency key. */
export async function sendQueuedEmail(services: Sending & Pick<Services, "mail">, job: Job): Promise<void> {
  const { to, ...email } = await openPayload<Email & { to: string }>(services, job);
  await services.mail.send({ to, ...renderEmail(composeEmail(email as Email)) }, job.id);
  await finishJob(services, job);
}

/**
 * Sends a queued text message. The provider knows no idempotency key, so a crash between its answer and our commit
 * sends a second one: for a link to a payee twice is better than never.
 */
export async function sendQueuedSms(services: Sending & Pick<Services, "sms">, job: Job): Promise<void> {
  await services.sms.send(await openPayload<{ to: string; body: string }>(services, job));
  await finishJob(services, job);
}

/** A message nobody could deliver: the trail of its organisation says so. */
export async function giveUpMessage(services: WriteServices, job: Job, error: string): Promise<void> {
  const actor = systemActor(job.organizationId ?? PLATFORM_ORGANIZATION_ID, job.id);
  const entry = { action: "job.given_up", entityType: "job", entityId: job.id, details: { kind: job.kind } } as const;
  await runCommand(services, actor, {
    conditions: [jobIsLeased(services, job)],
    statements: [endJob(services, job, "failed", error)],
    audit: [entry],
    answer: undefined,
  });
}
