import type { Statement } from "@db/client";
import { systemActor } from "~/kernel/actor";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { Job } from "~/modules/commands/job";
import { claimJob } from "~/modules/commands/outbox.commands.server";
import { endJob, postponeJob, whileLeased } from "~/modules/commands/outbox.statements.server";
import { listMemberEmails } from "~/modules/members/member-emails.queries.server";
import { jobIds, jobStatements, queueEmail } from "~/modules/notifications/notifications.statements.server";
import { isOpen } from "~/modules/verifications/verification";
import { whilePending } from "~/modules/verifications/verification.statements.server";
import type { Services } from "~/services";
import { type BankCheck, findBankCheck, requesterOf } from "./bank-check.queries.server";
import { finishBankCheck, whileRunning } from "./bank-check.statements.server";
import { withoutData } from "./compare";

type Recording = Pick<Services, "db" | "clock" | "ids" | "log" | "queues" | "secrets" | "config">;

const DEAD = "the queue could not deliver it";

/**
 * A job whose messages the queue gave up on: it ends here, in a state that a person sees. One that another consumer
 * holds, or that has moved on and is not due, is alive, and the sweep looks after it.
 *
 * Nobody is mailed about a mail that died: that mail would go the same way. The trail and the log have it.
 */
export async function recordDeadLetter(services: Recording, jobId: string): Promise<void> {
  const { db, log, queues } = services;
  const job = await claimJob(services, jobId);
  if (!job) return log.info("dead_letter.moved_on", { jobId });
  log.error("dead_letter", { jobId, kind: job.kind });
  const acting = systemActor(job.organizationId ?? PLATFORM_ORGANIZATION_ID, job.id);
  const trail = recordAudit(services, acting, {
    action: "job.dead_lettered",
    entityType: "job",
    entityId: job.id,
    details: { kind: job.kind },
  });
  const check = job.kind === "bank_check" ? await findBankCheck(services, job) : undefined;
  const ending =
    check && check.finishedAt === null && isOpen(check.verification.status)
      ? await endDeadCheck(services, job, check)
      : { jobIds: [], statements: [endJob(services, job, "failed", DEAD)] };
  await db.batch([whileLeased(services, job), trail, ...ending.statements]);
  await queues.send("jobs", ending.jobIds);
  if (check) await queues.send("bank-checks", [job.id]);
}

/**
 * The check ends as `unable`, which its requester is told anyway and everybody else who can act is told here; its job
 * comes back once more, to delete what the provider holds.
 */
async function endDeadCheck(
  services: Recording,
  job: Job,
  check: BankCheck,
): Promise<{ jobIds: string[]; statements: Statement[] }> {
  const { clock, config } = services;
  const { organizationId, organizationName, verificationId, payee } = check;
  const acting = systemActor(organizationId, job.id);
  const finished = await finishBankCheck(services, acting, check, withoutData("unable", "job_failed"), false);
  const mail = await queueEmail(
    services,
    organizationId,
    await listMemberEmails(services, organizationId, { canWrite: true, except: requesterOf(check) }),
    {
      template: "jobGivenUp",
      data: {
        organizationName,
        what: `The bank check of ${payee.name} could not be finished because of a fault on our side. Nothing was decided; please start it again.`,
        href: `${config.appOrigin}/verifications/${verificationId}`,
      },
    },
  );
  return {
    jobIds: [...finished.jobIds, ...jobIds(mail)],
    statements: [
      whilePending(services, organizationId, verificationId),
      whileRunning(services, check),
      ...finished.statements,
      ...jobStatements(services, mail),
      postponeJob(services, job, { dueAt: clock.now(), attempts: 0 }),
    ],
  };
}
