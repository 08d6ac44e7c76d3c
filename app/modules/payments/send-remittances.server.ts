import { remittancesDue } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/account-number";
import { systemActor } from "~/kernel/actor";
import { formatDate } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { getOrganizationName } from "~/modules/accounts/organizations/organization.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { endJob, jobIsLeased, postponeJob } from "~/modules/core/commands/outbox.statements.server";
import { runCommand, runStatement } from "~/modules/core/commands/run-command.server";
import { sendToOutsidersAsAllowed } from "~/modules/messages/notifications/outside-messages.server";
import type { NotifyServices } from "~/services";
import { findNextRemittance, type Remittance } from "./remittances.server";

/** Payees told by one delivery: a few statements each. */
const PAYEES_PER_DELIVERY = 25;

/**
 * Tells payees by email which payments were made to them: one email for all that is due to a payee, within the limits for
 * messages to people outside the organisation. An email that a limit does not allow is left out, and the trail says so.
 */
export async function sendRemittances(services: NotifyServices, job: Job): Promise<void> {
  const { organizationId } = job;
  for (let told = 0; organizationId !== null; told++) {
    const next = await findNextRemittance(services, organizationId);
    if (!next) break;
    if (told === PAYEES_PER_DELIVERY) {
      return runStatement(services, postponeJob(services, job, { dueAt: services.clock.now(), attempts: 0 }));
    }
    if (!(await tellPayee(services, job, organizationId, next))) return;
  }
  return finishJob(services, job);
}

/** @returns false when another consumer has taken the job over */
async function tellPayee(
  services: NotifyServices,
  job: Job,
  organizationId: string,
  next: Remittance,
): Promise<boolean> {
  const { payeeId, payeeName, email, payments } = next;
  const [{ timeZone }, { name: organizationName }] = await Promise.all([
    findPolicy(services, organizationId),
    getOrganizationName(services, organizationId),
  ]);
  const data = {
    organizationName,
    payeeName,
    total: formatAud(payments.reduce((sum, { amount }) => sum + amount, 0)),
    payments: payments.map(({ amount, reference, processedAt, accountNumber }) => ({
      amount: formatAud(amount),
      reference: reference ?? "",
      paidOn: processedAt === null ? "" : formatDate(processedAt, timeZone),
      maskedAccount: maskAccountNumber(accountNumber),
    })),
  };
  const message = { kind: "remittance", channel: "email", email: { template: "remittance", data } } as const;
  const told = await sendToOutsidersAsAllowed(services, organizationId, email ? [{ ...message, to: email }] : []);
  const isSent = told.conditions.length > 0;
  const result = await runCommand(services, systemActor(organizationId, job.id), {
    conditions: [jobIsLeased(services, job), ...told.conditions],
    statements: [removeDue(services, organizationId, payments)],
    parts: told.parts,
    audit: [
      {
        action: isSent ? "payee.remittance_sent" : "payee.remittance_not_sent",
        entityType: "payee",
        entityId: payeeId,
        details: { payments: payments.length },
      },
    ],
    answer: undefined,
  });
  // Refused by a limit: others sent meanwhile. The next look leaves the email out.
  return result.ok || result.refused === "outside_limits";
}

function removeDue({ db }: NotifyServices, organizationId: string, payments: Remittance["payments"]) {
  const ids = JSON.stringify(payments.map(({ id }) => id));
  return db
    .delete(remittancesDue)
    .where(
      and(
        eq(remittancesDue.organizationId, organizationId),
        sql`${remittancesDue.paymentId} IN (SELECT value FROM json_each(${ids}))`,
      ),
    );
}

/** No more tries: what is due waits for the next payments of the organisation, and the trail says that a job failed. */
export async function giveUpRemittances(services: NotifyServices, job: Job, error: string): Promise<void> {
  const { organizationId } = job;
  if (!organizationId) return finishJob(services, job, "failed", error);
  await runCommand(services, systemActor(organizationId, job.id), {
    statements: [endJob(services, job, "failed", error)],
    audit: [
      {
        action: "job.given_up",
        entityType: "job",
        entityId: job.id,
        details: { kind: job.kind },
      },
    ],
    answer: undefined,
  });
}
