import { columnsOf, payees, paymentFileSettings, paymentRecords, remittancesDue } from "@db/database";
import { and, asc, eq, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { maskAccountNumber } from "~/kernel/bank-account";
import { formatDate } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { getOrganizationName } from "~/modules/accounts/organizations/organization.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import {
  type CommandPart,
  endJob,
  jobIsLeased,
  postponeJob,
  runCommand,
  runStatement,
} from "~/modules/core/commands/run-command.server";
import { sendToOutsidersAsAllowed } from "~/modules/messages/notifications/outside-messages.server";
import { type ReadServices, type Services, systemActor, type WriteServices } from "~/services-and-actor";

/** How many payments one statement takes: their ids are about 200 KB. */
const PAYMENTS_PER_STATEMENT = 5_000;

const NOTHING: CommandPart = { statements: [] };

async function sendsRemittances({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const [row] = await db
    .select({ isOn: paymentFileSettings.sendsRemittances })
    .from(paymentFileSettings)
    .where(eq(paymentFileSettings.organizationId, organizationId));
  return row?.isOn ?? false;
}

/**
 * Queues emails to the payees of successful payments, for the command that records the outcome. Does nothing unless the
 * organisation has chosen to tell them. Payees without an email address are skipped.
 * @param paymentIds payments to the account that their payee has now
 */
export async function queueRemittances(
  services: Pick<Services, "db" | "ids">,
  organizationId: string,
  paymentIds: readonly string[],
): Promise<CommandPart> {
  if (paymentIds.length === 0 || !(await sendsRemittances(services, organizationId))) return NOTHING;
  const { db, ids } = services;
  const statements = inParts(paymentIds, PAYMENTS_PER_STATEMENT).map((part) =>
    db.insert(remittancesDue).select(sql`SELECT ${organizationId}, "payment"."id", "payee"."id"
      FROM json_each(${JSON.stringify(part)}) AS "asked"
      CROSS JOIN "payment_records" AS "payment" CROSS JOIN "payees" AS "payee"
      WHERE "payment"."organizationId" = ${organizationId} AND "payment"."id" = "asked"."value"
        AND "payee"."organizationId" = ${organizationId} AND "payee"."id" = "payment"."payeeId"
        AND "payee"."email" IS NOT NULL`),
  );
  return { statements, jobs: [{ id: ids.next(), kind: "remittance", organizationId, subjectId: null }] };
}

/** At most this many payments are listed in one email. */
const MAX_PAYMENTS = 100;

/** The next payee to tell, and about which payments; undefined when none is due. */
async function findNextRemittance({ db }: ReadServices, organizationId: string) {
  const [first] = await db
    .select({ payeeId: remittancesDue.payeeId, payeeName: payees.name, email: payees.email })
    .from(remittancesDue)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, remittancesDue.payeeId)))
    .where(eq(remittancesDue.organizationId, organizationId))
    .orderBy(asc(remittancesDue.payeeId))
    .limit(1);
  if (!first) return undefined;
  const payments = await db
    .select(columnsOf(paymentRecords, "id", "amount", "reference", "processedAt", "accountNumber"))
    .from(remittancesDue)
    .innerJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, remittancesDue.paymentId)),
    )
    .where(and(eq(remittancesDue.organizationId, organizationId), eq(remittancesDue.payeeId, first.payeeId)))
    .orderBy(asc(remittancesDue.paymentId))
    .limit(MAX_PAYMENTS);
  return { ...first, payments };
}

export type Remittance = NonNullable<Awaited<ReturnType<typeof findNextRemittance>>>;

/** How many payees one delivery tells: a few statements each. */
const PAYEES_PER_DELIVERY = 25;

/**
 * Tells payees by email which payments were made to them: one email per payee for all that are due, within the limits
 * for messages to people outside the organisation. An email over a limit is skipped and noted in the audit trail.
 */
export async function sendRemittances(services: WriteServices, job: Job): Promise<void> {
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

/** @returns false when another consumer has taken over the job */
async function tellPayee(services: WriteServices, job: Job, organizationId: string, next: Remittance) {
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
        entityId: payeeId,
        details: { payments: payments.length },
      },
    ],
  });
  // `outside_limits` means that other messages have used up the limit meanwhile; the next check skips this email.
  return result.ok || result.refused === "outside_limits";
}

function removeDue({ db }: WriteServices, organizationId: string, payments: Remittance["payments"]) {
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

/** After the last failed attempt: the due emails wait for the next payments, and the audit trail says so. */
export async function giveUpRemittances(services: WriteServices, job: Job, error: string): Promise<void> {
  const { organizationId } = job;
  if (!organizationId) return finishJob(services, job, "failed", error);
  await runCommand(services, systemActor(organizationId, job.id), {
    statements: [endJob(services, job, "failed", error)],
    audit: [{ action: "job.given_up", entityId: job.id, details: { kind: job.kind } }],
  });
}
