import { countHit } from "@db/rate-counter";
import { outbox, tokens } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { linkPaths } from "~/kernel/paths/links";
import type { Job } from "~/modules/core/commands/job";
import { endJob, jobIsLeased } from "~/modules/core/commands/outbox.statements.server";
import { runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, Services, WriteServices } from "~/services";
import { findAccount } from "../account.server";
import { aboutUser, asAccountActor } from "../account-actor";
import { MAX_RESET_EMAILS, RESET_EMAILS_WINDOW_MS, RESET_TTL_MS } from "./password-reset";

type Asked = { email: string; origin: Origin };

/**
 * Notes that a person wants to reset the password of an address. The job looks up later whether the address has an
 * account: answer, work and time here are the same for every address.
 */
export async function askForPasswordReset(
  services: WriteServices & Pick<Services, "secrets">,
  origin: Origin,
  { email }: { email: string },
): Promise<void> {
  const { db, ids, secrets } = services;
  const id = ids.next();
  const asked: Asked = { email, origin };
  const sealedPayload = await secrets.seal(JSON.stringify(asked), id);
  const written = db.select({ one: sql`1` }).from(outbox).where(eq(outbox.id, id));
  await runStep(services, {
    conditions: [{ name: "written_already", found: sql`SELECT 1 WHERE NOT EXISTS (${written.getSQL()})` }],
    jobs: [{ id, kind: "password_reset", organizationId: null, subjectId: null, sealedPayload }],
  });
}

/** The job's work: a link for the account, if there is one and it has not been sent too many. */
export async function sendPasswordReset(services: NotifyServices, job: Job): Promise<void> {
  const { db, clock, ids, secrets, config } = services;
  if (!job.sealedPayload) throw new Error("a reset without its payload");
  const { email, origin } = JSON.parse(await secrets.open(job.sealedPayload, job.id)) as Asked;
  const account = await findAccount(services, email);
  if (!account || account.status === "inactive" || (await wasSentTooMany(services, account.id))) {
    await endReset(services, job, "done");
    return;
  }
  const token = ids.secret();
  const now = clock.now();
  const { id: userId, organizationId, firstName } = account;
  const link = `${config.appOrigin}${linkPaths.resetPassword(token)}`;
  await runCommand(services, asAccountActor({ userId, organizationId, origin }), {
    conditions: [jobIsLeased(services, job)],
    statements: [
      db.insert(tokens).values({
        id: ids.next(),
        kind: "password_reset",
        tokenHash: await secrets.hashToken(token),
        userId,
        email: account.email,
        createdAt: now,
        expiresAt: now + RESET_TTL_MS,
      }),
      endJob(services, job, "done"),
    ],
    audit: [{ action: "user.password_reset_requested", ...aboutUser(userId) }],
    jobs: await queueEmail(services, organizationId, [account.email], {
      template: "passwordReset",
      data: { firstName, link },
    }),
    answer: undefined,
  });
}

async function wasSentTooMany({ db, clock }: NotifyServices, userId: string): Promise<boolean> {
  const { count } = await countHit(db, `reset-mails:${userId}`, RESET_EMAILS_WINDOW_MS, clock.now());
  return count > MAX_RESET_EMAILS;
}

/** A request that failed too often: the person asks again. */
export async function giveUpPasswordReset(services: WriteServices, job: Job, error: string): Promise<void> {
  await endReset(services, job, "failed", error);
}

async function endReset(services: WriteServices, job: Job, status: "done" | "failed", error?: string): Promise<void> {
  await runStep(services, {
    conditions: [jobIsLeased(services, job)],
    statements: [endJob(services, job, status, error)],
  });
}
